/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's entry: PAL reset comes here in kernel mode at IPL 7, a0 = boot block (KSEG). */
#include "boot/start.inc"

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	find_gp
	lda	sp, stack_top
	lda	s0, boot_block
	bis	a0, a0, s1
	clear_bss
	stq	s1, 0(s0)
	take_interrupts
	bis	s1, s1, a0
	run_main
	.end	_start

	boot_block_word
