/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps, and interrupts of user mode, on their way to the kernel's handlers (palcode.md).
 *
 * trap: the cause is in t0, the program's t0 in PT_SAVE0. Without a handler, or from PAL mode,
 * where nobody could go on, the machine stops. */
trap:
	hw_mtpr	t1, PT_SAVE1
	hw_mtpr	t2, PT_SAVE2
	hw_mtpr	t3, PT_SAVE3
	hw_mfpr	t1, IPR_EXC_ADDR
	blbs	t1, trap_stop
	/* t1: the handler. */
	hw_mfpr	t2, PT_FLAGS
	cmpeq	t0, CAUSE_MCHK, t3
	bne	t3, trap_machine_check
	cmpeq	t0, CAUSE_ARITH, t3
	bne	t3, trap_arith
	cmpeq	t0, CAUSE_UNALIGN, t3
	bne	t3, trap_una
#if MACHINE_TRANSLATION
	cmpeq	t0, CAUSE_D_FAULT, t3
	bne	t3, trap_mm
#endif
	hw_mfpr	t1, PT_ENTRY_IF
	and	t2, 1 << ENTRY_IF, t2
	br	zero, 1f
trap_arith:
	hw_mfpr	t1, PT_ENTRY_ARITH
	and	t2, 1 << ENTRY_ARITH, t2
	br	zero, 1f
#if MACHINE_TRANSLATION
trap_mm:
	hw_mfpr	t1, PT_ENTRY_MM
	and	t2, 1 << ENTRY_MM, t2
	br	zero, 1f
#endif
trap_una:
	hw_mfpr	t1, PT_ENTRY_UNA
	and	t2, 1 << ENTRY_UNA, t2
1:	beq	t2, trap_stop
trap_deliver:
	hw_mfpr	t2, PT_PS
	and	t2, PS_USER, t3
	beq	t3, 1f
	hw_mtpr	sp, PT_USP
	hw_mfpr	sp, PT_KSP
	hw_mtpr	zero, IPR_PS
	hw_mfpr	t3, PT_ENTRY_USER
	hw_mtpr	t3, PT_ENTRY_INTERRUPT
	hw_mtpr	zero, PT_ENTRY_USER
1:	lda	sp, -FRAME_SIZE(sp)
	hw_mfpr	t3, IPR_EXC_ADDR
	stq	t2, FRAME_PS(sp)
	stq	t3, FRAME_PC(sp)
	stq	gp, FRAME_GP(sp)
	stq	a0, FRAME_A0(sp)
	stq	a1, FRAME_A1(sp)
	stq	a2, FRAME_A2(sp)
	and	t2, PS_IPL, t2		/* kernel mode, the same level */
	hw_mtpr	t2, PT_PS
	hw_mtpr	t1, IPR_EXC_ADDR
	/* t3: pc. The handler's arguments, by cause. */
	cmpeq	t0, CAUSE_MCHK, t1
	bne	t1, args_machine_check
	cmpeq	t0, CAUSE_ARITH, t1
	bne	t1, args_arith
	cmpeq	t0, CAUSE_UNALIGN, t1
	bne	t1, args_una
#if MACHINE_TRANSLATION
	cmpeq	t0, CAUSE_D_FAULT, t1
	bne	t1, args_mm
#endif
	lda	a0, IF_FEN(zero)	/* FEN may be tried again; behind all others the program goes on */
	cmpeq	t0, CAUSE_FEN, t1
	bne	t1, trap_enter
	subq	t0, CAUSE_BPT, a0	/* BPT, BUGCHK, GENTRAP: types 0, 1, 2 */
	bge	a0, trap_enter
	lda	a0, IF_OPDEC(zero)
	cmpeq	t0, CAUSE_OPCDEC, t1
	beq	t1, trap_enter		/* a CALL_PAL that does not exist: EXC_ADDR is behind it */
trap_after_call:
	addq	t3, 4, t3
	stq	t3, FRAME_PC(sp)
trap_enter:
	hw_mfpr	gp, PT_KGP
	hw_mfpr	t0, PT_SAVE0
	hw_mfpr	t1, PT_SAVE1
	hw_mfpr	t2, PT_SAVE2
	hw_mfpr	t3, PT_SAVE3
	hw_rei

args_arith:	/* a0: EXC_SUM as the architecture has it; a1: one bit, the register written */
	hw_mfpr	a0, IPR_EXC_SUM
	srl	a0, 2, a0
	hw_mtpr	zero, IPR_EXC_SUM
