# SPDX-License-Identifier: BSD-2-Clause
"""Random freestanding Alpha programs that print every register after every block.

The same ELF runs under qemu-alpha's user mode and on the model; see
``sim/test/alpha/test_model.py``. The blocks are those of the core bench but for what a user program
cannot do: trap, PAL mode, I/O.
"""

import random

from verify.random.blocks import USER, Block
from verify.random.program import value

BLOCK_WORDS = 120
SCRATCH = USER.window  # bytes above r30 that loads and stores use

LINK = ["-nostdlib", "-static", "-Wl,--no-relax,--build-id=none,--no-warn-rwx-segments"]
LINK[-1] += ",--section-start=.code=0x200000,-Tdata=0x400000"
RECORD = SCRATCH + 240  # bytes the program writes after each block

_LOADS = "\n".join(f"\tldq ${i}, {8 * i}($28)" for i in range(27))
_STORES = "\n".join(f"\tstq ${i}, {SCRATCH + 8 * i}($30)" for i in range(30))

# Data at 400000 hex: scratch, 240 bytes of registers, block number and state number behind them,
# then the states and the table of blocks. r30 and r29 are the base of scratch, never a destination.
_RUNNER = """// SPDX-License-Identifier: BSD-2-Clause
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
"""


def program(seed: int, blocks: int, states: int) -> str:
    """Assembly text: every block from every state; scratch and registers are written after each."""
    rng = random.Random(seed)
    lines = [_RUNNER.format(states=states, blocks=blocks, stores=_STORES, loads=_LOADS)]
    for i in range(blocks):
        lines += [*Block(rng, USER, f"block{i}").fill(BLOCK_WORDS), "\tbr $31, after"]
    lines += ["\t.data", f"\t.space {SCRATCH + 256}, 0x5a"]
    lines += [f"\t.quad {value(rng):#x}" for _ in range(states * 30)]
    lines += [f"\t.quad block{i}" for i in range(blocks)]
    return "\n".join(lines) + "\n"
