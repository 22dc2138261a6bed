# SPDX-License-Identifier: BSD-2-Clause
"""PALcode of the tests of the order of traps."""

from mcpi.isa import encode


def mtpr(index: int, register: int) -> str:
    """HW_MTPR."""
    return f".long {encode.word('hw_mtpr', ra=register, rb=register, disp=index):#x}"


REI = ".long 0x7bff8000"
EXC_ADDR, EXC_SUM, PAL_BASE_REGISTER, HIER = 0x24, 0x2A, 0x2B, 0x30
# Each trap prints a letter: MCHK, which then goes on at $20, ARITH, INTERRUPT.
PAL = f"""
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	br $31, reset
	.org 0x20
	lda $22, 'M'($31)
	stq $22, 0x1000($12)
	{mtpr(EXC_ADDR, 20)}	// EXC_ADDR
	bis $31, $31, $31
	{REI}
	.org 0x60
	lda $22, 'A'($31)
	stq $22, 0x1000($12)
	{mtpr(EXC_SUM, 31)}	// EXC_SUM
	{REI}
	.org 0xe0
	lda $22, 'I'($31)
	stq $22, 0x1000($12)
	stq $31, 0x2008($12)	// acknowledge
	{REI}
	.org 0x200
reset:	lda $1, 1($31)
	sll $1, 16, $3
	{mtpr(PAL_BASE_REGISTER, 3)}	// PAL_BASE
	lda $3, 7($31)
	{mtpr(HIER, 3)}	// HIER
	lda $12, -511($31)
	sll $12, 33, $12	// system registers
	sll $1, 20, $1
	lda $2, -4($31)
	sll $2, 40, $2		// KSEG
	addq $1, $2, $1
	{mtpr(EXC_ADDR, 1)}
	bis $31, $31, $31
	{REI}
"""
