/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers WRENT is given, and the way into user mode and back. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

#define SAVED_SIZE 160		/* struct frame up to PALcode's part */

.macro save operation
	\operation	v0, 0(sp)
	\operation	t0, 8(sp)
	\operation	t1, 16(sp)
	\operation	t2, 24(sp)
	\operation	t3, 32(sp)
	\operation	t4, 40(sp)
	\operation	t5, 48(sp)
	\operation	t6, 56(sp)
	\operation	t7, 64(sp)
	\operation	a3, 72(sp)
	\operation	a4, 80(sp)
	\operation	a5, 88(sp)
	\operation	t8, 96(sp)
	\operation	t9, 104(sp)
	\operation	t10, 112(sp)
	\operation	t11, 120(sp)
	\operation	ra, 128(sp)
	\operation	pv, 136(sp)
	\operation	at, 144(sp)
.endm

.macro handler name, callee
	.globl	\name
	.ent	\name
\name:
	.frame	sp, SAVED_SIZE, ra
	lda	sp, -SAVED_SIZE(sp)
	save	stq
	bis	sp, sp, a3
	lda	pv, \callee
	jsr	ra, (pv), \callee
	ldgp	gp, 0(ra)
	save	ldq
	lda	sp, SAVED_SIZE(sp)
	call_pal PAL_RTI
	.end	\name
.endm

	.text
	handler	enter_interrupt, on_interrupt
	handler	enter_arith, on_arith
	handler	enter_if, on_if
	handler	enter_una, on_una

	.globl	enter_sys
	.ent	enter_sys
enter_sys:	/* number in v0, arguments in a0 and a1; caller-saved registers are the caller's */
	.frame	sp, 0, ra
	bis	v0, v0, a2
	lda	pv, on_sys
	jsr	ra, (pv), on_sys
	ldgp	gp, 0(ra)
	call_pal PAL_RETSYS
	.end	enter_sys

	.globl	enter_user
	.ent	enter_user
enter_user:	/* a0: pc, a1: user stack */
	ldgp	gp, 0(pv)
	.frame	sp, 64, ra
	.prologue 1
	lda	sp, -64(sp)
	.irp	n, 9,10,11,12,13,14,15
	stq	$\n, 8*(\n-9)(sp)
	.endr
	stq	ra, 56(sp)
	lda	t1, kernel_sp
	stq	sp, 0(t1)
	bis	a0, a0, t1
	bis	a1, a1, a0
	call_pal PAL_WRUSP
	lda	sp, -FRAME_SIZE(sp)
	lda	t2, PS_USER(zero)
	stq	t2, FRAME_PS(sp)
	stq	t1, FRAME_PC(sp)
	stq	zero, FRAME_GP(sp)
	stq	zero, FRAME_A0(sp)
	stq	zero, FRAME_A1(sp)
	stq	zero, FRAME_A2(sp)
	call_pal PAL_RTI
	.end	enter_user

	.globl	leave_user
	.ent	leave_user
leave_user:	/* back to enter_user's caller, whatever is on the kernel stack */
	ldgp	gp, 0(pv)
	.frame	sp, 64, ra
	.prologue 1
	lda	t1, kernel_sp
	ldq	sp, 0(t1)
	.irp	n, 9,10,11,12,13,14,15
	ldq	$\n, 8*(\n-9)(sp)
	.endr
	ldq	ra, 56(sp)
	lda	sp, 64(sp)
	ret	zero, (ra), 1
	.end	leave_user

	.section .sbss, "aw", @nobits
	.balign	8
kernel_sp:
	.skip	8
