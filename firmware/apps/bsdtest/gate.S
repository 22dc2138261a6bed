/* SPDX-License-Identifier: BSD-2-Clause */
/* Into user mode and back (docs/reference/palcode.md). */
#include "boot/palcode.h"
#include "boot/registers.h"
#include "bsd/switches.h"

#if BSD_CROSSING
	.set	noat
	.set	noreorder

.macro saved_registers operation
	\operation	s0, 0(sp)
	\operation	s1, 8(sp)
	\operation	s2, 16(sp)
	\operation	s3, 24(sp)
	\operation	s4, 32(sp)
	\operation	s5, 40(sp)
	\operation	fp, 48(sp)
	\operation	ra, 56(sp)
.endm

	.text
	.globl	gate_enter
	.ent	gate_enter
gate_enter:			/* a0: program, a1: its argument, a2: the end of its stack */
	ldgp	gp, 0(pv)
	.frame	sp, 64, ra
	.prologue 1
	lda	sp, -64(sp)
	saved_registers stq
	bis	a0, a0, s0
	bis	a1, a1, s1
	bis	a2, a2, a0
	call_pal PAL_WRUSP
	bis	gp, gp, a0
	call_pal PAL_WRKGP
	lda	a0, gate_entry
	lda	a1, ENTRY_SYS(zero)
	call_pal PAL_WRENT
	lda	sp, -FRAME_SIZE(sp)
	lda	t0, gate_program
	stq	t0, FRAME_PC(sp)
	stq	gp, FRAME_GP(sp)
	bis	s1, s1, a0
	bis	s0, s0, pv
	call_pal PAL_RETSYS
gate_program:			/* in user mode */
	jsr	ra, (pv)
	lda	a0, 0(zero)		/* GATE_LEAVE */
	call_pal PAL_CALLSYS
	.end	gate_enter

	.globl	gate_call
	.ent	gate_call
gate_call:
	.frame	sp, 0, ra
	.prologue 0
	call_pal PAL_CALLSYS
	ret	zero, (ra), 1
	.end	gate_call

	.ent	gate_entry
gate_entry:			/* gp is the kernel's; a caller expects t0 to t11 to be spoilt */
	.frame	sp, 16, ra
	.prologue 0
	beq	a0, 1f
	lda	sp, -16(sp)
	stq	ra, 0(sp)
	lda	pv, gate_dispatch
	jsr	ra, (pv), gate_dispatch
	ldq	ra, 0(sp)
	lda	sp, 16(sp)
	call_pal PAL_RETSYS
1:	lda	sp, FRAME_SIZE(sp)	/* back to the caller of gate_enter */
	saved_registers ldq
	lda	sp, 64(sp)
	ret	zero, (ra), 1
	.end	gate_entry
#endif
