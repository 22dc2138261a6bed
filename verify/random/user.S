// SPDX-License-Identifier: BSD-2-Clause
	.set noat
	.set noreorder
	.set nomacro
	.arch ev4
	.section .code, "awx" // blocks modify themselves
	.globl _start
_start:	ldah $30, 0x40($31)
	ldah $29, 0x40($31)
	stq $31, 1264($30)
next_block:
	stq $31, 1272($30)
next_state:
	ldq $1, 1272($30)
	lda $2, 240($31)
	mulq $1, $2, $1
	ldq $3, 1264($30)
	lda $28, 1280($30)
	ldah $4, ({states}*240+0x8000)>>16($28)
	lda $4, ({states}*240)&0xffff($4)
	s8addq $3, $4, $4
	ldq $27, 0($4)
	addq $28, $1, $28
{loads}
	jmp $31, ($27)
after:
{stores}
	lda $0, 4($31)
	lda $16, 1($31)
	bis $30, $30, $17
	lda $18, 1264($31)
	call_pal 0x83
	ldah $30, 0x40($31)
	ldq $1, 1272($30)
	addq $1, 1, $1
	stq $1, 1272($30)
	lda $2, {states}($31)
	cmplt $1, $2, $3
	bne $3, next_state
	ldq $1, 1264($30)
	addq $1, 1, $1
	stq $1, 1264($30)
	lda $2, {blocks}($31)
	cmplt $1, $2, $3
	bne $3, next_block
	lda $0, 1($31)
	bis $31, $31, $16
	call_pal 0x83
