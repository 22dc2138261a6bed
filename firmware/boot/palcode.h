/* SPDX-License-Identifier: BSD-2-Clause */
/* What PALcode offers (docs/palcode.md): numbers only, for assembly and C. */
#ifndef PALCODE_H
#define PALCODE_H

/* CALL_PAL functions (facts/ev4.md 1.3). */
#define PAL_HALT 0x00
#define PAL_DRAINA 0x02
#define PAL_CSERVE 0x09
#define PAL_RDMCES 0x10
#define PAL_WRMCES 0x11
#define PAL_WRVAL 0x31
#define PAL_RDVAL 0x32
#define PAL_WRENT 0x34
#define PAL_SWPIPL 0x35
#define PAL_RDPS 0x36
#define PAL_WRKGP 0x37
#define PAL_WRUSP 0x38
#define PAL_RDUSP 0x3a
#define PAL_WHAMI 0x3c
#define PAL_WTINT 0x3e
#define PAL_RTI 0x3f
#define PAL_BPT 0x80
#define PAL_BUGCHK 0x81
#define PAL_IMB 0x86
#define PAL_RDUNIQ 0x9e
#define PAL_WRUNIQ 0x9f
#define PAL_GENTRAP 0xaa

/* CSERVE: host services, number in a0. */
#define CSERVE_PUTC 1 /* a1: a byte for the console */
#define CSERVE_EXIT 2 /* a1: exit code; does not return */

/* WRENT: which handler, in a1. Only the interrupt handler is called by this PALcode. */
#define ENTRY_INTERRUPT 0

/* Frame that PALcode pushes on the kernel stack for an interrupt, and RTI pops. */
#define FRAME_PS 0
#define FRAME_PC 8
#define FRAME_GP 16
#define FRAME_A0 24
#define FRAME_A1 32
#define FRAME_A2 40
#define FRAME_SIZE 48

/* a0 of the interrupt handler: OSF/1 types. a1: the source's bit in [interrupt]. */
#define TYPE_CLOCK 1
#define TYPE_DEVICE 3

#endif
