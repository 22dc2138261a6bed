// SPDX-License-Identifier: BSD-2-Clause
// For guests that drive the LANCE. $27: what the chip sees; $25: RDP, and RAP 4 on; $24: registers
// of the IOASIC.

	.macro	card
	lda	$28, -4($31)
	sll	$28, 40, $28	// KSEG
	ldah	$27, 2($28)
	lda	$26, 15($31)
	sll	$26, 29, $26	// 1 e000 0000: the IOASIC
	ldah	$25, 12($26)
	ldah	$24, 4($26)
	.endm

	.macro	dma_on		// from 20000 on; out of reset
	ldah	$1, 0x10($31)
	stl	$1, 0x20($24)	// DMA pointer
	ldah	$1, 1($31)
	lda	$1, 0x100($1)
	stl	$1, 0x100($24)	// SSR
	.endm

	.macro	calls		// by $23: csr0 writes $1 there, zero writes 0 into CSR $1
csr0:	stl	$31, 4($25)
	stl	$1, 0($25)
	mb
	ret	$31, ($23), 1
zero:	stl	$1, 4($25)
	stl	$31, 0($25)
	mb
	ret	$31, ($23), 1
	.endm
