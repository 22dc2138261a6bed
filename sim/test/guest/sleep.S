// SPDX-License-Identifier: BSD-2-Clause
// PALcode that sleeps twice at the end of a block: what follows is fetched while it sleeps. Behind
// the second sleep a barrier waits for a store.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	lda	$1, 7($31)
	lda	$2, 1($31)
	sll	$2, 20, $2
	lda	$12, -511($31)		// the timer's line is not masked
	sll	$12, 33, $12
	lda	$14, 0x2000($12)
	lda	$3, 1($31)
	stq	$3, 0x10($14)
	br	$31, first
	.balign 32
first:	.fill	7, 4, 0x47ff041f	// nop
	.long 0x7421003f		// hw_mtpr $1, wait
	stq	$31, 8($14)		// the timer is acknowledged
	br	$31, second
	.balign 32
second:	.fill	6, 4, 0x47ff041f
	stq	$1, 0($2)
	.long 0x7421003f
	mb
	lda	$13, 0x1010($12)
	stq	$31, 0($13)		// exit
	br	$31, .
