/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt entry. PALcode has pushed its frame (registers.h), set our gp, raised the level and
 * put type and source bit into a0 and a1; RTI undoes all that.
 *
 * The window is paused from our first instruction to the outermost RTI: a timer interrupt inside
 * the network handler must not resume it. */
#include "boot/palcode.h"
#include "boot/registers.h"
#include "platform/marker.h"

	.set	noat
	.set	noreorder

#define SAVED(n) (8 * (n))
#define SAVED_SIZE 160

	.section .text.trap, "ax", @progbits
	.globl	trap_interrupt
	.ent	trap_interrupt
trap_interrupt:
	.frame	sp, SAVED_SIZE, ra
	MARK_HERE(MARK_PAUSE, WINDOW_PATH)
	lda	sp, -SAVED_SIZE(sp)
	stq	v0, SAVED(0)(sp)
	stq	t0, SAVED(1)(sp)
	stq	t1, SAVED(2)(sp)
	stq	t2, SAVED(3)(sp)
	stq	t3, SAVED(4)(sp)
	stq	t4, SAVED(5)(sp)
	stq	t5, SAVED(6)(sp)
	stq	t6, SAVED(7)(sp)
	stq	t7, SAVED(8)(sp)
	stq	a3, SAVED(9)(sp)
	stq	a4, SAVED(10)(sp)
	stq	a5, SAVED(11)(sp)
	stq	t8, SAVED(12)(sp)
	stq	t9, SAVED(13)(sp)
	stq	t10, SAVED(14)(sp)
	stq	t11, SAVED(15)(sp)
	stq	ra, SAVED(16)(sp)
	stq	pv, SAVED(17)(sp)
	stq	at, SAVED(18)(sp)

	lda	t1, trap_depth
	ldl	t0, 0(t1)
	lda	t0, 1(t0)
	stl	t0, 0(t1)
	bis	a1, a1, a0
	lda	pv, trap_dispatch
	jsr	ra, (pv), trap_dispatch
	ldgp	gp, 0(ra)
	lda	t1, trap_depth
	ldl	t0, 0(t1)
	lda	t0, -1(t0)
	stl	t0, 0(t1)
	cmpeq	t0, zero, a0		/* a0 is PALcode's to restore */

	ldq	v0, SAVED(0)(sp)
	ldq	t0, SAVED(1)(sp)
	ldq	t1, SAVED(2)(sp)
	ldq	t2, SAVED(3)(sp)
	ldq	t3, SAVED(4)(sp)
	ldq	t4, SAVED(5)(sp)
	ldq	t5, SAVED(6)(sp)
	ldq	t6, SAVED(7)(sp)
	ldq	t7, SAVED(8)(sp)
	ldq	a3, SAVED(9)(sp)
	ldq	a4, SAVED(10)(sp)
	ldq	a5, SAVED(11)(sp)
	ldq	t8, SAVED(12)(sp)
	ldq	t9, SAVED(13)(sp)
	ldq	t10, SAVED(14)(sp)
	ldq	t11, SAVED(15)(sp)
	ldq	ra, SAVED(16)(sp)
	ldq	pv, SAVED(17)(sp)
	ldq	at, SAVED(18)(sp)
	lda	sp, SAVED_SIZE(sp)
	beq	a0, 1f
	MARK_HERE(MARK_RESUME, WINDOW_PATH)
	call_pal PAL_RTI
1:	call_pal PAL_RTI
	.end	trap_interrupt

	.section .sbss, "aw", @nobits
	.balign	8
trap_depth:		/* interrupts taken and not returned from */
	.skip	8
