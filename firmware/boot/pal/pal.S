/* SPDX-License-Identifier: BSD-2-Clause */
/* Our PALcode (palcode.md): EV4 entry offsets, OSF/1 calling conventions, kernel mode only.
 *
 * One section, placed by .org; PAL mode fetches it by physical address, so all is pc-relative.
 * Integer registers belong to the interrupted program: an entry uses only those its convention
 * gives it, or saves them in a PAL_TEMP or on the kernel stack first. */
#include "machine.h"
#include "boot/palcode.h"
#include "boot/registers.h"
#include "boot/pal/ipr.h"

	.set	noat
	.set	noreorder
	.set	nomacro

/* A 32-bit constant, sign-extended. */
.macro load32 register, value
	ldah	\register, (((((\value) + 0x8000) >> 16) & 0xffff) ^ 0x8000) - 0x8000(zero)
	lda	\register, (((\value) & 0xffff) ^ 0x8000) - 0x8000(\register)
.endm

/* The address of a system register: KSEG + 2_0000_0000 + offset; 34 bits of it count. */
.macro load_system register, address
	lda	\register, 2(zero)
	sll	\register, 32, \register
	lda	\register, \address - SYSTEM_IDENTITY_MAGIC(\register)
.endm

	.text
pal_base:
#include "boot/pal/traps.S"
#include "boot/pal/calls.S"
	.org	0x4000
