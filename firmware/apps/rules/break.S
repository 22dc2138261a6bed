/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder
	.set	nomacro

#define TURNS 6			/* times 65,536 */

.macro procedure name
	.section .text.\name, "ax", @progbits
	.globl	\name
	.ent	\name
\name:
	.frame	sp, 0, ra
	.prologue 0
.endm

	procedure privileged_call
	call_pal PAL_SWPIPL
	ret	zero, (ra), 1
	.end	privileged_call

	procedure privileged_instruction
	.long	0x77ff0050		/* hw_mtpr zero, CC */
	ret	zero, (ra), 1
	.end	privileged_instruction

	procedure spin_with_stack	/* a0: sp meanwhile */
	bis	sp, sp, t0
	bis	a0, a0, sp
	ldah	t1, TURNS(zero)
1:	subq	t1, 1, t1
	bne	t1, 1b
	cmpeq	sp, a0, v0
	bis	t0, t0, sp
	ret	zero, (ra), 1
	.end	spin_with_stack
