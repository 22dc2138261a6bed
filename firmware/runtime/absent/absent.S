/* SPDX-License-Identifier: BSD-2-Clause */
/* The other end of the wire, when a program runs alone: says that it is done, and stops. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.file	"absent.S" /* or the linker names its object, and so the options of its build */
	.set	noat
	.set	noreorder

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	.prologue 0
	lda	a0, CSERVE_EXIT(zero)
	bis	zero, zero, a1
	call_pal PAL_CSERVE
	call_pal PAL_HALT
	.end	_start
