/* SPDX-License-Identifier: BSD-2-Clause */
/* In PAL mode from reset on: a load from a TURBOchannel slot that is empty. The machine check puts
 * bus_error and bus_error_address on the console, eight bytes each, lowest first, clears them, and
 * puts the first once more. */
	.include "bare.S"

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
	stop

	put_routine
