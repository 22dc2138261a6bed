/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of PALcode (docs/reference/palcode.md): numbers only, for assembly and C. */
#pragma once

/* CALL_PAL functions (sources/ev4.md 1.3). */
#define PAL_HALT 0x00
#define PAL_CFLUSH 0x01
#define PAL_DRAINA 0x02
#define PAL_CSERVE 0x09
#define PAL_SWPPAL 0x0a
#define PAL_WRIPIR 0x0d
#define PAL_RDMCES 0x10
#define PAL_WRMCES 0x11
#define PAL_WRFEN 0x2b
#define PAL_WRVPTPTR 0x2d
#define PAL_SWPCTX 0x30
#define PAL_WRVAL 0x31
#define PAL_RDVAL 0x32
#define PAL_TBI 0x33
#define PAL_WRENT 0x34
#define PAL_SWPIPL 0x35
#define PAL_RDPS 0x36
#define PAL_WRKGP 0x37
#define PAL_WRUSP 0x38
#define PAL_WRPERFMON 0x39
#define PAL_RDUSP 0x3a
#define PAL_WHAMI 0x3c
#define PAL_RETSYS 0x3d
#define PAL_WTINT 0x3e
#define PAL_RTI 0x3f
#define PAL_BPT 0x80
#define PAL_BUGCHK 0x81
#define PAL_CALLSYS 0x83
#define PAL_IMB 0x86
#define PAL_RDUNIQ 0x9e
#define PAL_WRUNIQ 0x9f
#define PAL_GENTRAP 0xaa
#define PAL_PREFILL 0xab /* ours; translated machines */

/* CSERVE: host services, number in a0. */
#define CSERVE_PUTC 1 /* a1: a byte for the console */
#define CSERVE_EXIT 2 /* a1: exit code; does not return */

/* SWPPAL: the PALcode there is, in a0. */
#define PAL_VARIANT_OSF 2

/* WRENT: which handler, in a1. */
#define ENTRY_INTERRUPT 0
#define ENTRY_ARITH 1
#define ENTRY_MM 2 /* never called where addresses are not translated */
#define ENTRY_IF 3
#define ENTRY_UNA 4
#define ENTRY_SYS 5

/* Processor status, as RDPS gives it and a frame holds it. */
#define PS_IPL 7  /* mask */
#define PS_USER 8 /* user mode, at level 0 */

/* Frame that PALcode pushes on the kernel stack for an interrupt or trap, and RTI pops. CALLSYS
 * fills in the first three. */
#define FRAME_PS 0
#define FRAME_PC 8
#define FRAME_GP 16
#define FRAME_A0 24
#define FRAME_A1 32
#define FRAME_A2 40
#define FRAME_SIZE 48

/* a0 of the interrupt handler: OSF/1 types. a1: the source's bit in [interrupt]. */
#define TYPE_CLOCK 1
#define TYPE_MACHINE_CHECK 2 /* a1: VECTOR_MACHINE_CHECK */
#define TYPE_DEVICE 3
#define VECTOR_MACHINE_CHECK 0x670

/* a0 of the instruction fault handler. */
#define IF_BPT 0
#define IF_BUGCHK 1
#define IF_GENTRAP 2
#define IF_FEN 3
#define IF_OPDEC 4

/* a0 of the arithmetic trap handler: the exception summary; a1: one bit a register written. */
#define ARITH_IOV 0x40

/* a1 of the memory management handler, whose a0 is the address; a2: what the program wanted. */
#define MM_INVALID 0 /* the page is not there */
#define MM_ACCESS 1  /* no right */
#define MM_FOR 2     /* fault on read, execute, write */
#define MM_FOE 3
#define MM_FOW 4
#define MM_FETCH -1
#define MM_LOAD 0
#define MM_STORE 1

/* TBI, in a0; a1: an address for those from 1 on. */
#define TBI_ALL -2
#define TBI_SPACES -1 /* all entries without ASM */
#define TBI_INSTRUCTION 1
#define TBI_DATA 2
#define TBI_BOTH 3

/* Process control block: SWPCTX takes its physical address, 128-byte aligned. */
#define PCB_KSP 0
#define PCB_USP 8
#define PCB_PTBR 16 /* number of the page that the page table begins in; translated machines */
#define PCB_PCC 24  /* longword: charged cycles */
#define PCB_ASN 28  /* longword: address space number; translated machines */
#define PCB_UNIQUE 32
#define PCB_FEN 40 /* not used */
#define PCB_SIZE 128
