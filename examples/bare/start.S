/* SPDX-License-Identifier: BSD-2-Clause */
/* Where PALcode enters the guest, in KSEG at [ram.image]: a stack, main, and the end of the run. */
	.set	noat
	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	br	$27, 1f
1:	ldgp	$29, 0($27)
	lda	$30, stack_top
	jsr	$26, main
	lda	$12, -511($31)		/* KSEG address of the console: fffffc0200001000 */
	sll	$12, 33, $12
	lda	$12, 0x1000($12)
	stq	$0, 0x10($12)		/* console_exit */
2:	br	$31, 2b
	.end	_start
