/* SPDX-License-Identifier: BSD-2-Clause */
/* Before main: the linker's --wrap=main leads start-up here. The address of the real main is kept
 * here and not in the GOT, which thus has the size it has without cloning. */
#include "boot/registers.h"
#include "clone/table.h"

	.set	noat
	.set	noreorder
	.set	nomacro

	.section .text.clone_entry, "ax", @progbits
	.globl	__wrap_main
	.balign	8
	.ent	__wrap_main
__wrap_main:
	.frame	sp, 16, ra
	lda	sp, -16(sp)
	stq	ra, 0(sp)
	bsr	ra, clone_boot		!samegp
	ldq	ra, 0(sp)
	lda	sp, 16(sp)
	br	pv, 1f			/* pv: the quad behind it */
	.quad	__real_main
1:	ldq	pv, 0(pv)
	jmp	zero, (pv)
	.end	__wrap_main

	/* Filled in after the link. */
	.section .clone_table, "a", @progbits
	.globl	clone_table
	.balign	8
clone_table:
	.skip	CLONE_TABLE_BYTES
