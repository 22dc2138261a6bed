/* SPDX-License-Identifier: BSD-2-Clause */
/* What both entries of images do, boot/crt0.S and boot/parallel/start.S. */
#include "machine.h"
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

	.macro	find_gp
	br	pv, 1f			/* pv: where we are */
1:	ldgp	gp, 0(pv)
	.endm

	/* The loader leaves RAM as it was: BSS is ours to clear. Both ends are 32-byte aligned. */
	.macro	clear_bss
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
	.endm

	.macro	take_interrupts
	bis	gp, gp, a0
	call_pal PAL_WRKGP
	lda	a0, trap_interrupt
	bis	zero, ENTRY_INTERRUPT, a1
	call_pal PAL_WRENT
	.endm

	.macro	run_main
	lda	pv, main
	jsr	ra, (pv), main
	ldgp	gp, 0(ra)
	bis	v0, v0, a1		/* main's result is the exit code */
	lda	a0, CSERVE_EXIT(zero)
	call_pal PAL_CSERVE
	call_pal PAL_HALT
	.endm

	.macro	boot_block_word
	.section .sbss, "aw", @nobits
	.balign	8
	.globl	boot_block
boot_block:
	.skip	8
	.endm
