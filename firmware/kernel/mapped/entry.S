/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways into user mode and out of it. PALcode has pushed its frame onto the kernel's stack of
 * the process (palcode.md) when it comes here. */
#include "boot/palcode.h"
#include "boot/registers.h"
#include "kernel/mapped/own.h"
#include "kernel/mapped/user_state.h"

	.set	noat
	.set	noreorder

.macro saved_registers operation, base, offset
	\operation	s0, \offset(\base)
	\operation	s1, \offset + 8(\base)
	\operation	s2, \offset + 16(\base)
	\operation	s3, \offset + 24(\base)
	\operation	s4, \offset + 32(\base)
	\operation	s5, \offset + 40(\base)
	\operation	fp, \offset + 48(\base)
	\operation	ra, \offset + 56(\base)
.endm

.macro caller_saved operation
	\operation	v0, 0(sp)
	\operation	t0, 8(sp)
	\operation	t1, 16(sp)
	\operation	t2, 24(sp)
	\operation	t3, 32(sp)
	\operation	t4, 40(sp)
	\operation	t5, 48(sp)
	\operation	t6, 56(sp)
	\operation	t7, 64(sp)
	\operation	a3, 72(sp)
	\operation	a4, 80(sp)
	\operation	a5, 88(sp)
	\operation	t8, 96(sp)
	\operation	t9, 104(sp)
	\operation	t10, 112(sp)
	\operation	t11, 120(sp)
	\operation	ra, 128(sp)
	\operation	pv, 136(sp)
	\operation	at, 144(sp)
.endm

	.section .text.user_go, "ax", @progbits
	.globl	user_go
	.ent	user_go
user_go:			/* a0: struct user_state */
	.frame	sp, 64, ra
	.prologue 0
	lda	sp, -64(sp)
	saved_registers stq, sp, 0
	stq	sp, USER_KSP(a0)
	bis	a0, a0, t0
#if KERNEL_MAPPED == OWN_ALL		/* PALcode pushes its frames in KSEG */
	lda	t1, -4(zero)
	sll	t1, 40, t1
	bis	sp, t1, sp
#endif
	lda	sp, -FRAME_SIZE(sp)
	ldq	t1, USER_PC(t0)
	ldq	t2, USER_GP(t0)
	stq	t1, FRAME_PC(sp)
	stq	t2, FRAME_GP(sp)
	saved_registers ldq, t0, USER_SAVED
	ldq	v0, USER_V0(t0)
	ldq	a0, USER_WORDS(t0)
	ldq	a1, USER_WORDS + 8(t0)
	call_pal PAL_RETSYS
	.end	user_go

	.section .text.kernel_syscall, "ax", @progbits
	.globl	kernel_syscall
	.ent	kernel_syscall
kernel_syscall:			/* a caller expects t0 to t11 and at to be spoilt */
	.frame	sp, 0, ra
	.prologue 0
	lda	t0, user_current
	ldq	t0, 0(t0)
	saved_registers stq, t0, USER_SAVED
	ldq	t1, FRAME_PC(sp)
	ldq	t2, FRAME_GP(sp)
	stq	t1, USER_PC(t0)
	stq	t2, USER_GP(t0)
	stq	a0, USER_WORDS(t0)
	stq	a1, USER_WORDS + 8(t0)
	stq	a2, USER_WORDS + 16(t0)
	stq	a3, USER_WORDS + 24(t0)
	stq	a4, USER_WORDS + 32(t0)
	stq	a5, USER_WORDS + 40(t0)
	lda	v0, LEFT_BY_CALL(zero)
leave_user:			/* t0: struct user_state, v0: why; back from user_go */
	ldq	sp, USER_KSP(t0)
	saved_registers ldq, sp, 0
	lda	sp, 64(sp)
	ret	zero, (ra), 1
	.end	kernel_syscall

/* Nobody goes on after a trap, so all registers are ours. */
.macro trap_entry name, kind
	.section .text.\name, "ax", @progbits
	.globl	\name
	.ent	\name
\name:
	.frame	sp, 0, ra
	.prologue 0
	lda	a3, \kind(zero)
	br	zero, trapped
	.end	\name
.endm
	trap_entry kernel_memory_fault, TRAP_MEMORY
	trap_entry kernel_unaligned, TRAP_ALIGNMENT
	trap_entry kernel_instruction_fault, TRAP_INSTRUCTION
	trap_entry kernel_arithmetic, TRAP_ARITHMETIC

	.section .text.trapped, "ax", @progbits
trapped:			/* a0 to a2: the handler's arguments, a3: TRAP_* */
	lda	t0, user_current
	ldq	t0, 0(t0)
	ldq	t1, FRAME_PS(sp)
	and	t1, PS_USER, t1
	ldq	a4, FRAME_PC(sp)
	beq	t1, 1f
	stq	a4, USER_PC(t0)
	stq	a3, USER_WORDS(t0)
	stq	a0, USER_WORDS + 8(t0)
	stq	a1, USER_WORDS + 16(t0)
	stq	a2, USER_WORDS + 24(t0)
	lda	v0, LEFT_BY_TRAP(zero)
	lda	t1, leave_user
	jmp	zero, (t1)
1:	lda	pv, fault_of_kernel	/* a0 to a4; does not return */
	jsr	ra, (pv), fault_of_kernel

/* An interrupt of user mode: its handler, then whatever has to be done first. Registers of the
 * caller's kind are kept here, the others by whom they are used. */
	.section .text.kernel_interrupt, "ax", @progbits
	.globl	kernel_interrupt
	.ent	kernel_interrupt
kernel_interrupt:
	.frame	sp, 160, ra
	.prologue 0
	ldq	a2, FRAME_PS(sp)
	and	a2, PS_USER, a2
	bne	a2, 1f
	br	zero, trap_interrupt	/* boot/trap.S */
1:	lda	sp, -160(sp)
	caller_saved stq
	bis	a1, a1, a0
	lda	pv, trap_dispatch
	jsr	ra, (pv), trap_dispatch
	ldgp	gp, 0(ra)
	lda	pv, interrupted_user
	jsr	ra, (pv), interrupted_user
	ldgp	gp, 0(ra)
	bne	v0, 2f
	caller_saved ldq
	lda	sp, 160(sp)
	call_pal PAL_RTI
2:	lda	t0, user_current
	ldq	t0, 0(t0)
	lda	v0, LEFT_TO_END(zero)
	lda	t1, leave_user
	jmp	zero, (t1)
	.end	kernel_interrupt

	.section .text.context_switch, "ax", @progbits
	.globl	context_switch
	.ent	context_switch
context_switch:			/* a0: a control block's physical address, a1: where we see it */
	.frame	sp, 0, ra
	.prologue 0
	stq	sp, PCB_KSP(a1)
	call_pal PAL_SWPCTX
	ret	zero, (ra), 1
	.end	context_switch
