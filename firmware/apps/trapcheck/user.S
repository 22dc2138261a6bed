/* SPDX-License-Identifier: BSD-2-Clause */
/* The program in user mode. It ends with system call LEAVE and the number of the check that failed,
 * or 0. s0 is the number; sp is misaligned on purpose, and gp is its own. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder
	.set	nomacro

#define CALL_ADD 1
#define CALL_LEAVE 2
#define CALL_TIMER 3

.macro check register		/* not zero, or out */
	lda	s0, 1(s0)
	beq	\register, fail
.endm
.macro same register, value
	subq	\register, \value, t0
	cmpeq	t0, zero, t0
	check	t0
.endm

	.text
	.globl	user_program
	.ent	user_program
user_program:
	.frame	sp, 0, ra
	.prologue 0
	bis	zero, zero, s0
	bis	sp, sp, s1
	lda	gp, 0x1234(zero)
	/* A system call: arguments and number arrive, the result comes back, nothing else changes. */
	lda	v0, CALL_ADD(zero)
	lda	a0, 40(zero)
	lda	a1, 2(zero)
	call_pal PAL_CALLSYS
	lda	t1, 42(zero)
	same	v0, t1
	same	sp, s1
	lda	t1, 0x1234(zero)
	same	gp, t1
	/* Privileged calls and PAL instructions are faults; v0 is the handler's count. */
	bis	zero, zero, v0
	call_pal PAL_RDPS
	call_pal PAL_SWPIPL
	call_pal PAL_HALT
	.long	0x64010024		/* HW_MFPR t0, EXC_ADDR */
	.long	0x7bff8000		/* HW_REI */
	lda	t1, 5(zero)
	same	v0, t1
	/* Traps come back with everything in place. */
	lda	sp, -8(sp)
	bis	sp, sp, s1
	lda	t1, 77(zero)
	lda	t8, 78(zero)
	lda	a0, 79(zero)
	lda	a2, 80(zero)
	lda	t2, -1(zero)
	srl	t2, 1, t2
	addq/v	t2, 1, t3
	call_pal PAL_BPT
	lda	t4, 1(zero)
	sll	t4, 63, t4
	same	t3, t4
	same	t1, 77
	same	t8, 78
	same	a0, 79
	same	a2, 80
	same	sp, s1
	lda	t4, 0x1234(zero)
	same	gp, t4
	/* Calls that everybody may make. */
	lda	a0, 0x55(zero)
	call_pal PAL_WRUNIQ
	call_pal PAL_RDUNIQ
	same	v0, 0x55
	call_pal PAL_IMB
	/* Interrupts: two of the timer while we count; no register suffers. */
	lda	v0, CALL_TIMER(zero)	/* a pointer to the kernel's counter of them */
	call_pal PAL_CALLSYS
	bis	v0, v0, s2
	ldq	s3, 0(s2)
	lda	t1, 177(zero)
	lda	t8, 178(zero)
	lda	a0, 179(zero)
	lda	a1, 180(zero)
	lda	a2, 181(zero)
1:	ldq	t2, 0(s2)
	subq	t2, s3, t2
	cmpult	t2, 2, t2
	bne	t2, 1b
	same	t1, 177
	same	t8, 178
	same	a0, 179
	same	a1, 180
	same	a2, 181
	same	sp, s1
	lda	t4, 0x1234(zero)
	same	gp, t4
	bis	zero, zero, s0
fail:
	bis	s0, s0, a0
	lda	v0, CALL_LEAVE(zero)
	call_pal PAL_CALLSYS
	.end	user_program
