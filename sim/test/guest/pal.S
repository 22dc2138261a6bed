// SPDX-License-Identifier: BSD-2-Clause
// The least PALcode that boots a test image, counts timer interrupts and serves three calls.
// PAL_TEMP 0 keeps t0 in the interrupt entry, PAL_TEMP 1 counts interrupts.
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:				// +0000 reset
	lda	$1, 1($31)
	sll	$1, 20, $1	// image
	lda	$2, -4($31)
	sll	$2, 40, $2	// fffffc0000000000
	addq	$1, $2, $1
	br	$31, reset2
	.org 0x20
	.long 0x77ff003e	// machine check: halt ($31 to Ibox 1E)
	.org 0xe0		// interrupt: acknowledge the timer, count
	.long 0x74210080	// hw_mtpr $1, pt0
	lda	$1, 1($31)
	sll	$1, 33, $1
	lda	$1, 0x2008($1)
	stq	$31, 0($1)
	.long 0x64210081	// hw_mfpr $1, pt1
	addq	$1, 1, $1
	.long 0x74210081	// hw_mtpr $1, pt1
	.long 0x64210080	// hw_mfpr $1, pt0
	.long 0x7bff8000	// hw_rei
	.org 0x11e0
	.long 0x64000081	// unaligned: $0 = count so far, skip it
	br	$31, skip
	.org 0x13e0
	lda	$0, 0x13e($31)
skip:	.long 0x64210024	// hw_mfpr $1, exc_addr
	addq	$1, 4, $1
	.long 0x74210024	// hw_mtpr $1, exc_addr
	.long 0x7bff8000
reset2:	lda	$3, 1($31)
	sll	$3, 16, $3
	.long 0x7463002b	// hw_mtpr $3, pal_base: 10000
	.long 0x74210024	// hw_mtpr $1, exc_addr
	lda	$16, 3($31)
	sll	$16, 15, $16
	addq	$16, $2, $16	// a0: KSEG address of the boot block, 18000
	.long 0x7bff8000	// hw_rei
	.org 0x2000		// CALL_PAL HALT
	.long 0x77ff003e
	.org 0x2d40		// CALL_PAL SWPIPL (35): a0 is written to HIER here
	.long 0x76100030
	.long 0x7bff8000
	.org 0x2f80		// CALL_PAL WTINT (3E): returns the count in $0
	lda	$1, 7($31)
	.long 0x7421003f	// hw_mtpr $1, wait
	.long 0x64000081
	.long 0x7bff8000
