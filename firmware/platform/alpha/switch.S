/* SPDX-License-Identifier: BSD-2-Clause */
/* plat_switch: callee-saved registers on the old stack, back from the new one. gp is the same
 * everywhere in the image. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

	.section .text.plat_switch, "ax", @progbits
	.globl	plat_switch
	.ent	plat_switch
plat_switch:			/* a0: where to keep the old context, a1: the new one */
	.frame	sp, 64, ra
	.prologue 0
	lda	sp, -64(sp)
	stq	s0, 0(sp)
	stq	s1, 8(sp)
	stq	s2, 16(sp)
	stq	s3, 24(sp)
	stq	s4, 32(sp)
	stq	s5, 40(sp)
	stq	fp, 48(sp)
	stq	ra, 56(sp)
	stq	sp, 0(a0)
	bis	a1, a1, sp
	ldq	s0, 0(sp)
	ldq	s1, 8(sp)
	ldq	s2, 16(sp)
	ldq	s3, 24(sp)
	ldq	s4, 32(sp)
	ldq	s5, 40(sp)
	ldq	fp, 48(sp)
	ldq	ra, 56(sp)
	lda	sp, 64(sp)
	ret	zero, (ra), 1
	.end	plat_switch

	.section .text.context_start, "ax", @progbits
	.globl	context_start
	.ent	context_start
context_start:			/* s0: entry, s1: its argument */
	.frame	sp, 0, ra
	.prologue 0
	bis	s1, s1, a0
	bis	s0, s0, pv
	jsr	ra, (pv)
	call_pal PAL_BUGCHK	/* entry never returns */
	.end	context_start
