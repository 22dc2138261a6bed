// SPDX-License-Identifier: BSD-2-Clause
// The sync bus. Each core takes lock 1 + its number 40 times, without a pause: only the first time
// it is free. Then each adds one to a counter 20 times under lock 0, whose place it leaves last.
// Core 0 exits with what is wrong: 1 how often a lock was free, 2 the count.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:
	lda	$12, -511($31)	// fffffe01
	sll	$12, 33, $12	// fffffc0200000000
	lda	$13, 0x4000($12)
	ldq	$14, 0x18($13)	// which core
	ldq	$15, 0($13)	// of how many
	lda	$11, 0x4000($13)	// lock 0
	s8addq	$14, $11, $10
	lda	$9, 1($31)
	sll	$9, 21, $9
	lda	$1, -4($31)
	sll	$1, 40, $1
	addq	$9, $1, $9	// at 2 MB: the counter; behind it who is done
	lda	$22, 40($31)
	lda	$23, 0($31)
again:	ldq	$1, 8($10)
	addq	$23, $1, $23	// how often it was taken
	subq	$22, 1, $22
	bne	$22, again
	lda	$22, 20($31)
take:	ldl	$1, 0($11)
	bne	$1, take
	ldq	$1, 0($9)
	addq	$1, 1, $1
	stq	$1, 0($9)
	stq	$31, 0($11)
	subq	$22, 1, $22
	bne	$22, take
	stq	$31, 8($10)
	ldq	$1, 8($10)	// it is free again
	cmpeq	$23, 39, $2
	bic	$2, $1, $2
	s8addq	$14, $9, $3
	lda	$2, 1($2)
	stq	$2, 128($3)	// 2: right
	mb
	beq	$14, first
	br	$31, .
first:	lda	$17, 0($31)
	lda	$4, 0($31)
wait:	cmpeq	$4, $15, $1
	bne	$1, all
	s8addq	$4, $9, $3
1:	ldq	$1, 128($3)
	beq	$1, 1b
	cmpeq	$1, 2, $1
	cmoveq	$1, 1, $17
	addq	$4, 1, $4
	br	$31, wait
all:	mb
	ldq	$3, 0($9)
	lda	$4, 20($31)
	mulq	$4, $15, $4
	cmpeq	$3, $4, $1
	cmoveq	$1, 2, $17
	lda	$13, 0x1010($12)
	stq	$17, 0($13)
	br	$31, .
