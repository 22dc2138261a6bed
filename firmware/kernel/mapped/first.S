/* SPDX-License-Identifier: BSD-2-Clause */
/* With KERNEL_MAPPED = OWN_ALL the image is linked where it is physically, and all its pages are
 * mapped. PALcode enters it in KSEG, by way of this file. */
#include "boot/palcode.h"
#include "boot/registers.h"
#include "kernel/mapped/own.h"
#include "machine.h"
#include "boot/mapped.inc"

#if KERNEL_MAPPED == OWN_ALL
#define SLOT_BITS 24		/* tables.h */

	.set	noat
	.set	noreorder

	.section .text.first, "ax", @progbits
	.globl	kernel_first
	.ent	kernel_first
kernel_first:			/* a0: boot block */
	.frame	sp, 0, ra
	br	pv, 1f			/* pv: where we are, in KSEG */
1:	ldgp	gp, 0(pv)
	kseg	t9
	bis	a0, a0, s1

	lda	t0, first_table
	bis	t0, t9, t0
	ldq	t0, 0(t0)
	map_pages SLOT_BITS

	take_pages first_block
	bis	s1, s1, a0
	lda	pv, _start
	jmp	zero, (pv)
	.end	kernel_first

	.section .noinit, "aw", @nobits
	.balign	PCB_SIZE
first_block:
	.skip	PCB_SIZE
#endif
