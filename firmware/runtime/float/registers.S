/* SPDX-License-Identifier: BSD-2-Clause */
/* The floating-point registers $f0 to $f31, in memory near gp, and a word for a value between two
 * instructions (tools/mcpi/firmware/floating/assembly.py). Start-up clears them; nobody writes
 * $f31. */
	.section .sbss, "aw", @nobits
	.balign	32
	.globl	mcpi_float_registers
mcpi_float_registers:
	.skip	33 * 8
