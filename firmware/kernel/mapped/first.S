/* SPDX-License-Identifier: BSD-2-Clause */
/* With KERNEL_MAPPED = OWN_ALL the image is linked where it is physically, and all its pages are
 * mapped. PALcode enters it in KSEG, by way of this file. */
#include "boot/palcode.h"
#include "boot/registers.h"
#include "kernel/mapped/own.h"
#include "machine.h"

#if KERNEL_MAPPED == OWN_ALL
#define SLOT_BITS 24		/* tables.h */
#define PTE 0x1111		/* KWE, KRE, ASM, V */

	.set	noat
	.set	noreorder

	.section .text.first, "ax", @progbits
	.globl	kernel_first
	.ent	kernel_first
kernel_first:			/* a0: boot block */
	.frame	sp, 0, ra
	br	pv, 1f			/* pv: where we are, in KSEG */
1:	ldgp	gp, 0(pv)
	lda	t9, -4(zero)
	sll	t9, 40, t9		/* KSEG */
	bis	a0, a0, s1

	/* Page 0 stays nobody's. */
	lda	t0, first_table
	bis	t0, t9, t0
	ldq	t0, 0(t0)
	bis	t0, t9, t1
	stq	zero, 0(t1)
	lda	t2, 1(zero)
	lda	t3, PTE(zero)
	lda	t4, 1(zero)
	sll	t4, SLOT_BITS - MACHINE_PAGE_SHIFT, t4
2:	lda	t1, 8(t1)
	sll	t2, 32, t5
	bis	t5, t3, t5
	stq	t5, 0(t1)
	lda	t2, 1(t2)
	cmpult	t2, t4, t5
	bne	t5, 2b

	lda	a0, first_block
	bis	a0, t9, t1
	srl	t0, MACHINE_PAGE_SHIFT, t0
	stq	zero, PCB_KSP(t1)
	stq	zero, PCB_USP(t1)
	stq	t0, PCB_PTBR(t1)
	stq	zero, PCB_PCC(t1)	/* and PCB_ASN */
	stq	zero, PCB_UNIQUE(t1)
	call_pal PAL_SWPCTX
	bis	s1, s1, a0
	lda	pv, _start
	jmp	zero, (pv)
	.end	kernel_first

	.section .noinit, "aw", @nobits
	.balign	PCB_SIZE
first_block:
	.skip	PCB_SIZE
#endif
