// SPDX-License-Identifier: BSD-2-Clause
// PALcode of the random tests: traps are counted and skipped, interrupts acknowledged, and the
// CALL_PAL entries do what a random program can stand. It stands twice, at two PAL_BASEs.
// PAL_TEMP: 12 and 13 hold r1 and r2 of the entry that runs, 16 r1 of a machine check; 17 a PAL
// block's way back; 18 where a fetch from nowhere returns to; 20 EXC_ADDR over a machine check.
// Entries 90 and 91 go to r27, beyond RAM or among its last words: 91 while an interrupt is due.
// FAR: the second copy is so many times 64 KB away, and a fetch from nowhere has any address: 19
// says which, 21 holds r2 of its machine check.
#define ICCSR 0x22
#define EXC_ADDR 0x24
#define PS 0x29
#define EXC_SUM 0x2a
#define PAL_BASE 0x2b
#define HIRR 0x2c
#define HIER 0x30
#define HALT 0x3e
#define WAIT 0x3f
#define MM_CSR 0x44
#define VA 0x45
#define FLUSH_IC 0x55
#define T(n) (0x80 | (n))
#ifndef ACKNOWLEDGE // an offset among the system registers
#define ACKNOWLEDGE 0x1000
#endif

#define SAVE hw_mtpr $1, T(12); hw_mtpr $2, T(13)
#define RESTORE hw_mfpr $2, T(13); hw_mfpr $1, T(12)
/* One more of trap n, in memory. */
#define COUNT(n) ldah $1, 0x22($31); ldq $2, 0x40 + 8*(n)($1); addq $2, 1, $2; \
	stq $2, 0x40 + 8*(n)($1)
#define SKIP hw_mfpr $1, EXC_ADDR; addq $1, 4, $1; hw_mtpr $1, EXC_ADDR

	.set noat
	.set noreorder
	.set nomacro

.macro entry function
	.org 0x3000 + 0x40 * (\function & 0x3f)
.endm

// Called in PAL mode: a trap whose PALcode is the next block, which is being prefetched; from the
// first instruction on the prefetch ends before. With r26 there is a load under way.
.macro near trap
	mulq $28, $28, $28
	addq $28, 0, $28
	beq $26, .+8
	ldq $28, 0($26)
	\trap
	jmp $31, ($27), 0
.endm

.macro palcode
	// RESET
	.org 0
	br $31, 9f
	// MCHK: goes on, or back from where no memory was
	.org 0x20
	hw_mtpr $1, T(16)
	hw_mfpr $1, T(18)
	beq $1, 1f
#ifdef FAR // it takes longer if the address is not the one that was asked for
	hw_mtpr $2, T(21)
	hw_mfpr $1, EXC_ADDR
	hw_mfpr $2, T(19)
	cmpeq $1, $2, $1
	bne $1, .+8
	mulq $1, $1, $1
	hw_mfpr $2, T(21)
	hw_mfpr $1, T(18)
#endif
	hw_mtpr $1, EXC_ADDR
	hw_mtpr $31, T(18)
1:	hw_mfpr $1, T(16)
	hw_rei
	.org 0x60 // ARITH
	SAVE
	COUNT(1)
	hw_mfpr $1, EXC_SUM
	hw_mtpr $31, EXC_SUM
	hw_mfpr $2, EXC_ADDR
	RESTORE
	hw_rei
	.org 0xc0 // from here INTERRUPT is the block that is prefetched
leave\@:
	hw_rei
	.org 0xe0 // INTERRUPT: lower every line
	SAVE
	hw_mfpr $1, HIRR
	lda $2, 1($31)
	sll $2, 33, $2
	stq $1, ACKNOWLEDGE($2)
	hw_mfpr $2, HIER
	and $1, $2, $1
	hw_mfpr $2, EXC_ADDR
	RESTORE
	hw_rei
	.org 0x200 // what one needs at first: registers, PAL_BASE, interrupts, the program
