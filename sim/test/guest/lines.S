// SPDX-License-Identifier: BSD-2-Clause
// What HIRR says while an interrupt line rises and falls: the timer's, and the LANCE's behind
// INIT. CALL_PAL 86 (test_exact_lines.py) reads it tick by tick until a bit is a2, and counts.
// Each count goes to the console, lowest byte first.
#include "lance.S"

	.set noat
	.set noreorder
	.arch ev4
	ROUNDS = 24
	.text
	.globl _start
_start:	card
	lda	$12, -511($31)
	sll	$12, 33, $12	// system registers
	lda	$14, 0x2000($12)	// timer
	lda	$12, 0x1000($12)	// console
	dma_on
	lda	$1, 0x100($31)
	stl	$1, 0x120($24)	// SIMR: the LANCE's line
	lda	$1, 3($31)	// initialisation block at 0: MODE: DRX, DTX
	stl	$1, 0($27)
	stq	$31, 8($27)
	stq	$31, 16($27)
	stq	$31, 24($27)
	stq	$31, 32($27)
	stq	$31, 40($27)
	mb
	lda	$1, 4($31)
	bsr	$23, csr0	// STOP
	lda	$1, 1($31)	// CSR1 and CSR2: 0
	bsr	$23, zero
	lda	$1, 2($31)
	bsr	$23, zero
	lda	$1, 1($31)
	stq	$1, 0x10($14)	// timer on
	lda	$15, ROUNDS($31)
round:	lda	$1, 0x41($31)
	bsr	$23, csr0	// INEA, INIT
	bsr	$22, later
	bis	$31, 1, $17
	bis	$31, 1, $18
	call_pal 0x86		// until the LANCE's line is up
	bsr	$22, put
	ldah	$1, 1($31)
	lda	$1, 0x140-0x10000($1)	// clear IDON
	stl	$1, 0($25)
	bis	$31, $31, $18
	call_pal 0x86
	bsr	$22, put
	lda	$1, 4($31)
	bsr	$23, csr0	// STOP
	subq	$15, 1, $15
	bne	$15, round
	lda	$15, ROUNDS/3($31)
2:	bsr	$22, later
	bis	$31, 4, $17
	bis	$31, 4, $18
	call_pal 0x86		// until the timer's is up
	bsr	$22, put
	stq	$31, 8($14)	// acknowledge
	bis	$31, $31, $18
	call_pal 0x86
	bsr	$22, put
	subq	$15, 1, $15
	bne	$15, 2b
	stq	$31, 0x10($12)
	br	$31, .

	calls
later:	bis	$15, $15, $2	// the rounds differ by a tick more than the loop
4:	subq	$2, 1, $2
	bne	$2, 4b
	ret	$31, ($22), 1
put:	lda	$10, 4($31)
3:	stq	$0, 0($12)
	srl	$0, 8, $0
	subq	$10, 1, $10
	bne	$10, 3b
	ret	$31, ($22), 1
