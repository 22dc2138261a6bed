// SPDX-License-Identifier: BSD-2-Clause
// Lock pairs under DMA: node 0 sends frames, node 1 receives them and changes each block of its
// buffer by LDQ_L and STQ_C until DMA has written there, then the next. Every other pair has a
// store to another block in it. In the end node 1 writes to the console how many STQ_C failed, two
// bytes. Window 1 lasts from `open` to `close`, behind the first of two pairs: it cuts the write
// short.
#include "lance.S"

	.set noat
	.set noreorder
	.arch ev4
	FRAMES = 3
	BYTES = 800		// of a frame
	RECEIVE = 0x20		// chip addresses: the two rings of one entry, the buffers
	TRANSMIT = 0x28
	RECEIVED = 0x400
	SENT = 0x4000
	.text
	.globl _start, open, close
_start:	ldq	$15, 0x10($16)	// role
	card
	dma_on
	lda	$1, 4($31)
	bsr	$23, csr0	// STOP
	// initialisation block at 0, a word a longword
	ldah	$1, 1($31)
	lda	$1, -0x8000($1)
	stl	$1, 0($27)	// MODE: every frame
	lda	$1, 0x1000($31)
	stl	$1, 4($27)
	stl	$31, 8($27)
	stl	$15, 12($27)
	stq	$31, 16($27)
	stq	$31, 24($27)
	lda	$1, RECEIVE($31)
	stl	$1, 32($27)
	stl	$31, 36($27)
	lda	$1, TRANSMIT($31)
	stl	$1, 40($27)
	stl	$31, 44($27)
	lda	$20, 2*RECEIVE($27)
	lda	$21, 2*TRANSMIT($27)
	stl	$31, 4($20)
	stl	$31, 4($21)
	mb
	lda	$1, 1($31)	// CSR1 and CSR2: 0
	bsr	$23, zero
	lda	$1, 2($31)
	bsr	$23, zero
	lda	$1, 3($31)
	bsr	$23, zero
	lda	$1, 1($31)
	bsr	$23, csr0	// INIT
1:	ldl	$2, 0($25)
	and	$2, 0xff, $3
	srl	$2, 8, $2
	blbc	$2, 1b		// IDON
	lda	$1, 2($31)
	bsr	$23, csr0	// STRT
	lda	$22, FRAMES($31)
	lda	$19, 0($31)	// STQ_C that failed
	bne	$15, receiver

	// The sender: a buffer of ones, then frame after frame.
	ldah	$9, 1($27)
	lda	$9, 2*SENT-0x10000($9)
	lda	$2, BYTES/16+1($31)
	lda	$1, -1($31)
1:	stq	$1, 0($9)
	stq	$1, 8($9)
	lda	$9, 32($9)
	subq	$2, 1, $2
	bne	$2, 1b
send:	lda	$2, 0x1000($31)	// node 1 has its buffer ready by then
1:	subq	$2, 1, $2
	bne	$2, 1b
	lda	$1, SENT($31)
	stl	$1, 0($21)
	lda	$1, -BYTES($31)
	stl	$1, 8($21)
	stl	$31, 12($21)
	ldah	$1, 1($31)
	lda	$1, -0x7d00($1)
	stl	$1, 4($21)	// OWN, STP, ENP
	mb
	lda	$1, 8($31)
	stl	$1, 0($25)	// TDMD
	mb
1:	ldl	$1, 4($21)
	srl	$1, 15, $1
	blbs	$1, 1b
	subq	$22, 1, $22
	bne	$22, send
	br	$31, exit

receiver:
	ldah	$10, 1($27)
	lda	$11, 2*RECEIVED($27)
again:	lda	$2, BYTES/16($31)
	bis	$11, $11, $9
1:	stq	$31, 0($9)
	lda	$9, 32($9)
	subq	$2, 1, $2
	bne	$2, 1b
	lda	$1, RECEIVED($31)
	stl	$1, 0($20)
	lda	$1, -2048($31)
	stl	$1, 8($20)
	stl	$31, 12($20)
	ldah	$1, 1($31)
	lda	$1, -0x8000($1)
	stl	$1, 4($20)	// OWN
	mb
	lda	$2, BYTES/16($31)
	bis	$11, $11, $9
open:	ldq_l	$1, 0($9)
	bis	$1, $1, $3
	stq_c	$3, 0($9)
close:	xor	$3, 1, $3
	addq	$19, $3, $19
	ldq_l	$4, 0($9)
	stq	$2, 0($10)
	bis	$4, $4, $3
	stq_c	$3, 0($9)
	xor	$3, 1, $3
	addq	$19, $3, $19
	beq	$4, open
	lda	$9, 32($9)
	subq	$2, 1, $2
	bne	$2, open
1:	ldl	$1, 4($20)
	srl	$1, 15, $1
	blbs	$1, 1b
	subq	$22, 1, $22
	bne	$22, again

exit:	lda	$12, -511($31)
	sll	$12, 33, $12
	lda	$13, 0x1010($12)
	stq	$19, -0x10($13)	// console
	srl	$19, 8, $19
	stq	$19, -0x10($13)
	stq	$31, 0($13)
	br	$31, .

	calls
