# SPDX-License-Identifier: BSD-2-Clause
"""Each instruction's bits, against results computed plainly: a bit that a result's bit does not
carry does not change it."""

import random

import pytest
from core_support.operate_reference import OPERATES

from mcpi.isa import table
from mcpi.pathfinding import bits
from mcpi.pathfinding.bits import ALL, Value
from mcpi.pathfinding.operations import operated

NAMES = [row.name for row in table.rows() if row.format == "operate" and "/" not in row.name]
MOVES = [name for name in NAMES if name.startswith("cmov")]
KNOWN = [name for name in NAMES if name in OPERATES and name not in MOVES]
A = Value(tuple(1 << n for n in range(64)))
B = Value(tuple(1 << 64 + n for n in range(64)))
NUMBERS = (0, 1, 2, 3, 4, 7, 8, 31, 32, 63, 0xFF, 0x3FFF, ALL, 1 << 63, 0x8000_0000)


def changed(name: str, a: int, b: int, flip: int, of: str) -> int:
    """Bits of the result that one flipped bit of an operand changes."""
    other = (a ^ 1 << flip, b) if of == "a" else (a, b ^ 1 << flip)
    return OPERATES[name](a, b) ^ OPERATES[name](*other)


def carried(value: Value, bit: int) -> int:
    """The result's bits that carry this bit of an operand."""
    return sum(1 << n for n, one in enumerate(value.sets) if one >> bit & 1)


@pytest.mark.parametrize("name", KNOWN)
def test_a_bit_that_is_not_carried_changes_nothing(name: str) -> None:
    draw = random.Random(name)
    whole = operated(name, A, B, bits.UNKNOWN)
    for _ in range(20):
        b = draw.choice([*NUMBERS, draw.getrandbits(64)])
        a = draw.choice([*NUMBERS, draw.getrandbits(64)])
        known = operated(name, A, Value(None, b), bits.UNKNOWN)
        for flip in range(64):
            assert not changed(name, a, b, flip, "a") & ~carried(known, flip), (a, b, flip)
            assert not changed(name, a, b, flip, "a") & ~carried(whole, flip)
            assert not changed(name, a, b, flip, "b") & ~carried(whole, 64 + flip)


@pytest.mark.parametrize("name", ["and", "bic", "bis", "sll", "srl", "sra", "zapnot", "extwl",
                                  "extqh", "inswl", "mskwl", "addl"])  # fmt: skip
@pytest.mark.parametrize("b", [0, 3, 6, 8, 0x37, 0xFF])
def test_with_a_number_nothing_is_carried_in_vain(name: str, b: int) -> None:
    """Each carried bit does change the result for some operand."""
    if name == "addl" and b:
        return  # a carry reaches all bits above it, and some sums have none
    draw = random.Random(b)
    value = operated(name, A, Value(None, b), bits.UNKNOWN)
    seen = [0] * 64
    for _ in range(40):
        a = draw.getrandbits(64)
        for flip in range(64):
            seen[flip] |= changed(name, a, b, flip, "a")
    assert [carried(value, flip) for flip in range(64)] == seen


@pytest.mark.parametrize("name", KNOWN)
def test_numbers_are_right_where_they_are_known(name: str) -> None:
    draw = random.Random(name)
    for _ in range(50):
        a, b = draw.choice(NUMBERS), draw.getrandbits(64)
        found = operated(name, Value(None, a), Value(None, b), bits.UNKNOWN)
        assert found.made is None
        assert found.number in (None, OPERATES[name](a, b) & ALL)


@pytest.mark.parametrize("name", MOVES)
def test_a_move_carries_both_and_its_condition(name: str) -> None:
    old = Value(tuple(1 << 128 + n for n in range(64)))
    found = operated(name, A, B, old)
    condition = sum(1 << n for n in range(64))
    assert all(one == condition | 1 << 64 + n | 1 << 128 + n for n, one in enumerate(found.sets))
