/* SPDX-License-Identifier: BSD-2-Clause */
/* Address spaces: what SWPCTX and TBI do to TLBs and I-cache (palcode.md). */

new_space:	/* a0: control block; return address in t11. Uses t8 to t10. */
	pcb_ldq	t9, PCB_PTBR(a0)
	sll	t9, MACHINE_PAGE_SHIFT, t9
	hw_mtpr	t9, PT_PTBR
	pcb_ldl	t9, PCB_ASN(a0)
	and	t9, 63, t9
	sll	t9, 47, t9
	hw_mfpr	t10, IPR_ICCSR
	lda	t8, 63(zero)
	sll	t8, 47, t8
	bic	t10, t8, t10
	bis	t10, t9, t10
	hw_mtpr	t10, IPR_ICCSR
#if !MACHINE_ASN
	hw_mtpr	zero, IPR_TBASM		/* what is left is of another space */
	hw_mtpr	zero, IPR_FLUSH_IC_ASM
#endif
	ret	zero, (t11), 1

tbi:	/* a0: what, a1: an address */
	subq	a0, TBI_INSTRUCTION, t8
	beq	t8, 1f
	subq	a0, TBI_DATA, t8
	beq	t8, 2f
	subq	a0, TBI_BOTH, t8
	beq	t8, 3f
	addq	a0, -(TBI_SPACES), t8
	beq	t8, 4f
	hw_mtpr	zero, IPR_TBZAP
	hw_mtpr	zero, IPR_FLUSH_IC
	hw_rei
1:	hw_mtpr	a1, IPR_ITBIS
	hw_mtpr	zero, IPR_FLUSH_IC
	hw_rei
2:	hw_mtpr	a1, IPR_DTBIS
	hw_rei
3:	hw_mtpr	a1, IPR_TBIS
	hw_mtpr	zero, IPR_FLUSH_IC
	hw_rei
4:	hw_mtpr	zero, IPR_TBASM
	hw_mtpr	zero, IPR_FLUSH_IC_ASM
	hw_rei

prefill:	/* a0: an address. Its page gets an entry of the DTB, if the table has it */
	srl	a0, 34, t8
	bne	t8, 1f			/* not mapped */
	hw_mtpr	t1, PT_SAVE1
	bis	a0, a0, t0
	hw_mtpr	a0, IPR_DTBIS		/* never two of one page */
	hw_mtpr	a0, IPR_TB_TAG
	find_pte prefill
	blbc	t0, prefill_outside
	hw_mtpr	t0, IPR_TB_CTL
	hw_mtpr	t0, IPR_DTB_PTE
prefill_outside:
	hw_mfpr	t1, PT_SAVE1
1:	hw_rei
