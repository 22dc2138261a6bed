// SPDX-License-Identifier: BSD-2-Clause
// Goes from block to block in the order of a ring (pairs of block, next pair), with registers from
// a table of states or as the last block left them. Variables at 220000 hex: +0 pair, +8 state,
// +10 rounds left, if ROUNDS says how many; +40 trap counts, +100 registers of the last dump, +800
// PAL blocks, +4000 the states.
	.set noat
	.set noreorder
	.set nomacro
	.text
	.globl _start, next_dump, next_load, next_keep, next_ask
_start:	lda $30, -1($31)
	sll $30, 42, $30
	ldah $1, 0x20($31)
	bis $30, $1, $30
	ldah $29, 1($30)
#ifdef ROUNDS // on a node: its timer interrupts
	lda $1, 1($31)
	sll $1, 33, $2
	stq $1, 0x2010($2)
#endif
	br $31, next_load

next_ask: // does the bench want more? Kernel mode and interrupts again, too
	call_pal 0x89
	lda $27, 1($31)
	sll $27, 33, $27
#ifdef ROUNDS
	ldah $28, 2($30)
	ldq $26, 0x10($28)
	subq $26, 1, $26
	stq $26, 0x10($28)
	bgt $26, next_dump
	stq $31, 0x1010($27)
#else
	ldq $28, 0x1008($27)
	bne $28, next_dump
#endif
	call_pal 0x8e

next_dump:
	ldah $28, 2($30)
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,29,30
	stq $\n, 0x100 + 8*\n($28)
	.endr
next_load:
	ldah $28, 2($30)
	ldq $27, 8($28)
	lda $26, 0x100($27)
	sll $26, 50, $26
	srl $26, 50, $26
	stq $26, 8($28)
	addq $28, $27, $28
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26
	ldq $\n, 0x4000 + 8*\n($28)
	.endr
next_keep:
	ldah $28, 2($30)
	ldq $27, 0($28)
	ldq $26, 8($27)
	stq $26, 0($28)
	ldq $27, 0($27)
	jmp $31, ($27), 0
