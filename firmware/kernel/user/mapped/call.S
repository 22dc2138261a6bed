/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's side of the gate: its first instruction, and the system call. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

/* Each thread begins here: a0 its argument, a1 its function. Its return is exit(0). The word in
 * front is what the kernel reads of a program before it starts it. */
	.section .text.start, "ax", @progbits
	.balign	8
	.quad	user_program		/* struct program; the linker is told which */
	.globl	user_start_thread
	.ent	user_start_thread
user_start_thread:
	.frame	sp, 0, ra
	br	pv, 1f			/* pv: where we are */
1:	ldgp	gp, 0(pv)
	bis	a1, a1, pv
	jsr	ra, (pv)
	ldgp	gp, 0(ra)
	bis	zero, zero, a0		/* CALL_EXIT */
	bis	zero, zero, a1
	call_pal PAL_CALLSYS
	call_pal PAL_BUGCHK		/* it does not return */
	.end	user_start_thread

/* user_call(number, a0, …, a4): all six stay in their registers. */
	.section .text.user_call, "ax", @progbits
	.globl	user_call
	.ent	user_call
user_call:
	.frame	sp, 0, ra
	.prologue 0
	call_pal PAL_CALLSYS
	ret	zero, (ra), 1
	.end	user_call
