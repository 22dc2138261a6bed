/* SPDX-License-Identifier: BSD-2-Clause */
/* What guests share that run in PAL mode from reset on, without PALcode or kernel. They keep the
 * system registers' base in $1 and the console's in $3. */
	.set	noat
	.set	noreorder
	.macro	mtpr reg, ipr	/* HW_MTPR to an Ibox register */
	.long	0x74000020 | \reg << 21 | \reg << 16 | \ipr
	.endm

	.macro	stop		/* exit code 0, halt */
	lda	$2, 0($31)
	stq	$2, 0x1010($1)
	mtpr	31, 0x1e
9:	br	$31, 9b
	.endm

	.macro	put_routine	/* bsr $26, put: $2 to the console, eight bytes, lowest first */
put:	lda	$10, 8($31)
9:	stq	$2, 0($3)
	srl	$2, 8, $2
	subq	$10, 1, $10
	bne	$10, 9b
	ret	$31, ($26), 1
	.endm
