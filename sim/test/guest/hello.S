// SPDX-License-Identifier: BSD-2-Clause
// Says "mCPI", proves interrupts, traps and the boot block, and exits with what went wrong.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:
	ldq	$9, 0($16)	// boot block: magic 6d435049626f6f74
	sra	$9, 32, $9
	ldah	$10, 0x6d43($31)
	lda	$10, 0x5049($10)
	cmpeq	$9, $10, $11
	lda	$17, 1($31)
	beq	$11, done
	lda	$12, -511($31)	// fffffe01
	sll	$12, 33, $12	// fffffc0200000000
	lda	$13, 0x1000($12)
	lda	$1, 'm'($31)
	stq	$1, 0($13)
	lda	$1, 'C'($31)
	stq	$1, 0($13)
	lda	$1, 'P'($31)
	stq	$1, 0($13)
	lda	$1, 'I'($31)
	stq	$1, 0($13)
	lda	$1, 10($31)
	stq	$1, 0($13)
	lda	$17, 2($31)	// an unaligned load must trap
	lda	$0, 99($31)
	ldq	$3, 1($16)
	bne	$0, done
	lda	$17, 3($31)	// BWX is not there: ldbu traps
	.long 0x28600000
	lda	$4, 0x13e($31)
	subq	$0, $4, $0
	bne	$0, done
	lda	$17, 4($31)	// three timer interrupts
	lda	$14, 0x2000($12)
	lda	$1, 1($31)
	stq	$1, 0x10($14)
	lda	$16, 4($31)
	call_pal 0x35
	call_pal 0x3e
	call_pal 0x3e
	call_pal 0x3e
	cmpult	$0, 2, $1
	bne	$1, done
	lda	$17, 0($31)
done:	lda	$12, -511($31)
	sll	$12, 33, $12
	lda	$13, 0x1010($12)
	stq	$17, 0($13)
	br	$31, .
