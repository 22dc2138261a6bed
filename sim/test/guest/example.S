// SPDX-License-Identifier: BSD-2-Clause
// The worked example of worked-example.md: `code` runs twice; then its blocks and its data
// are driven out of the primary caches by others 8 KB on, and `open` runs it once more, in
// window 1, from the b-cache. Markers: `open` opens, `close` closes.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start, open, close
_start:
	lda	$16, 1($31)
	sll	$16, 21, $16	// data: 2 MB
	lda	$2, -4($31)
	sll	$2, 40, $2
	addq	$16, $2, $16	// in KSEG
	lda	$20, 0x400($16)	// touched before
	lda	$21, 2($31)	// times before the window
	lda	$1, 21($31)
	stq	$1, 0($16)
	lda	$1, 34($31)
	stq	$1, 8($16)
	br	$31, code

	.balign 32
open:	br	$31, code
close:	subq	$21, 1, $21
	blt	$21, done
	bne	$21, code
	lda	$20, 0x800($16)	// touched by nobody
	lda	$3, 0x2000($16)
	ldq	$1, 0($3)	// drive the data out
	br	$31, others
	.balign 32
done:	lda	$12, -511($31)	// exit
	sll	$12, 33, $12
	lda	$13, 0x1010($12)
	stq	$31, 0($13)
	br	$31, .

	.org 0x400
code:	ldq	$1, 0($16)
	ldq	$2, 8($16)
	addq	$1, $2, $3
	sll	$3, 4, $4
	xor	$4, $1, $5
	cmplt	$5, $3, $6
	cmovne	$6, $5, $7
	stq	$7, 16($16)

	addq	$16, 32, $8
	stq	$3, 0($8)
	stq	$4, 8($8)
	ldq	$9, 0($20)
	mulq	$3, $4, $10
	addq	$10, $9, $11
	mb
	beq	$31, far

	.org 0x480
far:	ldq	$13, 16($16)
	addq	$13, 1, $14
	br	$31, close

	.org 0x2400		// the same lines of the I-cache
others:	ldq	$1, 0x20($3)
	br	$31, 1f
	.org 0x2420
1:	br	$31, 2f
	.org 0x2480
2:	mb
	br	$31, 3f
	.org 0x2500
3:	lda	$1, 30($31)	// until no fetch is under way
4:	subq	$1, 1, $1
	bne	$1, 4b
	br	$31, open
