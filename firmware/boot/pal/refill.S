/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of a translated machine: refill of the TLBs, and what has no page or no right
 * (docs/explanation/translation.md). */

#define FLAT_BITS 26	/* of an address, that the flat table has entries for: 64 MB */
#define LEVEL_BITS 7	/* of a page number, for each of three levels; the first has what is left */
#define PTE_FOE 8

/* The PTE of the address in t0, into t0. Uses t1, and t2 if three levels are walked. */
.macro find_pte where
#if MACHINE_TLB_REFILL_PORTABLE
	hw_mtpr	t2, PT_REFILL2
	bsr	t2, walk_levels
	hw_mfpr	t2, PT_REFILL2
#else
	srl	t0, FLAT_BITS, t1
	bne	t1, \where\()_outside
	hw_mfpr	t1, PT_PTBR
	srl	t0, MACHINE_PAGE_SHIFT, t0
	s8addq	t0, t1, t0
	hw_ldq/p t0, 0(t0)
#endif
.endm

/* --- 01E0 D_FAULT: MM_CSR has ACV, FOR, FOW in bits 1 to 3; the first that is set counts --- */
	.org	0x01e0
	.globl	pal_d_fault
pal_d_fault:
	hw_mtpr	t0, PT_SAVE0
	hw_mtpr	t1, PT_SAVE1
	hw_mfpr	t0, IPR_VA
	hw_mtpr	t0, PT_FAULT_VA
	hw_mfpr	t0, IPR_MM_CSR
	and	t0, 1, t1
	hw_mtpr	t1, PT_FAULT_KIND
	srl	t0, 1, t0
	and	t0, 7, t0
	subq	zero, t0, t1
	and	t0, t1, t0		/* ACV 1, FOR 2, FOW 4 */
mm_fault:	/* t0: the code; t0, t1 of the program in PT_SAVE0, PT_SAVE1 */
	hw_mtpr	t0, PT_FAULT_CODE
	hw_mfpr	t1, PT_SAVE1
	lda	t0, CAUSE_D_FAULT(zero)
	br	zero, trap

/* --- 03E0 ITB_MISS --- */
	.org	0x03e0
	.globl	pal_itb_miss
pal_itb_miss:
	hw_mtpr	t0, PT_REFILL0
	hw_mtpr	t1, PT_REFILL1
	hw_mfpr	t0, IPR_EXC_ADDR
	hw_mtpr	t0, IPR_TB_TAG
	find_pte itb
	blbc	t0, itb_invalid
	and	t0, PTE_FOE, t1
	bne	t1, itb_foe
	hw_mtpr	t0, IPR_TB_CTL		/* the hint has the same place in both */
	hw_mtpr	t0, IPR_ITB_PTE
	hw_mfpr	t0, PT_REFILL0
	hw_mfpr	t1, PT_REFILL1
	hw_rei
itb_foe:
	lda	t0, MM_FOE(zero)
	br	zero, fetch_fault
itb_outside:
itb_invalid:
	lda	t0, MM_INVALID(zero)
fetch_fault:	/* t0: the code; t0, t1 of the program in PT_REFILL0, PT_REFILL1 */
	hw_mfpr	t1, PT_REFILL0
	hw_mtpr	t1, PT_SAVE0
	hw_mfpr	t1, PT_REFILL1
	hw_mtpr	t1, PT_SAVE1
	hw_mfpr	t1, IPR_EXC_ADDR
	hw_mtpr	t1, PT_FAULT_VA
	lda	t1, MM_FETCH(zero)
	hw_mtpr	t1, PT_FAULT_KIND
	br	zero, mm_fault

data_invalid:
data_outside:
	hw_mfpr	t1, PT_REFILL0
	hw_mtpr	t1, PT_SAVE0
	hw_mfpr	t1, PT_REFILL1
	hw_mtpr	t1, PT_SAVE1
	hw_mfpr	t1, IPR_VA
	hw_mtpr	t1, PT_FAULT_VA
	hw_mfpr	t1, IPR_MM_CSR
	and	t1, 1, t1
	hw_mtpr	t1, PT_FAULT_KIND
	lda	t0, MM_INVALID(zero)
	br	zero, mm_fault

#if MACHINE_TLB_REFILL_PORTABLE
/* Return address in t2. A table's entry is the physical address of the next, bit 0 set. */
walk_levels:
	srl	t0, MACHINE_PAGE_SHIFT + 2 * LEVEL_BITS, t1
	hw_mtpr	t2, PT_SAVE2
	hw_mfpr	t2, PT_PTBR
	s8addq	t1, t2, t1
	hw_ldq/p t1, 0(t1)
	blbc	t1, walk_ends
	srl	t0, MACHINE_PAGE_SHIFT + LEVEL_BITS, t2
	and	t2, (1 << LEVEL_BITS) - 1, t2
	s8addq	t2, t1, t2
	hw_ldq/p t1, -1(t2)
	blbc	t1, walk_ends
	srl	t0, MACHINE_PAGE_SHIFT, t2
	and	t2, (1 << LEVEL_BITS) - 1, t2
	s8addq	t2, t1, t2
	hw_ldq/p t1, -1(t2)
walk_ends:
	bis	t1, t1, t0
	hw_mfpr	t2, PT_SAVE2
	ret	zero, (t2), 1
#endif

/* --- 07E0 ITB_ACV --- */
	.org	0x07e0
	.globl	pal_itb_acv
pal_itb_acv:
	hw_mtpr	t0, PT_REFILL0
	hw_mtpr	t1, PT_REFILL1
	lda	t0, MM_ACCESS(zero)
	br	zero, fetch_fault

/* --- 08E0, 09E0 DTB_MISS, of a program and of PALcode --- */
	.org	0x08e0
	.globl	pal_dtb_miss
pal_dtb_miss:
	hw_mtpr	t0, PT_REFILL0
	hw_mtpr	t1, PT_REFILL1
	hw_mfpr	t0, IPR_VA
	hw_mtpr	t0, IPR_TB_TAG
	find_pte data
	blbc	t0, data_invalid
	hw_mtpr	t0, IPR_TB_CTL
	hw_mtpr	t0, IPR_DTB_PTE
	hw_mfpr	t0, PT_REFILL0
	hw_mfpr	t1, PT_REFILL1
	hw_rei

	trap_entry dtb_miss_pal, 0x09e0, CAUSE_D_FAULT	/* PALcode uses KSEG alone: it stops */
