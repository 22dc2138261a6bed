/* SPDX-License-Identifier: BSD-2-Clause */
/* The floating-point registers $f0 to $f31, in memory near gp, and a word for a value between two
 * instructions (tools/mcpi/firmware/floating/assembly.py). Start-up clears them; nobody writes
 * $f31. */
#ifdef MCPI_FLOAT_OF_CORES
	.bss				/* of eight cores, each in blocks of its own; their $14 is there */
	.balign	128
	.globl	mcpi_float_registers
mcpi_float_registers:
	.skip	8 * 384
#else
	.section .sbss, "aw", @nobits
	.balign	32
	.globl	mcpi_float_registers
mcpi_float_registers:
	.skip	33 * 8
#endif
