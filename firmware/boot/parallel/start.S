/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry of an image for several processors, in the place of boot/crt0.S: PAL reset brings all
 * of them here in one tick, in kernel mode at IPL 7, a0 = boot block (KSEG). Processor 0 clears BSS
 * and runs main. The others wait for `processors_released`, which main sets. */
#include "boot/start.inc"

#ifndef CORE_STACK_BITS
#define CORE_STACK_BITS 14	/* 16 KB for each processor; a program of one's own has more */
#endif

	.macro	own_float_registers
#ifdef MCPI_FLOAT_OF_CORES
	lda	s5, mcpi_float_registers	/* runtime/float/registers.S */
	s4subq	s2, s2, t0
	sll	t0, 7, t0		/* 384 bytes each */
	addq	s5, t0, s5
#endif
	.endm

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	find_gp
	bis	a0, a0, s1
	lda	t0, registers
	ldq	t0, 0(t0)
	ldq	s2, 0(t0)		/* which processor */
	lda	sp, stack_top
	sll	s2, CORE_STACK_BITS, t1
	subq	sp, t1, sp
	take_interrupts
	own_float_registers
	bne	s2, other
	clear_bss
	lda	s0, boot_block
	stq	s1, 0(s0)
	run_main

other:
	lda	s0, processors_released
4:	lda	t1, 100(zero)		/* about a microsecond between two looks */
5:	subq	t1, 1, t1
	bne	t1, 5b
	ldq	t0, 0(s0)
	beq	t0, 4b
	mb
	bis	s2, s2, a0
	lda	pv, processor_main
	jsr	ra, (pv), processor_main
	ldgp	gp, 0(ra)
	call_pal PAL_HALT
	.end	_start

	.section .rodata
	.balign	8
registers:
	.quad	SYSTEM_CORE_NUMBER

	boot_block_word

	.data				/* not in BSS: others look at it while that is cleared */
	.balign	128
	.globl	processors_released
processors_released:
	.quad	0
	.balign	128
