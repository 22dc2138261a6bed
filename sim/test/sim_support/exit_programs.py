# SPDX-License-Identifier: BSD-2-Clause
"""Programs that end in any tick."""

import random

from sim_support.simulators import START

HEAD = f"{START}\tlda $2, 1($31)\n\tsll $2, 21, $2\n"
BEFORE = [
    "addq $3, 1, $3",
    "mulq $3, 5, $4",
    "mull $3, 5, $6",
    "ldq $5, 0($2)\n\tlda $2, 4096($2)",
    "stq $3, 64($2)\n\tlda $2, 128($2)",
    "mb",
    "stq $3, -0x10($13)",
    "ldq $7, 0x1000($13)",
    "br $31, .+4",
]


def program(number: int) -> tuple[str, dict[str, str]]:
    """A guest that exits with 0 or another code, and the machine for it."""
    draw = random.Random(f"exit {number}")
    before = draw.choices(BEFORE, k=draw.randrange(20))
    before += ["addq $3, 1, $3"] * draw.randrange(70)
    last = draw.choices(BEFORE, k=draw.randrange(4))
    code = draw.choice([0, 0, 3])
    lines = [*before, f"lda $17, {code}($31)", *last, "stq $17, 0($13)", "br $31, ."]
    settings = {"memory.ideal": draw.choice(["off", "off", "on"])}
    return HEAD + "".join(f"\t{line}\n" for line in lines), settings
