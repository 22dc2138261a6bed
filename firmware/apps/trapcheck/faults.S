/* SPDX-License-Identifier: BSD-2-Clause */
/* One fault each, in kernel mode, and process contexts. */
#include "boot/palcode.h"
#include "boot/registers.h"

	.set	noat
	.set	noreorder
	.set	nomacro

.macro function name
	.globl	\name
	.ent	\name
\name:
	.frame	sp, 0, ra
	.prologue 0
.endm
.macro done name
	ret	zero, (ra), 1
	.end	\name
.endm

	.text
	function do_add_overflow
	addq/v	a0, a1, v0
	done	do_add_overflow
	function do_multiply_overflow	/* its result comes late; the load miss behind it too */
	ldq	t1, 0(a2)
	mulq/v	a0, a1, t0
	bis	t0, t0, v0
	addq	v0, t1, v0
	done	do_multiply_overflow
	function do_unaligned_load
	ldq	v0, 0(a0)
	done	do_unaligned_load
	function do_unaligned_store
	stl	a1, 0(a0)
	done	do_unaligned_store
	function do_unaligned_lock
	ldq_l	v0, 0(a0)
	done	do_unaligned_lock
	function do_bus_error
	ldq	v0, 0(a0)
	bis	v0, v0, t1		/* waits for it */
	mb
	done	do_bus_error
	function do_bus_error_write
	stq	zero, 0(a0)
	mb
	nop
	done	do_bus_error_write
	function do_fetch
	bis	ra, ra, t1		/* the handler comes back here */
	jmp	zero, (a0)
	done	do_fetch
	function do_reserved
	.long	0x04000000
	done	do_reserved
	function do_floating
	.long	0x8c230000		/* LDT */
	done	do_floating
	function do_bpt
	call_pal PAL_BPT
	done	do_bpt
	function do_bugchk
	call_pal PAL_BUGCHK
	done	do_bugchk
	function do_gentrap
	call_pal PAL_GENTRAP
	done	do_gentrap
	function do_no_such_call
	call_pal 0x82
	done	do_no_such_call
	function do_callsys
	call_pal PAL_CALLSYS
	done	do_callsys
	function do_pal_only
	.long	0x64010024		/* HW_MFPR t0, EXC_ADDR */
	done	do_pal_only

	function call_twice		/* a0: control block, a1: another; v0: 0 or what was wrong */
	bis	a0, a0, t1
	bis	a1, a1, t2
	stq	sp, PCB_KSP(a0)
	call_pal PAL_SWPCTX		/* the first: nothing to save */
	bis	zero, 1, t3
	bne	v0, 1f
	bis	sp, sp, t4
	lda	t6, 2000(zero)		/* cycles that are charged to the first */
3:	subq	t6, 1, t6
	bne	t6, 3b
	rpcc	t5
	bis	t2, t2, a0
	call_pal PAL_SWPCTX
	bis	zero, 2, t3
	subq	v0, t1, v0		/* the old one */
	bne	v0, 1f
	bis	zero, 3, t3
	ldq	t6, PCB_KSP(t1)		/* its sp is kept, the new one's is in use */
	subq	t6, t4, t6
	bne	t6, 1f
	bis	zero, 4, t3
	ldq	t6, PCB_KSP(t2)
	subq	t6, sp, t6
	bne	t6, 1f
	bis	zero, 5, t3
	call_pal PAL_RDUNIQ
	ldq	t6, PCB_UNIQUE(t2)
	subq	t6, v0, t6
	bne	t6, 1f
	lda	t6, 2000(zero)		/* cycles that are not charged to the first */
2:	subq	t6, 1, t6
	bne	t6, 2b
	bis	t1, t1, a0
	call_pal PAL_SWPCTX
	bis	zero, 6, t3
	subq	v0, t2, v0
	bne	v0, 1f
	bis	zero, 7, t3
	subq	sp, t4, t6
	bne	t6, 1f
	bis	zero, 8, t3
	rpcc	t6			/* offset + counter: the first's own cycles */
	srl	t5, 32, t7
	addl	t5, t7, t5
	srl	t6, 32, t7
	addl	t6, t7, t6
	subl	t6, t5, t6
	lda	t7, 1500(zero)
	cmpult	t6, t7, t6
	beq	t6, 1f
	bis	zero, zero, t3
1:	bis	t4, t4, sp
	bis	t3, t3, v0
	done	call_twice

	function do_swppal		/* a0: PALcode, a1: control block; v0: its answer */
	bis	a1, a1, a2
	stq	sp, PCB_KSP(a1)
	br	a1, 1f
	lda	v0, 100(v0)		/* a1: a fresh start would begin here */
	ret	zero, (ra), 1
1:	call_pal PAL_SWPPAL
	done	do_swppal
