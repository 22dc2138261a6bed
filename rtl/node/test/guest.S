/* SPDX-License-Identifier: BSD-2-Clause */
/* A little of everything the node has, in PAL mode from reset on (0x10000); each
 * result goes to the console as eight bytes, lowest first. */
	.include "bare.S"

	lda	$1, 2($31)
	sll	$1, 32, $1		/* system registers */
	lda	$9, 2($31)
	sll	$9, 16, $9		/* data */
	lda	$3, 0x1000($1)		/* console */
	ldq	$2, 0x00($1)		/* identity: magic, RTL, machine, node */
	bsr	$26, put
	ldq	$2, 0x08($1)
	bsr	$26, put
	ldq	$2, 0x18($1)
	bsr	$26, put
	ldl	$2, 0x04($1)		/* upper longword of the magic */
	bsr	$26, put

	ldq	$2, 8($3)
	bsr	$26, put

	lda	$5, 0x2000($1)		/* timer: enable, wait, acknowledge */
	lda	$2, 1($31)
	stq	$2, 0x10($5)
	mb
	lda	$2, 4($31)
	mtpr	2, 0x1f
	ldq	$2, 0($5)
	bsr	$26, put
	lda	$7, 0x3000($1)
	ldq	$2, 0($7)
	bsr	$26, put
	stq	$31, 8($5)
	ldq	$2, 0($7)
	bsr	$26, put
	lda	$2, 4($31)
	mtpr	2, 0x1f			/* the second interrupt comes one period later */
	ldq	$2, 0($5)
	bsr	$26, put

	lda	$6, 0x1f($31)		/* slot 7, sparse half: station ROM, first byte */
	sll	$6, 28, $6
	ldah	$7, 0x10($6)
	ldl	$2, 0($7)
	bsr	$26, put

	lda	$4, 200($31)		/* loads and stores all over 100 KB */
	bis	$9, $9, $8
2:	ldq	$2, 0x1000($8)
	addq	$2, 1, $2
	stq	$2, 0x1000($8)
	lda	$8, 520($8)
	subq	$4, 1, $4
	bne	$4, 2b

	mb
	stop

	put_routine
