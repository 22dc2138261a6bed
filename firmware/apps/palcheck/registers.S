/* SPDX-License-Identifier: BSD-2-Clause */
/* unsigned long registers_kept(volatile uint64_t *count, uint64_t until): fills the registers with
 * a pattern, spins until *count reaches `until`, and returns a mask of those that changed
 * meanwhile. It spins with t0, which is left out, as are sp and v0. */
#include "boot/registers.h"

	.set	noat
	.set	noreorder
	.set	nomacro

	.section .text.registers_kept, "ax", @progbits
	.globl	registers_kept
	.ent	registers_kept
registers_kept:
	.frame	sp, 288, ra
	.prologue 0
	lda	sp, -288(sp)
	.irp	n, 9,10,11,12,13,14,15,26,29
	stq	$\n, 8*\n(sp)
	.endr
	stq	a0, 248(sp)
	stq	a1, 256(sp)
	stq	zero, 264(sp)
	lda	v0, 0x1357(zero)
	sll	v0, 45, v0
	lda	v0, 0x2469(v0)
	.irp	n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29
	mulq	v0, \n, $\n
	.endr
1:	ldq	t0, 248(sp)
	ldq	t0, 0(t0)
	stq	t0, 272(sp)
	stq	t1, 280(sp)
	ldq	t1, 256(sp)
	cmplt	t0, t1, t0
	ldq	t1, 280(sp)
	bne	t0, 1b
	.irp	n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29
	mulq	v0, \n, t0
	cmpeq	t0, $\n, t0
	xor	t0, 1, t0
	sll	t0, \n, t0
	ldq	$\n, 264(sp)	/* this one is done with: carry the mask in it */
	bis	t0, $\n, t0
	stq	t0, 264(sp)
	.endr
	ldq	v0, 264(sp)
	.irp	n, 9,10,11,12,13,14,15,26,29
	ldq	$\n, 8*\n(sp)
	.endr
	lda	sp, 288(sp)
	ret	zero, (ra), 1
	.end	registers_kept
