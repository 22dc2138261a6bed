/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry of an image for several processors, in the place of boot/crt0.S: PAL reset brings all
 * of them here in one tick, in kernel mode at IPL 7, a0 = boot block (KSEG). Processor 0 clears BSS
 * and runs main. The others wait for `processors_released`, which main sets. */
#include "machine.h"
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	br	pv, 1f			/* pv: where we are */
1:	ldgp	gp, 0(pv)
	bis	a0, a0, s1
	lda	t0, registers
	ldq	t0, 0(t0)
	ldq	s2, 0(t0)		/* which processor */
	lda	sp, stack_top
	sll	s2, 14, t1		/* 16 KB for each */
	subq	sp, t1, sp
	bis	gp, gp, a0
	call_pal PAL_WRKGP
	lda	a0, trap_interrupt
	bis	zero, ENTRY_INTERRUPT, a1
	call_pal PAL_WRENT
	bne	s2, other

	lda	t0, bss_start		/* both ends are 32-byte aligned */
	lda	t1, bss_end
	br	zero, 3f
2:	stq	zero, 0(t0)
	stq	zero, 8(t0)
	stq	zero, 16(t0)
	stq	zero, 24(t0)
	lda	t0, 32(t0)
3:	cmpult	t0, t1, t2
	bne	t2, 2b
	lda	s0, boot_block
	stq	s1, 0(s0)
	lda	pv, main
	jsr	ra, (pv), main
	ldgp	gp, 0(ra)
	bis	v0, v0, a1		/* main's result is the exit code */
	lda	a0, CSERVE_EXIT(zero)
	call_pal PAL_CSERVE
	call_pal PAL_HALT

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

	.section .sbss, "aw", @nobits
	.balign	8
	.globl	boot_block
boot_block:
	.skip	8

	.data				/* not in BSS: others look at it while that is cleared */
	.balign	128
	.globl	processors_released
processors_released:
	.quad	0
	.balign	128
