/* SPDX-License-Identifier: BSD-2-Clause */
/* A trap nobody handles: say on the console what happened, leave with EXIT_BASE + cause, halt.
 *
 * Entered with the cause in t0 and the program's t0 in PT_SAVE0. Never returns, so after the
 * registers are in the save area all of them are ours. Of several cores the first one reports; the
 * others find the lock taken, and halt. */
#define STRINGS 0x1c00
#define SAVE_AREA 0x1f00
#define REPORT_LOCK (SAVE_AREA + 31 * 8)
stop:
	hw_mtpr	t1, PT_SAVE1
	hw_mfpr	t1, PT_STOPPING
	bne	t1, stop_now		/* a trap in here: no second report */
	hw_mtpr	t0, PT_STOPPING
#ifdef SYSTEM_CORE_NUMBER
	hw_mtpr	t2, PT_SAVE2
	load_own t1, REPORT_LOCK
1:	ldq_l	t2, 0(t1)
	bne	t2, stop_silent
	lda	t2, 1(zero)
	stq_c	t2, 0(t1)
	beq	t2, 1b
	hw_mfpr	t2, PT_SAVE2
#endif
	load_own t1, SAVE_AREA
	.irp	n, 0,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	stq	$\n, 8*\n(t1)
	.endr
	hw_mfpr	a0, PT_SAVE0
	hw_mfpr	a1, PT_SAVE1
	stq	a0, 8*1(t1)
	stq	a1, 8*2(t1)
	bis	t1, t1, s0		/* s0: save area, s1: strings, s2: console, s3: cause */
	load_own s1, STRINGS
	load_system s2, SYSTEM_CONSOLE_DATA
	bis	t0, t0, s3

	lda	a0, string_stopped - stop_strings(s1)
	bsr	ra, puts
	sll	s3, 4, a0
	addq	a0, s1, a0		/* stop_strings starts with the causes, 16 bytes each */
	bsr	ra, puts
#ifdef SYSTEM_CORE_NUMBER
	lda	a0, string_core - stop_strings(s1)
	bsr	ra, puts
	load_system t1, SYSTEM_CORE_NUMBER
	ldq	a0, 0(t1)
	lda	a0, 48(a0)
	bsr	ra, putc
#endif
	.macro	report string, register
	lda	a0, \string - stop_strings(s1)
	bsr	ra, puts
	hw_mfpr	a0, \register
	bsr	ra, puthex
	.endm
	report	string_pc, IPR_EXC_ADDR
	report	string_va, IPR_VA
	report	string_mm_csr, IPR_MM_CSR
	report	string_exc_sum, IPR_EXC_SUM
	report	string_ipl, PT_PS

	/* r0 to r30, four to a line, by their names of two letters */
	bis	zero, zero, s4
1:	and	s4, 3, t0
	bne	t0, 2f
	lda	a0, 10(zero)
	bsr	ra, putc
2:	lda	a0, 32(zero)
	bsr	ra, putc
	addq	s4, s4, t0
	lda	t1, string_names - stop_strings(s1)
	addq	t0, t1, s5
	ldq_u	a0, 0(s5)
	extbl	a0, s5, a0
	bsr	ra, putc
	lda	s5, 1(s5)
	ldq_u	a0, 0(s5)
	extbl	a0, s5, a0
	bsr	ra, putc
	lda	a0, 32(zero)
	bsr	ra, putc
	s8addq	s4, s0, t0
	ldq	a0, 0(t0)
	bsr	ra, puthex
	lda	s4, 1(s4)
	cmplt	s4, 31, t0
	bne	t0, 1b
	lda	a0, 10(zero)
	bsr	ra, putc
stop_now:
	hw_mfpr	t0, PT_STOPPING
	lda	t0, EXIT_BASE(t0)
leave:	/* exit code in t0 */
	load_system t1, SYSTEM_CONSOLE_EXIT
	stq	t0, 0(t1)
	mb
	hw_mtpr	zero, IPR_HALT
	br	zero, leave
#ifdef SYSTEM_CORE_NUMBER
stop_silent:
	hw_mtpr	zero, IPR_HALT
	br	zero, stop_silent
#endif

putc:	/* a0; s2: console. Uses t0. */
	ldq	t0, SYSTEM_CONSOLE_STATUS - SYSTEM_CONSOLE_DATA(s2)
	and	t0, 2, t0
	beq	t0, putc
	stq	a0, 0(s2)
	ret	zero, (ra), 1

puts:	/* a0: zero-terminated. Uses t0, t2, t3. */
	bis	ra, ra, t3
	bis	a0, a0, t2
1:	ldq_u	a0, 0(t2)
	extbl	a0, t2, a0
	beq	a0, 2f
	lda	t2, 1(t2)
	bsr	ra, putc
	br	zero, 1b
2:	ret	zero, (t3), 1

puthex:	/* a0: sixteen digits. Uses t0, t1, t2, t3. */
	bis	ra, ra, t3
	bis	a0, a0, t2
	lda	t1, 60(zero)
1:	srl	t2, t1, a0
	and	a0, 15, a0
	cmplt	a0, 10, t0
	lda	a0, 48(a0)
	bne	t0, 2f
	lda	a0, 39(a0)		/* 'a' - 10 - '0' */
2:	bsr	ra, putc
	lda	t1, -4(t1)
	bge	t1, 1b
	ret	zero, (t3), 1

	.org	STRINGS
stop_strings:
.macro cause text
	.balign	16
	.asciz	"\text"
.endm
	cause	"halt"
	cause	"machine check"
	cause	"arithmetic trap"
	cause	"data fault"
	cause	"unaligned"
	cause	"bad instruction"
	cause	"floating point"
	cause	"no such PALcall"
	cause	"breakpoint"
	cause	"bug check"
	cause	"software trap"
	cause	"lone interrupt"
	.balign	16
string_stopped:	.asciz	"\nPALcode: stopped by "
#ifdef SYSTEM_CORE_NUMBER
string_core:	.asciz	" on core "
#endif
string_pc:	.asciz	"\n pc "
string_va:	.asciz	"  va "
string_mm_csr:	.asciz	"\n mm_csr "
string_exc_sum:	.asciz	"  exc_sum "
string_ipl:	.asciz	"  ipl "
string_names:	.ascii	"v0t0t1t2t3t4t5t6t7s0s1s2s3s4s5fpa0a1a2a3a4a5t8t9tatbrapvatgpsp"
	.org	SAVE_AREA
	.skip	31*8
#ifdef SYSTEM_CORE_NUMBER
	.quad	0			/* REPORT_LOCK */
#endif
