# SPDX-License-Identifier: BSD-2-Clause
"""Random freestanding Alpha programs that print every register after every block.

The same ELF runs under qemu-alpha's user mode and on the model; see
``sim/test/alpha/test_model.py``. The blocks are those of the core bench but for what a user program
cannot do: trap, PAL mode, I/O.
"""

import random
from pathlib import Path

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
_RUNNER = Path(__file__).with_suffix(".S").read_text()  # a template


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
