/* SPDX-License-Identifier: BSD-2-Clause */
/* Reset, interrupts and traps: entered by hardware at PAL_BASE + offset (sources/ev4.md 1.4). */

/* --- 0000 RESET --- */
	.org	0x0000
	.globl	pal_reset
pal_reset:
	br	zero, reset

.macro trap_entry name, offset, cause, to=trap
	.org	\offset
	.globl	pal_\name
pal_\name:
	hw_mtpr	t0, PT_SAVE0
	lda	t0, \cause(zero)
	br	zero, \to
.endm

	trap_entry mchk, 0x0020, CAUSE_MCHK
	trap_entry arith, 0x0060, CAUSE_ARITH

/* --- 00E0 INTERRUPT: HIRR & HIER is not zero --- */
	.org	0x00e0
	.globl	pal_interrupt
pal_interrupt:
#if MACHINE_TRANSLATION
	hw_mtpr	a0, PT_SAVE0		/* a user's sp says nothing about physical memory */
	hw_mfpr	a0, PT_PS
	and	a0, PS_USER, a0
	bne	a0, interrupt_in_user_mode
interrupt_push:
	hw_mfpr	a0, PT_SAVE0
#endif
	/* Push the frame: then a0-a2 and gp are ours. HW_ST, for a user's sp may be anything. */
	lda	sp, -FRAME_SIZE(sp)
	hw_stq/p a0, FRAME_A0(sp)
	hw_stq/p a1, FRAME_A1(sp)
	hw_stq/p a2, FRAME_A2(sp)
	hw_stq/p gp, FRAME_GP(sp)
	hw_mfpr	a0, IPR_EXC_ADDR
	hw_mfpr	a1, PT_PS
	hw_mfpr	a2, IPR_HIRR
	hw_mfpr	gp, IPR_HIER
	hw_stq/p a0, FRAME_PC(sp)
	hw_stq/p a1, FRAME_PS(sp)
	and	a2, gp, a2
	hw_mfpr	gp, PT_HIER_TABLE
	/* The highest level first. */
	and	a2, INTERRUPT_TIMER, a0
	bne	a0, interrupt_timer
	lda	a0, TYPE_DEVICE(zero)
	and	a2, INTERRUPT_CONSOLE, a1
	bne	a1, interrupt_console
	and	a2, INTERRUPT_TURBOCHANNEL, a1
	beq	a1, interrupt_withdrawn
	lda	a2, INTERRUPT_TURBOCHANNEL_IPL(zero)
	lda	a1, INTERRUPT_TURBOCHANNEL_BIT(zero)
interrupt_deliver:	/* a0 type, a1 source bit, a2 new level, gp the HIER table */
	extbl	gp, a2, gp
	hw_mtpr	gp, IPR_HIER
	hw_mfpr	gp, PT_ENTRY_INTERRUPT
	hw_mtpr	a2, PT_PS
	beq	gp, interrupt_user
	hw_mtpr	gp, IPR_EXC_ADDR
	hw_mfpr	gp, PT_KGP
	hw_rei
interrupt_timer:
	lda	a0, TYPE_CLOCK(zero)
	lda	a1, INTERRUPT_TIMER_BIT(zero)
	lda	a2, INTERRUPT_TIMER_IPL(zero)
	br	zero, interrupt_deliver
interrupt_console:
	lda	a1, INTERRUPT_CONSOLE_BIT(zero)
	lda	a2, INTERRUPT_CONSOLE_IPL(zero)
	br	zero, interrupt_deliver
interrupt_withdrawn:	/* the source let go before we looked: as if nothing had been */
#if MACHINE_TRANSLATION
	br	zero, pal_rti
#endif
	hw_ldq/p gp, FRAME_GP(sp)
	hw_ldq/p a0, FRAME_A0(sp)
	hw_ldq/p a1, FRAME_A1(sp)
	hw_ldq/p a2, FRAME_A2(sp)
	lda	sp, FRAME_SIZE(sp)
	hw_rei

#if MACHINE_TRANSLATION
#include "boot/pal/refill.S"
	.org	0x0a00
#include "boot/pal/space.S"
#else
	trap_entry d_fault, 0x01e0, CAUSE_D_FAULT, stop	/* never: nothing is translated */

	.org	0x0200
#endif
#include "boot/pal/deliver.S"
#include "boot/pal/process.S"

	trap_entry unalign, 0x11e0, CAUSE_UNALIGN
	trap_entry opcdec, 0x13e0, CAUSE_OPCDEC
	trap_entry fen, 0x17e0, CAUSE_FEN

/* The free room behind the traps. */
	.org	0x1800
reset:	/* Nothing is held over from before: the same run gives the same registers. */
	load32	t0, RAM_PAL_PHYSICAL
	hw_mtpr	t0, IPR_PAL_BASE
	hw_mtpr	zero, IPR_HIER
#if MACHINE_TRANSLATION
	hw_mtpr	zero, IPR_TBZAP
	hw_mtpr	zero, PT_PTBR		/* page 0 is zero: nothing is mapped before SWPCTX */
#endif
	.irp	n, 2,3,4,5,6,7,8,16,17
	hw_mtpr	zero, PAL_TEMP(\n)
	.endr
	lda	t0, 7(zero)
	hw_mtpr	t0, PT_PS
	load32	t1, INTERRUPT_HIER_TABLE >> 32
	sll	t1, 32, t1
	load32	t0, INTERRUPT_HIER_TABLE & 0xffffffff
	zapnot	t0, 0x0f, t0
	bis	t0, t1, t0
	hw_mtpr	t0, PT_HIER_TABLE
	/* The image's entry and the boot block, in KSEG. */
	lda	t1, -4(zero)
	sll	t1, 40, t1
	load32	t0, RAM_IMAGE_PHYSICAL
	bis	t0, t1, pv
	hw_mtpr	pv, IPR_EXC_ADDR
	load32	t0, RAM_BOOT_PHYSICAL
	bis	t0, t1, a0
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,17,18,19,20,21,22,23,24,25,26,28,29,30
	bis	zero, zero, $\n
	.endr
	hw_mtpr	zero, IPR_FLUSH_IC
	hw_rei

#include "boot/pal/stop.S"
