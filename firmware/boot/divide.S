/* SPDX-License-Identifier: BSD-2-Clause */
/* Integer division, which Alpha lacks and GCC calls (sources/compiler.md).
 *
 * Private convention: dividend $24, divisor $25, result $27, return address $23; nothing else but
 * $28 may change. The 32-bit forms take and give sign-extended longwords. Division by zero is the
 * software trap GEN_INTDIV (-2). No floating point: schoolbook, one bit a step, starting at the
 * quotient's first bit. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder
	.set	nomacro

#define NUMERATOR t10
#define DIVISOR t11
#define RESULT pv
#define RETURN t9
#define BIT at

/* Unsigned core: NUMERATOR / DIVISOR -> quotient in RESULT, remainder in NUMERATOR. */
.macro divide_unsigned
	bis	zero, zero, RESULT
	lda	BIT, 1(zero)
	beq	DIVISOR, 8f
	/* Up: until the divisor passes the numerator or has its top bit set. */
1:	cmpult	DIVISOR, NUMERATOR, t0
	blt	DIVISOR, 2f
	beq	t0, 2f
	addq	DIVISOR, DIVISOR, DIVISOR
	addq	BIT, BIT, BIT
	br	zero, 1b
	/* Down: subtract where it goes. */
2:	cmpule	DIVISOR, NUMERATOR, t0
	subq	NUMERATOR, DIVISOR, t1
	cmovne	t0, t1, NUMERATOR
	bis	RESULT, BIT, t1
	cmovne	t0, t1, RESULT
	srl	BIT, 1, BIT
	srl	DIVISOR, 1, DIVISOR
	bne	BIT, 2b
	br	zero, 9f
8:	lda	a0, -2(zero)
	call_pal PAL_GENTRAP
9:
.endm

/* name: quad or long, signed or not, wants the quotient or the remainder */
.macro routine name, long, signed, remainder
	.section .text.\name, "ax", @progbits
	.globl	\name
	.ent	\name
\name:
	.frame	sp, 48, RETURN
	lda	sp, -48(sp)
	stq	t0, 0(sp)
	stq	t1, 8(sp)
	stq	NUMERATOR, 16(sp)
	stq	DIVISOR, 24(sp)
	.if	\signed
	stq	t2, 32(sp)
	.if	\long
	addl	NUMERATOR, zero, NUMERATOR
	addl	DIVISOR, zero, DIVISOR
	.endif
	/* The sign of the result: the remainder has the numerator's. */
	.if	\remainder
	bis	NUMERATOR, NUMERATOR, t2
	.else
	xor	NUMERATOR, DIVISOR, t2
	.endif
	subq	zero, NUMERATOR, t0
	cmovlt	NUMERATOR, t0, NUMERATOR
	subq	zero, DIVISOR, t0
	cmovlt	DIVISOR, t0, DIVISOR
	.elseif	\long
	zapnot	NUMERATOR, 0x0f, NUMERATOR
	zapnot	DIVISOR, 0x0f, DIVISOR
	.endif
	divide_unsigned
	.if	\remainder
	bis	NUMERATOR, NUMERATOR, RESULT
	.endif
	.if	\signed
	subq	zero, RESULT, t0
	cmovlt	t2, t0, RESULT
	ldq	t2, 32(sp)
	.endif
	.if	\long
	addl	RESULT, zero, RESULT
	.endif
	ldq	t0, 0(sp)
	ldq	t1, 8(sp)
	ldq	NUMERATOR, 16(sp)
	ldq	DIVISOR, 24(sp)
	lda	sp, 48(sp)
	ret	zero, (RETURN), 1
	.end	\name
.endm

	routine	__divqu, 0, 0, 0
	routine	__remqu, 0, 0, 1
	routine	__divq, 0, 1, 0
	routine	__remq, 0, 1, 1
	routine	__divlu, 1, 0, 0
	routine	__remlu, 1, 0, 1
	routine	__divl, 1, 1, 0
	routine	__reml, 1, 1, 1