#if MACHINE_TRANSLATION
	lda	a1, -1(zero)		/* any of them: the instruction's page may be gone */
	zapnot	a1, 0x0f, a1
#else
	ldl	a2, -4(t3)		/* traps are precise: the /V instruction is right before */
	and	a2, 31, a2
	lda	a1, 1(zero)
	sll	a1, a2, a1
#endif
	br	zero, trap_enter
#if MACHINE_TRANSLATION
args_mm:	/* a0: address, a1: what is wrong, a2: fetch, load or store */
	hw_mfpr	a0, PT_FAULT_VA
	hw_mfpr	a1, PT_FAULT_CODE
	hw_mfpr	a2, PT_FAULT_KIND
	br	zero, trap_enter
#endif
args_una:	/* a0: address, a1: opcode, a2: register */
	hw_mfpr	a0, IPR_VA
	hw_mfpr	a2, IPR_MM_CSR
	srl	a2, 9, a1
	srl	a2, 4, a2
	and	a2, 31, a2
	br	zero, trap_after_call
args_machine_check:	/* an interrupt at the highest level; no log */
	lda	t1, PS_IPL(zero)
	hw_mtpr	t1, PT_PS
	hw_mtpr	zero, IPR_HIER
	lda	a0, TYPE_MACHINE_CHECK(zero)
	lda	a1, VECTOR_MACHINE_CHECK(zero)
	bis	zero, zero, a2
	br	zero, trap_enter

trap_machine_check:	/* t2: flags. A second one before WRMCES says the first is dealt with: stop. */
	srl	t2, FLAG_MCHK, t3
	blbc	t3, trap_stop		/* the kernel has never heard of them */
	extbl	t2, FLAG_MCES / 8, t3
	blbs	t3, trap_stop
	hw_mfpr	t1, PT_ENTRY_INTERRUPT
	bne	t1, 1f
	hw_mfpr	t3, PT_PS		/* PT_ENTRY_USER counts in user mode */
	and	t3, PS_USER, t3
	beq	t3, trap_stop
	hw_mfpr	t1, PT_ENTRY_USER
	beq	t1, trap_stop
1:	lda	t3, FLAG_MIP(zero)
	bis	t2, t3, t2
	hw_mtpr	t2, PT_FLAGS
	br	zero, trap_deliver

trap_stop:
	hw_mfpr	t1, PT_SAVE1
	hw_mfpr	t2, PT_SAVE2
	hw_mfpr	t3, PT_SAVE3
	br	zero, stop

#if MACHINE_TRANSLATION
interrupt_in_user_mode:	/* the kernel's stack and handler, before anything is stored */
	hw_mtpr	sp, PT_USP
	hw_mfpr	sp, PT_KSP
	hw_mtpr	zero, IPR_PS
	hw_mfpr	a0, PT_ENTRY_USER
	hw_mtpr	a0, PT_ENTRY_INTERRUPT
	hw_mtpr	zero, PT_ENTRY_USER
	br	zero, interrupt_push
interrupt_user:
#else
/* An interrupt found no handler: either there is none, or we come from user mode and the frame is
 * on the user's stack. a0 type, a1 source, sp frame, PS and HIER as the handler wants them. */
interrupt_user:
	hw_mtpr	t0, PT_SAVE0
	hw_ldq/p t0, FRAME_PS(sp)
	hw_mfpr	gp, PT_ENTRY_USER
	and	t0, PS_USER, t0
	beq	t0, interrupt_unexpected
	beq	gp, interrupt_unexpected
	hw_mtpr	gp, PT_ENTRY_INTERRUPT
	hw_mtpr	gp, IPR_EXC_ADDR
	hw_mtpr	zero, PT_ENTRY_USER
	hw_mtpr	zero, IPR_PS
	hw_mfpr	gp, PT_KSP
	lda	gp, -FRAME_SIZE(gp)
	.irp	at, FRAME_PS, FRAME_PC, FRAME_GP, FRAME_A0, FRAME_A1, FRAME_A2
	hw_ldq/p t0, \at(sp)
	stq	t0, \at(gp)
	.endr
	lda	t0, FRAME_SIZE(sp)
	hw_mtpr	t0, PT_USP
	bis	gp, gp, sp
	hw_mfpr	t0, PT_SAVE0
	hw_mfpr	gp, PT_KGP
	hw_rei
#endif
interrupt_unexpected:	/* a level above 0 was chosen before WRENT */
	lda	t0, CAUSE_NO_HANDLER(zero)
	br	zero, stop
