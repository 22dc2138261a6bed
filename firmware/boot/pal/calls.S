/* SPDX-License-Identifier: BSD-2-Clause */
/* CALL_PAL: privileged function f enters at 2000 + 40 f, unprivileged 80 + f at 3000 + 40 f (hex).
 *
 * OSF/1 conventions: arguments in a0, a1; result in v0; t0, t8-t11 and a0 may be spoilt.
 * EXC_ADDR already holds the address behind the CALL_PAL. An entry has 16 instructions. */

.macro pal_call name, function
	.if	\function < 0x80
	.org	0x2000 + 0x40 * \function
	.else
	.org	0x3000 + 0x40 * (\function - 0x80)
	.endif
	.globl	pal_\name
pal_\name:
.endm

/* Functions that do not exist, first to last. */
.macro no_pal_call first, last
	missing = \first
	.rept	\last - \first + 1
	.if	missing < 0x80
	.org	0x2000 + 0x40 * missing
	.else
	.org	0x3000 + 0x40 * (missing - 0x80)
	.endif
	hw_mtpr	t0, PT_SAVE0
	lda	t0, CAUSE_CALL_PAL(zero)
	br	zero, trap
	missing = missing + 1
	.endr
.endm

/* An instruction fault that is a call. */
.macro trap_call name, function, cause
	pal_call \name, \function
	hw_mtpr	t0, PT_SAVE0
	lda	t0, \cause(zero)
	br	zero, trap
.endm

	pal_call halt, PAL_HALT
	mb
1:	hw_mtpr	zero, IPR_HALT
	br	zero, 1b

	pal_call cflush, PAL_CFLUSH	/* DMA sees all stores: nothing has to be flushed */
	hw_rei

	pal_call draina, PAL_DRAINA	/* aborts of what came before are taken: bus errors are exact */
	mb
	hw_rei

	no_pal_call 0x03, 0x08

	pal_call cserve, PAL_CSERVE	/* a0: service, a1: argument */
	cmpeq	a0, CSERVE_EXIT, t8
	bne	t8, 2f
	cmpeq	a0, CSERVE_PUTC, t8
	beq	t8, 3f
	load_system t9, SYSTEM_CONSOLE_DATA
1:	ldq	t8, SYSTEM_CONSOLE_STATUS - SYSTEM_CONSOLE_DATA(t9)
	and	t8, 2, t8
	beq	t8, 1b
	stq	a1, 0(t9)
	hw_rei
2:	bis	a1, a1, t0
	br	zero, leave
3:	br	zero, no_service

	pal_call swppal, PAL_SWPPAL	/* a0: which, a1: pc, a2: control block; v0: 0 done, 1 unknown */
	br	zero, swppal

	no_pal_call 0x0b, 0x0c

	pal_call wripir, PAL_WRIPIR	/* a0: which processor is to be interrupted */
#ifdef SYSTEM_INTERPROCESSOR
	load_system t9, SYSTEM_INTERPROCESSOR
	lda	t8, 1(zero)
	sll	t8, a0, t8
	stq	t8, 0(t9)
#endif
	hw_rei

	no_pal_call 0x0e, 0x0f

	pal_call rdmces, PAL_RDMCES
	hw_mfpr	v0, PT_FLAGS
	extbl	v0, FLAG_MCES / 8, v0
	hw_rei

	pal_call wrmces, PAL_WRMCES	/* a0: bits 2:0 clear what they name, 4:3 are kept.
					   Who calls it handles machine checks */
	hw_mfpr	t8, PT_FLAGS
	extbl	t8, FLAG_MCES / 8, t9
	and	t9, 7, t9
	bic	t9, a0, t9
	and	a0, 0x18, t10
	bis	t9, t10, t9
	sll	t9, FLAG_MCES, t9
	zapnot	t8, 0xfd, t8
	bis	t8, t9, t8
	lda	t10, 1 << (FLAG_MCHK - 16)(zero)
	sll	t10, 16, t10
	bis	t8, t10, t8
	hw_mtpr	t8, PT_FLAGS
	hw_rei

	no_pal_call 0x12, 0x2a

	pal_call wrfen, PAL_WRFEN	/* there is nothing to enable */
	hw_rei

	no_pal_call 0x2c, 0x2c

	pal_call wrvptptr, PAL_WRVPTPTR	/* refills go by physical addresses */
#if MACHINE_TRANSLATION
	hw_mtpr	a0, PT_VPTPTR
#endif
	hw_rei

	no_pal_call 0x2e, 0x2f

	pal_call swpctx, PAL_SWPCTX	/* a0: new control block; v0: the old one */
	br	zero, swpctx

	pal_call wrval, PAL_WRVAL
	hw_mtpr	a0, PT_VAL
	hw_rei

	pal_call rdval, PAL_RDVAL
	hw_mfpr	v0, PT_VAL
	hw_rei

	pal_call tbi, PAL_TBI
#if MACHINE_TRANSLATION
	br	zero, tbi
