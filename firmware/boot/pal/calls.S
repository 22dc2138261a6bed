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
	br	zero, stop
	missing = missing + 1
	.endr
.endm

.macro stop_call name, function, cause
	pal_call \name, \function
	hw_mtpr	t0, PT_SAVE0
	lda	t0, \cause(zero)
	br	zero, stop
.endm

	pal_call halt, PAL_HALT
	mb
1:	hw_mtpr	zero, IPR_HALT
	br	zero, 1b

	no_pal_call 0x01, 0x01

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

	no_pal_call 0x0a, 0x0f

	pal_call rdmces, PAL_RDMCES
	hw_mfpr	v0, PT_MCES
	hw_rei

	pal_call wrmces, PAL_WRMCES	/* machine checks stop the machine: nothing is ever pending */
	hw_mtpr	zero, PT_MCES
	hw_rei

	no_pal_call 0x12, 0x30

	pal_call wrval, PAL_WRVAL
	hw_mtpr	a0, PT_VAL
	hw_rei

	pal_call rdval, PAL_RDVAL
	hw_mfpr	v0, PT_VAL
	hw_rei

	no_pal_call 0x33, 0x33

	pal_call wrent, PAL_WRENT	/* a0: handler, a1: which; all but interrupts stop the machine */
	bne	a1, 1f
	hw_mtpr	a0, PT_ENTRY_INTERRUPT
1:	hw_rei

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
	hw_rei

	no_pal_call 0x39, 0x39

	pal_call rdusp, PAL_RDUSP
	hw_mfpr	v0, PT_USP
	hw_rei

	no_pal_call 0x3b, 0x3b

	pal_call whami, PAL_WHAMI	/* one processor: number 0 */
	bis	zero, zero, v0
	hw_rei

	no_pal_call 0x3d, 0x3d

	pal_call wtint, PAL_WTINT	/* a0: sources to wait for; taken or not is HIER's business */
	hw_mtpr	a0, IPR_WAIT
	bis	zero, zero, v0
	hw_rei

	pal_call rti, PAL_RTI		/* pops the interrupt's frame */
	ldq	a0, FRAME_PC(sp)
	ldq	a1, FRAME_PS(sp)
	hw_mfpr	a2, PT_HIER_TABLE
	ldq	gp, FRAME_GP(sp)
	hw_mtpr	a0, IPR_EXC_ADDR
	and	a1, 7, a1
	extbl	a2, a1, a2
	hw_mtpr	a1, PT_PS
	hw_mtpr	a2, IPR_HIER
	ldq	a0, FRAME_A0(sp)
	ldq	a1, FRAME_A1(sp)
	ldq	a2, FRAME_A2(sp)
	lda	sp, FRAME_SIZE(sp)
	hw_rei

	stop_call bpt, PAL_BPT, CAUSE_BPT
	stop_call bugchk, PAL_BUGCHK, CAUSE_BUGCHK
	no_pal_call 0x82, 0x85

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
	stop_call gentrap, PAL_GENTRAP, CAUSE_GENTRAP
	no_pal_call 0xab, 0xbf

no_service:	/* CSERVE without such a service */
	lda	v0, -1(zero)
	hw_rei
