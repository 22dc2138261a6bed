// SPDX-License-Identifier: BSD-2-Clause
// Three blocks 2 MB apart take turns in one set of the b-cache (and of the D-cache). In a turn: a
// load of the block written last, which is there; a load of the second, which displaces it, dirty,
// and a write to it, a hit; a load of the third, which displaces that, dirty; a write to the
// first, a miss. The first eight turns warm the I-cache; the next eight are in window 1, from
// `open` to `close`.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start, open, close
_start:
	lda	$16, 1($31)
	sll	$16, 21, $19	// 2 MB
	lda	$2, -4($31)
	sll	$2, 40, $2
	addq	$19, $2, $16	// in KSEG
	addq	$16, $19, $17
	addq	$17, $19, $18
	lda	$21, 1($31)	// times before the window
	lda	$4, 8($31)
	br	$31, turn
	.balign 32
open:	lda	$4, 8($31)
turn:	ldq	$1, 0($16)
	ldq	$1, 0($17)
	stq	$4, 0($17)
	mb
	ldq	$1, 0($18)
	stq	$4, 0($16)
	mb
	subq	$4, 1, $4
	bne	$4, turn
close:	subq	$21, 1, $21
	bge	$21, wait
	lda	$12, -511($31)	// exit
	sll	$12, 33, $12
	lda	$13, 0x1010($12)
	stq	$31, 0($13)
	br	$31, .
wait:	lda	$5, 30($31)	// until no fetch is under way
1:	subq	$5, 1, $5
	bne	$5, 1b
	br	$31, open