#else
	hw_rei				/* no translation buffer: nothing to invalidate */
#endif

	pal_call wrent, PAL_WRENT	/* a0: handler, a1: which */
	bne	a1, 1f
	hw_mtpr	a0, PT_ENTRY_INTERRUPT
	hw_rei
1:	br	zero, wrent

	pal_call swpipl, PAL_SWPIPL	/* a0: new level; v0: the level before */
	hw_mfpr	t8, PT_HIER_TABLE
	and	a0, 7, a0
	hw_mfpr	v0, PT_PS
	extbl	t8, a0, t8
	hw_mtpr	t8, IPR_HIER
	hw_mtpr	a0, PT_PS
	hw_rei

	pal_call rdps, PAL_RDPS
	hw_mfpr	v0, PT_PS
	hw_rei

	pal_call wrkgp, PAL_WRKGP
	hw_mtpr	a0, PT_KGP
	hw_rei

	pal_call wrusp, PAL_WRUSP
	hw_mtpr	a0, PT_USP
mind_users:	/* from now on RTI may lead into user mode */
	hw_mfpr	t8, PT_HIER_TABLE
	lda	t9, 1(zero)
	sll	t9, 63, t9
	bis	t8, t9, t8
	hw_mtpr	t8, PT_HIER_TABLE
	hw_rei

	pal_call wrperfmon, PAL_WRPERFMON	/* counters are the host's */
	bis	zero, zero, v0
	hw_rei

	pal_call rdusp, PAL_RDUSP
	hw_mfpr	v0, PT_USP
	hw_rei

	no_pal_call 0x3b, 0x3b

	pal_call whami, PAL_WHAMI	/* v0: which processor; 0 where there is one */
#ifdef SYSTEM_CORE_NUMBER
	load_system t9, SYSTEM_CORE_NUMBER
	ldq	v0, 0(t9)
#else
	bis	zero, zero, v0
#endif
	hw_rei

	pal_call retsys, PAL_RETSYS	/* to user mode, from CALLSYS's frame */
	ldq	t8, FRAME_PC(sp)
	ldq	gp, FRAME_GP(sp)
	lda	sp, FRAME_SIZE(sp)
	bic	t8, 3, t8
	hw_mtpr	t8, IPR_EXC_ADDR
	lda	t8, PS_USER(zero)
	br	zero, to_user

	pal_call wtint, PAL_WTINT	/* a0: sources to wait for; taken or not is HIER's business */
	hw_mtpr	a0, IPR_WAIT
	bis	zero, zero, v0
	hw_rei

	pal_call rti, PAL_RTI		/* pops the interrupt's frame */
	frame_ldq a0, FRAME_PC(sp)
	frame_ldq a1, FRAME_PS(sp)
	hw_mfpr	a2, PT_HIER_TABLE
	frame_ldq gp, FRAME_GP(sp)
	hw_mtpr	a0, IPR_EXC_ADDR
	blt	a2, rti_checked
rti_kernel:
	extbl	a2, a1, a2
	hw_mtpr	a1, PT_PS
	hw_mtpr	a2, IPR_HIER
	frame_ldq a0, FRAME_A0(sp)
	frame_ldq a1, FRAME_A1(sp)
	frame_ldq a2, FRAME_A2(sp)
	lda	sp, FRAME_SIZE(sp)
	hw_rei

	trap_call bpt, PAL_BPT, CAUSE_BPT
	trap_call bugchk, PAL_BUGCHK, CAUSE_BUGCHK
	no_pal_call 0x82, 0x82

	pal_call callsys, PAL_CALLSYS	/* arguments stay in their registers */
	hw_mfpr	t8, PT_PS
	hw_mfpr	t9, PT_FLAGS
	and	t8, PS_USER, t10
	beq	t10, 1f			/* kernels do not call themselves */
	and	t9, 1 << ENTRY_SYS, t9
	bne	t9, callsys
1:	hw_mtpr	t0, PT_SAVE0
	lda	t0, CAUSE_CALL_PAL(zero)
	br	zero, trap

	no_pal_call 0x84, 0x85

	pal_call imb, PAL_IMB		/* stores first: the next fetch may want them */
	mb
	hw_mtpr	zero, IPR_FLUSH_IC
	hw_rei

	no_pal_call 0x87, 0x9d

	pal_call rduniq, PAL_RDUNIQ
	hw_mfpr	v0, PT_UNIQUE
	hw_rei

	pal_call wruniq, PAL_WRUNIQ
	hw_mtpr	a0, PT_UNIQUE
	hw_rei

	no_pal_call 0xa0, 0xa9
	trap_call gentrap, PAL_GENTRAP, CAUSE_GENTRAP
#if MACHINE_TRANSLATION
	pal_call prefill, PAL_PREFILL
	br	zero, prefill
#else
	no_pal_call 0xab, 0xab
#endif
	no_pal_call 0xac, 0xbf

no_service:	/* CSERVE without such a service */
	lda	v0, -1(zero)
	hw_rei
