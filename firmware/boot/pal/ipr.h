/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal processor registers, as HW_MFPR/HW_MTPR address them: bit 7 PAL_TEMP, 6 Abox, 5 Ibox,
 * 4:0 index (sources/ev4.md 1.2). */
#pragma once

#define IBOX(index) (0x20 | (index))
#define ABOX(index) (0x40 | (index))
#define PAL_TEMP(index) (0x80 | (index))

#define IPR_EXC_ADDR IBOX(0x04)
#define IPR_PS IBOX(0x09) /* bits 4:3: not zero in user mode */
#define IPR_EXC_SUM IBOX(0x0a)
#define IPR_PAL_BASE IBOX(0x0b)
#define IPR_HIRR IBOX(0x0c)
#define IPR_HIER IBOX(0x10)
#define IPR_HALT IBOX(0x1e) /* ours: stop for good (docs/reference/contracts.md 4) */
#define IPR_WAIT IBOX(0x1f) /* ours: sleep until HIRR & mask */
#define IPR_TB_TAG IBOX(0x00)
#define IPR_ITB_PTE IBOX(0x01)
#define IPR_ICCSR IBOX(0x02) /* bits 52:47: the address space number */
#define IPR_ITBIS IBOX(0x08)
#define IPR_TB_CTL ABOX(0x00)
#define IPR_DTB_PTE ABOX(0x02)
#define IPR_DTBIS ABOX(0x08)
#define IPR_TBZAP (IBOX(0x06) | ABOX(0x06)) /* of both sides */
#define IPR_TBASM (IBOX(0x07) | ABOX(0x07))
#define IPR_TBIS (IBOX(0x08) | ABOX(0x08))
#define IPR_FLUSH_IC_ASM ABOX(0x17)
#define IPR_MM_CSR ABOX(0x04)
#define IPR_VA ABOX(0x05)
#define IPR_CC ABOX(0x10)
#define IPR_FLUSH_IC ABOX(0x15)

/* Registers in which PALcode keeps its state. */
#define PT_PS PAL_TEMP(0) /* interrupt priority level, 0 to 7; user mode: PS_USER alone */
/* Byte n: HIER mask at IPL n; byte 7 is zero. Its bit 63 says that user mode may be in use, so that
 * RTI has to look where it goes. */
#define PT_HIER_TABLE PAL_TEMP(1)
#define PT_ENTRY_INTERRUPT PAL_TEMP(2) /* in user mode zero: PT_ENTRY_USER has it then */
#define PT_KGP PAL_TEMP(3)	       /* gp of the kernel's handlers */
#define PT_USP PAL_TEMP(4)
#define PT_UNIQUE PAL_TEMP(5)
#define PT_VAL PAL_TEMP(6)
/* Bits 1-5: that handler is set; 8-15: MCES; 16: PT_PCBB is set; 17: FLAG_MCHK. */
#define PT_FLAGS PAL_TEMP(7)
#define PT_STOPPING PAL_TEMP(8) /* not zero: a trap is being reported */
/* From here on a register has a meaning only when a flag or user mode says so; reset leaves it. */
#define PT_KSP PAL_TEMP(9) /* while in user mode */
#define PT_ENTRY_USER PAL_TEMP(10)
#define PT_ENTRY_ARITH PAL_TEMP(11)
#define PT_ENTRY_MM PAL_TEMP(12)
#define PT_ENTRY_IF PAL_TEMP(13)
#define PT_ENTRY_UNA PAL_TEMP(14)
#define PT_ENTRY_SYS PAL_TEMP(15)
#define PT_SAVE0 PAL_TEMP(16) /* the interrupted program's registers */
#define PT_SAVE1 PAL_TEMP(17)
#define PT_SAVE2 PAL_TEMP(18)
#define PT_SAVE3 PAL_TEMP(19)
#define PT_PCBB PAL_TEMP(20) /* physical address of the process control block */

/* Registers that only a translated machine uses. */
#define PT_PTBR PAL_TEMP(21)	/* physical address of the page table */
#define PT_REFILL0 PAL_TEMP(22) /* registers of the program that a refill interrupts */
#define PT_REFILL1 PAL_TEMP(23)
#define PT_REFILL2 PAL_TEMP(24)
#define PT_VPTPTR PAL_TEMP(25)
#define PT_FAULT_VA PAL_TEMP(26) /* of CAUSE_D_FAULT: a0, a1, a2 of the handler */
#define PT_FAULT_CODE PAL_TEMP(27)
#define PT_FAULT_KIND PAL_TEMP(28)

#define FLAG_MCES 8	/* shift */
#define FLAG_MIP 0x0100 /* MCES bit 0: a machine check is being handled */
#define FLAG_PCBB 16	/* shift */
#define FLAG_MCHK 17	/* shift: WRMCES has been called, machine checks go to the kernel */

/* Why the machine stops: the console says it, the exit code is EXIT_BASE + cause. */
#define CAUSE_MCHK 1
#define CAUSE_ARITH 2
#define CAUSE_D_FAULT 3
#define CAUSE_UNALIGN 4
#define CAUSE_OPCDEC 5
#define CAUSE_FEN 6
#define CAUSE_CALL_PAL 7
#define CAUSE_BPT 8
#define CAUSE_BUGCHK 9
#define CAUSE_GENTRAP 10
#define CAUSE_NO_HANDLER 11
#define EXIT_BASE 128
