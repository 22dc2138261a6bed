/* SPDX-License-Identifier: BSD-2-Clause */
/* A Linux program for qemu-alpha: for every pair of quadwords on standard input it calls the eight
 * division routines and writes all 32 registers as each left them. Before a call register n holds n
 * times a pattern, but $24 and $25 are the operands. */
#include "boot/registers.h"

	.set	noat
	.set	noreorder

#define SYS_EXIT 1
#define SYS_READ 3
#define SYS_WRITE 4
#define CALLSYS 0x83

	.text
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	br	pv, 1f
1:	ldgp	gp, 0(pv)
	lda	sp, -512(sp)		/* 0: registers, 256: operands, 272: index, 280: gp */
	stq	gp, 280(sp)
pair:	bis	zero, zero, a0
	lda	a1, 256(sp)
	lda	a2, 16(zero)
	lda	v0, SYS_READ(zero)
	call_pal CALLSYS
	cmpeq	v0, 16, t0
	bne	t0, 1f
	bis	zero, zero, a0
	lda	v0, SYS_EXIT(zero)
	call_pal CALLSYS
1:	stq	zero, 272(sp)
call:	ldq	t0, 272(sp)
	lda	t1, routines
	s8addq	t0, t1, t1
	ldq	pv, 0(t1)
	lda	$0, 0x4321(zero)
	sll	$0, 40, $0
	lda	$0, 0x1235($0)
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,26,28,29
	mulq	$0, \n, $\n
	.endr
	bis	zero, zero, $0
	ldq	$24, 256(sp)
	ldq	$25, 264(sp)
	jsr	$23, (pv)
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	stq	$\n, 8*\n(sp)
	.endr
	stq	zero, 248(sp)
	ldq	gp, 280(sp)
	lda	a0, 1(zero)
	bis	sp, sp, a1
	lda	a2, 256(zero)
	lda	v0, SYS_WRITE(zero)
	call_pal CALLSYS
	ldq	t0, 272(sp)
	lda	t0, 1(t0)
	stq	t0, 272(sp)
	cmpeq	t0, 8, t1
	beq	t1, call
	br	zero, pair
	.end	_start

	.data
	.balign	8
routines:
	.quad	__divqu, __remqu, __divq, __remq, __divlu, __remlu, __divl, __reml
