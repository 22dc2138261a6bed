/* SPDX-License-Identifier: BSD-2-Clause */
/* In PAL mode from reset on: a load from a TURBOchannel slot that is empty. The machine check puts
 * bus_error and bus_error_address on the console, eight bytes each, lowest first, clears them, and
 * puts the first once more. */
	.set	noat
	.set	noreorder
	.macro	mtpr reg, ipr	/* HW_MTPR to an Ibox register */
	.long	0x74000020 | \reg << 21 | \reg << 16 | \ipr
	.endm

	br	$31, main
	.org	0x20
	br	$31, mchk		/* PAL_BASE + 20 */
	.org	0x3b00			/* behind every entry */
main:	lda	$1, 2($31)
	sll	$1, 32, $1		/* system registers */
	lda	$3, 0x1000($1)		/* console */
	lda	$7, 0x3000($1)
	lda	$6, 0x14($31)		/* slot 2, dense half */
	sll	$6, 28, $6
	ldl	$2, 0x18($6)
	mb
1:	br	$31, 1b			/* the check comes from here */

mchk:	ldq	$2, 8($7)
	bsr	$26, put
	ldq	$2, 16($7)
	bsr	$26, put
	stq	$31, 8($7)
	ldq	$2, 8($7)
	bsr	$26, put
	lda	$2, 0($31)
	stq	$2, 0x1010($1)		/* exit */
	mtpr	31, 0x1e		/* halt */
2:	br	$31, 2b

put:	lda	$10, 8($31)
3:	stq	$2, 0($3)
	srl	$2, 8, $2
	subq	$10, 1, $10
	bne	$10, 3b
	ret	$31, ($26), 1
