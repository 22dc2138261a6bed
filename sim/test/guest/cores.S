// SPDX-License-Identifier: BSD-2-Clause
// Each core adds one to a counter 200 times, by LDQ_L and STQ_C, and calls core 0 in the end by an
// interprocessor interrupt. Core 0 exits with what is wrong: 1 the count, 2 the callers.
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
	lda	$9, 1($31)
	sll	$9, 21, $9
	lda	$10, -4($31)
	sll	$10, 40, $10
	addq	$9, $10, $9	// the counter at 2 MB
	lda	$22, 200($31)
again:	ldq_l	$1, 0($9)
	addq	$1, 1, $1
	stq_c	$1, 0($9)
	beq	$1, late
	subq	$22, 1, $22
	bne	$22, again
	mb
	beq	$14, first
	lda	$11, 0x1000($9)	// who is done: a quadword each, in blocks of their own
	sll	$14, 8, $1
	addq	$11, $1, $11
	lda	$1, 1($31)
	stq	$1, 0($11)
	mb
	stq	$1, 8($13)	// core 0 is called
	mb
	br	$31, .
late:	br	$31, again
first:	lda	$2, 1($31)
wait:	cmpeq	$2, $15, $1
	bne	$1, all
	lda	$11, 0x1000($9)
	sll	$2, 8, $1
	addq	$11, $1, $11
1:	ldq	$1, 0($11)
	beq	$1, 1b
	addq	$2, 1, $2
	br	$31, wait
all:	mb
	ldq	$3, 0($9)
	lda	$4, 200($31)
	mulq	$4, $15, $4
	lda	$17, 1($31)
	cmpeq	$3, $4, $1
	beq	$1, done
	lda	$17, 2($31)
	cmpeq	$15, 1, $1
	bne	$1, good
2:	ldq	$3, -0x1000($13)	// interrupt_pending
	and	$3, 8, $3
	beq	$3, 2b
	lda	$1, 1($31)
	stq	$1, 0x10($13)
	ldq	$3, -0x1000($13)
	and	$3, 8, $3
	bne	$3, done
good:	lda	$17, 0($31)
done:	lda	$13, 0x1010($12)
	stq	$17, 0($13)
	br	$31, .
