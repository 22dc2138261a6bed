# SPDX-License-Identifier: BSD-2-Clause
"""A run ends in the same window of both engines, whatever delays the store to the exit register, or
its retirement."""

import random

import pytest
from sim_support import START, both, build, guests, machine_json, told

from mcpi.results import folders
from verify.long_tests import sampled

USUAL, MANY = 12, 150
LATE = {40, 50}  # a product waits for the port while the next is made
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


@pytest.mark.parametrize("number", sampled(range(MANY), lambda n: n < USUAL or n in LATE))
def test_the_same_last_tick(number, tmp_path):
    text, settings = program(number)
    items, machine = guests("guest", tmp_path, text), machine_json(tmp_path, settings)
    done = both(build(), tmp_path, machine, "--max-ticks", 100_000, items=items)
    runs = [told(tmp_path / name) for name in ("rtl", "exact")]
    assert done[0].returncode == done[1].returncode
    for figure in ("ticks", "exit_codes", "instructions"):
        assert runs[0][figure] == runs[1][figure]
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