9:	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	hw_mtpr $31, T(\n)
	.endr
	ldah $1, 1($31)
	hw_mtpr $1, PAL_BASE
	lda $2, 7($31)
	hw_mtpr $2, HIER
	lda $1, -1($31)
	sll $1, 42, $1 // KSEG
	ldah $2, 0x10($31)
	bis $1, $2, $1
	hw_mtpr $1, EXC_ADDR
	hw_rei
	.org 0x11c0
	near "ldq $28, 1($30)"
	.org 0x11e0 // UNALIGN
	SAVE
	hw_mfpr $1, VA
	hw_mfpr $2, MM_CSR
	COUNT(2)
	SKIP
	RESTORE
	hw_rei
	.org 0x13c0
	near ".long 0x04000000"
	.org 0x13e0 // OPCDEC
	SAVE
	COUNT(3)
	SKIP
	RESTORE
	hw_rei
	.org 0x17e0 // FEN
	SAVE
	SKIP
	RESTORE
	hw_rei

	.org 0x2000 // every privileged call
	.rept 0x40
	hw_mfpr $0, EXC_ADDR
	hw_rei
	.align 6
	.endr
	entry 0x84 // the block at r27, in PAL mode
	hw_mtpr $26, T(13)
	hw_mfpr $26, EXC_ADDR
	hw_mtpr $26, T(17)
	hw_mfpr $26, T(13)
	jmp $31, ($27), 0
	.org 0x3120
	near "call_pal 0x85"
	entry 0x85 // a lock taken outside, and the flag of RC and RS
	stq_c $0, 0($30)
	rs $1
	addq $0, $1, $0
	hw_rei
	entry 0x86 // IMB
	mb
	hw_mtpr $31, FLUSH_IC
	hw_rei
	entry 0x87 // user mode and back
	SAVE
	hw_mfpr $1, PS
	xor $1, 0x18, $1
	hw_mtpr $1, PS
	RESTORE
	br $31, leave\@
	entry 0x88 // some interrupts
	hw_mtpr $0, HIER
	hw_mfpr $1, HIER
	hw_rei
	entry 0x89 // kernel mode, all interrupts
	SAVE
	lda $1, 7($31)
	hw_mtpr $1, HIER
	hw_mtpr $31, PS
	RESTORE
	hw_rei
	entry 0x8a // wait for an interrupt
	SAVE
	lda $1, 7($31)
	hw_mtpr $1, WAIT
	RESTORE
	hw_rei
	entry 0x8b // machine check: load or store where no RAM is, or no device
	SAVE
	hw_mfpr $1, EXC_ADDR
	hw_mtpr $1, T(20)
	br $31, nowhere\@
	entry 0x8c // machine check: fetch from where no RAM is
	SAVE
	hw_mfpr $1, EXC_ADDR
	hw_mtpr $1, T(18)
#ifdef FAR
	sll $0, 30, $1 // 34 bits of r0
	srl $1, 32, $1
	sll $1, 2, $1
	ldah $2, 0x400($31) // beyond RAM
	bis $1, $2, $1
	hw_mtpr $1, T(19)
#else
	lda $1, 0x41($31)
	sll $1, 20, $1
#endif
	hw_mtpr $1, EXC_ADDR
	RESTORE
	hw_rei
	entry 0x8d // the other copy
	SAVE
	hw_mfpr $1, PAL_BASE
#ifdef FAR
	ldah $2, FAR($31)
#else
	lda $2, 0x4000($31)
#endif
	xor $1, $2, $1
	bis $1, 0xa5, $1 // bits that PAL_BASE does not have
	hw_mtpr $1, PAL_BASE
	hw_mfpr $1, PAL_BASE
	RESTORE
	hw_rei
	entry 0x8e // halt, when all is written
	mb
	hw_mtpr $31, HALT
	br $31, .-4
	entry 0x8f // the end of a PAL block
	hw_mfpr $27, T(17)
	hw_mtpr $27, EXC_ADDR
	hw_rei
	.org 0x3400 // entry 0x90
	SAVE
	hw_mfpr $1, EXC_ADDR
	hw_mtpr $1, T(18)
leaves\@:
	hw_mtpr $27, EXC_ADDR
	RESTORE
	hw_rei
	entry 0x91
	SAVE
	hw_mfpr $1, EXC_ADDR
	hw_mtpr $1, T(18)
	lda $1, 7($31)
	hw_mtpr $1, HIER
	hw_mtpr $1, WAIT
	br $31, leaves\@
	.org 0x3480
nowhere\@:
	lda $1, 1($31)
	sll $1, 26, $1
	and $0, 3, $2
	beq $2, 1f
	subq $2, 1, $2
	beq $2, 2f
	lda $1, 1($31)
	sll $1, 33, $1
	lda $1, 0x2000($1)
	subq $2, 1, $2
	beq $2, 1f
2:	stq $1, 8($1)
	br $31, 3f
1:	ldl $2, 8($1)
3:	mb
	mb
	hw_mfpr $1, T(20)
	hw_mtpr $1, EXC_ADDR
	RESTORE
	hw_rei
#ifdef FAR
	entry 0x95 // r27 says what predicts
	hw_mtpr $27, ICCSR
	hw_rei
#endif
.endm

	.section .pal, "ax"
	palcode
	.section .pal2, "ax"
	palcode
