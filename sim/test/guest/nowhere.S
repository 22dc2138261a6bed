// SPDX-License-Identifier: BSD-2-Clause
// DMA to where no memory is. A frame is sent; while it is on the wire the window moves beyond
// memory, so that its status goes there. Then INIT reads there. Both times bus_error and its
// address go to the console, eight bytes each, lowest first; the second time CSR0 and SIR before.
#include "lance.S"

	.set noat
	.set noreorder
	.arch ev4
	TRANSMIT = 0x28		// chip addresses: the ring of one entry, the buffer
	SENT = 0x4000
	BYTES = 64
	.text
	.globl _start
_start:	card
	lda	$12, -511($31)
	sll	$12, 33, $12	// system registers
	lda	$11, 0x3000($12)
	lda	$12, 0x1000($12)	// console
	dma_on
	lda	$1, 4($31)
	bsr	$23, csr0	// STOP
	// initialisation block at 0, a word a longword
	lda	$1, 1($31)
	stl	$1, 0($27)	// MODE: DRX
	stl	$31, 4($27)
	stq	$31, 8($27)
	stq	$31, 16($27)
	stq	$31, 24($27)
	stq	$31, 32($27)
	lda	$1, TRANSMIT($31)
	stl	$1, 40($27)
	stl	$31, 44($27)
	lda	$21, 2*TRANSMIT($27)
	lda	$1, SENT($31)
	stl	$1, 0($21)
	lda	$1, -BYTES($31)
	stl	$1, 8($21)
	ldah	$1, 1($31)
	lda	$1, -0x7d00($1)	// OWN, STP, ENP
	stl	$1, 4($21)
	mb
	lda	$1, 1($31)	// CSR1 and CSR2: 0
	bsr	$23, zero
	lda	$1, 2($31)
	bsr	$23, zero
	lda	$1, 1($31)
	bsr	$23, csr0	// INIT
1:	ldl	$2, 0($25)
	srl	$2, 8, $2
	blbc	$2, 1b		// IDON
	lda	$1, 10($31)
	bsr	$23, csr0	// STRT, TDMD
	lda	$2, 2000($31)	// some 80 us
1:	subq	$2, 1, $2
	bne	$2, 1b
	ldah	$1, -0x10($31)
	stl	$1, 0x20($24)	// DMA pointer: beyond memory
	mb
1:	ldl	$2, 0($25)
	srl	$2, 9, $2
	blbc	$2, 1b		// TINT
	bsr	$23, tell
1:	ldl	$2, 0($25)	// it has looked at the ring again
	srl	$2, 11, $3
	blbc	$3, 1b		// MERR
	lda	$1, 4($31)
	bsr	$23, csr0	// STOP
	stq	$31, 8($11)
	lda	$1, 1($31)
	bsr	$23, csr0	// INIT
1:	ldl	$2, 0($25)
	srl	$2, 11, $3
	blbc	$3, 1b		// MERR
	bsr	$22, put
	ldl	$2, 0x110($24)	// SIR
	bsr	$22, put
	bsr	$23, tell
	stq	$31, 0x10($12)
	br	$31, .

	calls
tell:	ldq	$2, 8($11)
	bsr	$22, put
	ldq	$2, 16($11)
	bsr	$22, put
	ret	$31, ($23), 1
put:	lda	$10, 8($31)
1:	stq	$2, 0($12)
	srl	$2, 8, $2
	subq	$10, 1, $10
	bne	$10, 1b
	ret	$31, ($22), 1
