// SPDX-License-Identifier: BSD-2-Clause
// Registers that come late, and are addresses at once or no operands at all: a device's answer, a
// load that misses.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:
	lda	$12, -511($31)	// system registers
	sll	$12, 33, $12
	lda	$14, 0x2000($12)
	lda	$2, 1($31)
	sll	$2, 21, $2	// 2 MB
	stq	$31, 0($2)
	lda	$1, 1($31)
	stq	$1, 0x10($14)	// timer control: 1
	stq	$1, 32($31)
	lda	$5, 200($31)	// times
again:	ldq	$1, 0x10($14)	// 1
	ldq_u	$3, 31($1)	// at 32, not at 24
	bne	$3, there
	addq	$3, $3, $3
there:	lda	$4, 1($31)
	ldq	$4, 0($2)	// 0
	.long	0x609f8000	// FETCH and FETCH_M with $4 in their unused field: neither waits
	.long	0x609fa000
	ldq	$3, 0($4)
	stq	$3, 8($2)
	addq	$2, 64, $2
	subq	$5, 1, $5
	bne	$5, again
	lda	$13, 0x1010($12)
	stq	$31, 0($13)
	br	$31, .
