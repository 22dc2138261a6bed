# SPDX-License-Identifier: BSD-2-Clause
"""Random freestanding Alpha programs that print every register after every block.

The same ELF runs under qemu-alpha's user mode and on the model; see ``test_model.py``.
"""

import csv
import random
from pathlib import Path

FACTS = Path(__file__).with_name("operate.csv")
BLOCK_WORDS = 120
SCRATCH = 1024  # bytes below r30's reach that loads and stores use

_CORNERS = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
    1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0xFFFFFFFF80000000, 0x0101010101010101,
]  # fmt: skip


def operates() -> list[tuple[int, int]]:
    """(opcode, function) of every operate instruction but those that trap on overflow."""
    with FACTS.open() as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [
            (int(row["opcode_hex"], 16), int(row["func_hex"], 16))
            for row in rows
            if not row["mnemonic"].endswith("/v")
        ]


def _operate(rng: random.Random, table: list[tuple[int, int]]) -> int:
    opcode, function = rng.choice(table)
    word = opcode << 26 | function << 5 | rng.randrange(30)
    if (opcode, function) in ((0x11, 0x61), (0x11, 0x6C)):
        word |= 31 << 21  # AMASK and IMPLVER have ra = r31
    else:
        word |= rng.randrange(32) << 21
    if (opcode, function) == (0x11, 0x6C):
        return word | 1 << 13 | 1 << 12
    if rng.random() < 0.3:
        return word | rng.randrange(256) << 13 | 1 << 12
    return word | rng.randrange(32) << 16


def _memory(rng: random.Random) -> int:
    opcode = rng.choice([0x0B, 0x0F, 0x28, 0x29, 0x2C, 0x2D])
    size = {0x0B: 1, 0x0F: 1, 0x28: 4, 0x2C: 4}.get(opcode, 8)
    offset = rng.randrange(SCRATCH // size) * size
    return opcode << 26 | rng.randrange(30) << 21 | 30 << 16 | offset


def block(rng: random.Random, table: list[tuple[int, int]]) -> list[int]:
    """Words of one block; branches only skip a few words forward, inside it."""
    words = []
    for left in range(BLOCK_WORDS, 0, -1):
        kind = rng.random()
        if kind < 0.08 and left > 4:
            opcode = rng.choice([0x30, 0x34, *range(0x38, 0x40)])
            words.append(opcode << 26 | rng.randrange(30) << 21 | rng.randrange(1, 4))
        elif kind < 0.25:
            words.append(_memory(rng))
        elif kind < 0.30:
            opcode = rng.choice([0x08, 0x09])
            fields = rng.randrange(30) << 21 | rng.randrange(32) << 16 | rng.randrange(1 << 16)
            words.append(opcode << 26 | fields)
        else:
            words.append(_operate(rng, table))
    return words


def program(seed: int, blocks: int, states: int) -> str:
    """Assembly text: every block from every state; scratch and registers are written after each."""
    rng = random.Random(seed)
    table = operates()
    lines = [_RUNNER.format(states=states, blocks=blocks, stores=_STORES, loads=_LOADS)]
    for i in range(blocks):
        lines.append(f"block{i}:\n\tldq $27, 216($30)\n\tldah $30, 0x40($31)")
        lines += [f"\t.long {w:#010x}" for w in block(rng, table)]
        lines.append("\tbr $31, after")
    lines.append("\t.data")
    lines.append(f"\t.space {SCRATCH + 256}, 0x5a")
    for _ in range(states * 30):
        value = rng.choice(_CORNERS) if rng.random() < 0.4 else rng.getrandbits(64)
        lines.append(f"\t.quad {value:#x}")
    lines += [f"\t.quad block{i}" for i in range(blocks)]
    return "\n".join(lines) + "\n"


LINK = ["-nostdlib", "-static", "-Wl,--no-relax,--build-id=none"]
LINK[-1] += ",-Ttext=0x200000,-Tdata=0x400000"
RECORD = SCRATCH + 240  # bytes the program writes after each block

_LOADS = "\n".join(f"\tldq ${i}, {8 * i}($30)" for i in range(30) if i != 27)
_STORES = "\n".join(f"\tstq ${i}, {SCRATCH + 8 * i}($30)" for i in range(30))

# Data at 400000 hex: scratch, 240 bytes of registers, block number and state number behind them,
# then the states and the table of blocks. r30 is the base of scratch, never a destination.
_RUNNER = """// SPDX-License-Identifier: BSD-2-Clause
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	ldah $30, 0x40($31)
	stq $31, 1264($30)
next_block:
	stq $31, 1272($30)
next_state:
	ldq $1, 1272($30)
	lda $2, 240($31)
	mulq $1, $2, $1
	ldq $3, 1264($30)
	lda $30, 1280($30)
	ldah $4, ({states}*240+0x8000)>>16($30)
	lda $4, ({states}*240)&0xffff($4)
	s8addq $3, $4, $4
	ldq $27, 0($4)
	addq $30, $1, $30
{loads}
	jmp $31, ($27)
after:
{stores}
	lda $0, 4($31)
	lda $16, 1($31)
	mov $30, $17
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
	mov $31, $16
	call_pal 0x83
"""
