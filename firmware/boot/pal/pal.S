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

/* The address of a system register: KSEG + 2_0000_0000 + offset. Where nothing is translated, 34
 * bits of it count. */
#if MACHINE_TRANSLATION
#define KSEG_HIGH -1024
#else
#define KSEG_HIGH 0
#endif
.macro load_system register, address
	lda	\register, KSEG_HIGH + 2(zero)
	sll	\register, 32, \register
	lda	\register, \address - SYSTEM_IDENTITY_MAGIC(\register)
.endm

/* The address of something of PALcode's own, for ordinary loads and stores. */
.macro load_own register, offset
#if MACHINE_TRANSLATION
	lda	\register, -4(zero)
	sll	\register, 40, \register
	ldah	\register, ((RAM_PAL_PHYSICAL + \offset + 0x8000) >> 16)(\register)
	lda	\register, (((RAM_PAL_PHYSICAL + \offset) & 0xffff) ^ 0x8000) - 0x8000(\register)
#else
	load32	\register, RAM_PAL_PHYSICAL + \offset
#endif
.endm

/* A control block is named by its physical address. */
#if MACHINE_TRANSLATION
#define pcb_ldq hw_ldq/p
#define pcb_stq hw_stq/p
#define pcb_ldl hw_ldl/p
#define pcb_stl hw_stl/p
#define frame_ldq hw_ldq/p	/* an interrupt's frame was pushed so */
#else
#define pcb_ldq ldq
#define pcb_stq stq
#define pcb_ldl ldl
#define pcb_stl stl
#define frame_ldq ldq
#endif

	.text
pal_base:
#include "boot/pal/traps.S"
#include "boot/pal/calls.S"
	.org	0x4000
