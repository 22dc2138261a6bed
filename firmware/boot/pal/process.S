/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of calls for user mode and processes that do not fit into a call's 16 instructions. */

callsys:	/* from user mode, with a handler */
	hw_mtpr	sp, PT_USP
	hw_mfpr	sp, PT_KSP
	lda	sp, -FRAME_SIZE(sp)
	hw_mfpr	t9, IPR_EXC_ADDR
	stq	t8, FRAME_PS(sp)
	stq	t9, FRAME_PC(sp)
	stq	gp, FRAME_GP(sp)
	hw_mfpr	t9, PT_ENTRY_USER
	hw_mtpr	t9, PT_ENTRY_INTERRUPT
	hw_mtpr	zero, PT_ENTRY_USER
	hw_mtpr	zero, IPR_PS
	hw_mtpr	zero, PT_PS		/* kernel mode, level 0 */
	hw_mfpr	t9, PT_ENTRY_SYS
	hw_mtpr	t9, IPR_EXC_ADDR
	hw_mfpr	gp, PT_KGP
	hw_rei

rti_checked:	/* a1: PS of the frame, a2: HIER table; gp and EXC_ADDR are set */
	and	a1, PS_USER, a0
	beq	a0, 1f
	frame_ldq a0, FRAME_PC(sp)
	bic	a0, 3, a0
	hw_mtpr	a0, IPR_EXC_ADDR
	frame_ldq a0, FRAME_A0(sp)
	frame_ldq a1, FRAME_A1(sp)
	frame_ldq a2, FRAME_A2(sp)
	lda	sp, FRAME_SIZE(sp)
	hw_mtpr	t8, PT_SAVE0		/* RTI spoils nothing */
	lda	t8, PS_USER(zero)
	hw_mtpr	t9, PT_SAVE1
	bsr	t9, user_state
	hw_mfpr	t8, PT_SAVE0
	hw_mfpr	t9, PT_SAVE1
	hw_rei
1:	and	a1, PS_IPL, a1
	br	zero, rti_kernel
to_user:	/* t8: PS_USER, EXC_ADDR: where to, sp: the kernel stack without frame */
	bsr	t9, user_state
	hw_rei

user_state:	/* t8: PS_USER; return address in t9. Uses t8. */
	hw_mtpr	t8, PT_PS
	hw_mtpr	t8, IPR_PS
	hw_mfpr	t8, PT_ENTRY_INTERRUPT
	hw_mtpr	t8, PT_ENTRY_USER
	hw_mtpr	zero, PT_ENTRY_INTERRUPT
	hw_mfpr	t8, PT_HIER_TABLE
	extbl	t8, 0, t8
	hw_mtpr	t8, IPR_HIER
	hw_mtpr	sp, PT_KSP
	hw_mfpr	sp, PT_USP
	ret	zero, (t9), 1

wrent:	/* a0: handler, a1: which, not 0 */
	cmpeq	a1, ENTRY_ARITH, t8
	beq	t8, 1f
	hw_mtpr	a0, PT_ENTRY_ARITH
1:	cmpeq	a1, ENTRY_MM, t8
	beq	t8, 1f
	hw_mtpr	a0, PT_ENTRY_MM
1:	cmpeq	a1, ENTRY_IF, t8
	beq	t8, 1f
	hw_mtpr	a0, PT_ENTRY_IF
1:	cmpeq	a1, ENTRY_UNA, t8
	beq	t8, 1f
	hw_mtpr	a0, PT_ENTRY_UNA
1:	cmpeq	a1, ENTRY_SYS, t8
	beq	t8, 1f
	hw_mtpr	a0, PT_ENTRY_SYS
1:	cmpule	a1, ENTRY_SYS, t8	/* its flag: set, or cleared by a zero handler */
	sll	t8, a1, t8
	hw_mfpr	t9, PT_FLAGS
	bic	t9, t8, t9
	cmoveq	a0, zero, t8
	bis	t9, t8, t9
	hw_mtpr	t9, PT_FLAGS
	hw_rei

swpctx:	/* a0: physical address of the new control block; v0: of the old one, 0 at first */
	bis	zero, zero, v0
	hw_mfpr	t8, PT_FLAGS
	srl	t8, FLAG_PCBB, t9
	rpcc	t10			/* upper half: offset, lower: counter */
	srl	t10, 32, t11
	blbc	t9, 1f
	hw_mfpr	v0, PT_PCBB
	pcb_stq	sp, PCB_KSP(v0)
	hw_mfpr	t9, PT_USP
	pcb_stq	t9, PCB_USP(v0)
	hw_mfpr	t9, PT_UNIQUE
	pcb_stq	t9, PCB_UNIQUE(v0)
	addl	t10, t11, t9
	pcb_stl	t9, PCB_PCC(v0)		/* cycles charged so far */
1:
new_context:	/* a0: control block, t8: flags, t10: RPCC; ends the call */
	hw_mtpr	a0, PT_PCBB
	lda	t9, 1(zero)
	sll	t9, FLAG_PCBB, t9
	bis	t8, t9, t8
	hw_mtpr	t8, PT_FLAGS
	pcb_ldl	t9, PCB_PCC(a0)
	subl	t9, t10, t9
	sll	t9, 32, t9
	hw_mtpr	t9, IPR_CC		/* offset: charged - counter */
	pcb_ldq	t9, PCB_UNIQUE(a0)
	hw_mtpr	t9, PT_UNIQUE
	pcb_ldq	t9, PCB_USP(a0)
	hw_mtpr	t9, PT_USP
	pcb_ldq	sp, PCB_KSP(a0)
#if MACHINE_TRANSLATION
	bsr	t11, new_space
#endif
	br	zero, mind_users

swppal:	/* ours again: a fresh start of the kernel at a1 with the control block a2 */
	subq	a0, PAL_VARIANT_OSF, v0
	beq	v0, 1f
	lda	v0, 1(zero)
	hw_rei
1:	bic	a1, 3, a1
	hw_mtpr	a1, IPR_EXC_ADDR
	bis	a2, a2, a0
	hw_mfpr	t8, PT_FLAGS
	rpcc	t10
	br	zero, new_context
