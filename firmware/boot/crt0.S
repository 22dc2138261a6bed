/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's entry: PAL reset comes here in kernel mode at IPL 7, a0 = boot block (KSEG). */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	br	pv, 1f			/* pv: where we are */
1:	ldgp	gp, 0(pv)
	lda	sp, stack_top
	lda	s0, boot_block
	bis	a0, a0, s1

	/* The loader leaves RAM as it was: BSS is ours to clear. Both ends are 32-byte aligned. */
	lda	t0, bss_start
	lda	t1, bss_end
	br	zero, 3f
2:	stq	zero, 0(t0)
	stq	zero, 8(t0)
	stq	zero, 16(t0)
	stq	zero, 24(t0)
	lda	t0, 32(t0)
3:	cmpult	t0, t1, t2
	bne	t2, 2b

	stq	s1, 0(s0)
	bis	gp, gp, a0
	call_pal PAL_WRKGP
	lda	a0, trap_interrupt
	bis	zero, ENTRY_INTERRUPT, a1
	call_pal PAL_WRENT
	bis	s1, s1, a0
	lda	pv, main
	jsr	ra, (pv), main
	ldgp	gp, 0(ra)
	bis	v0, v0, a1		/* main's result is the exit code */
	lda	a0, CSERVE_EXIT(zero)
	call_pal PAL_CSERVE
	call_pal PAL_HALT
	.end	_start

	.section .sbss, "aw", @nobits
	.balign	8
	.globl	boot_block
boot_block:
	.skip	8
