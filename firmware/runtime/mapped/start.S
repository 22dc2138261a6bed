/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry of a program on a machine with TLBs, in the place of boot/crt0.S. The image is linked
 * where it is physically. PALcode enters it in KSEG; from `mapped` on each page of code and data
 * wants a TLB entry. The stack stays in KSEG: PALcode pushes frames of interrupts there. */
#include "boot/start.inc"
#include "boot/mapped.inc"

#define MAPPED_BITS 26		/* of an address, that PALcode's tables have entries for: 64 MB */
#define LEVEL_BITS 7		/* boot/pal/refill.S */
#define TOP 256
#define PAGES (1 << (MAPPED_BITS - MACHINE_PAGE_SHIFT))

	.section .text.start, "ax", @progbits
	.globl	_start
	.ent	_start
_start:
	.frame	sp, 0, ra
	find_gp
	kseg	t9
	bis	a0, a0, s1

	lda	t0, pages
	map_pages MAPPED_BITS
#if MACHINE_TLB_REFILL_PORTABLE
	lda	t1, middle		/* an entry for each 128 pages, then for none */
	bis	t1, t9, t1
	lda	t5, 1(t0)
	lda	t2, PAGES >> LEVEL_BITS(zero)
2:	stq	t5, 0(t1)
	lda	t5, 8 << LEVEL_BITS(t5)
	lda	t1, 8(t1)
	subq	t2, 1, t2
	bne	t2, 2b
	lda	t2, middle_end
	bis	t2, t9, t2
	br	zero, 4f
3:	stq	zero, 0(t1)
	lda	t1, 8(t1)
4:	cmpult	t1, t2, t5
	bne	t5, 3b
	lda	t0, top
	bis	t0, t9, t1
	lda	t5, middle
	lda	t5, 1(t5)
	lda	t2, TOP(zero)
5:	stq	t5, 0(t1)
	bis	zero, zero, t5
	lda	t1, 8(t1)
	subq	t2, 1, t2
	bne	t2, 5b
#endif

	take_pages block
	lda	pv, mapped
	jmp	zero, (pv)

mapped:
	ldgp	gp, 0(pv)
	kseg	t9
	lda	sp, stack_top
	bis	sp, t9, sp
	lda	s0, boot_block
	clear_bss
	stq	s1, 0(s0)
	take_interrupts
	bis	s1, s1, a0
	run_main
	.end	_start

	boot_block_word

	.section .noinit, "aw", @nobits
	.balign	1 << MACHINE_PAGE_SHIFT
pages:
	.skip	8 * PAGES
#if MACHINE_TLB_REFILL_PORTABLE
	.balign	1 << MACHINE_PAGE_SHIFT
top:
	.skip	8 * TOP
	.balign	1 << MACHINE_PAGE_SHIFT
middle:
	.skip	8 << LEVEL_BITS
middle_end:
#endif
	.balign	PCB_SIZE
block:
	.skip	PCB_SIZE
