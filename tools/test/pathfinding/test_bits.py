# SPDX-License-Identifier: BSD-2-Clause
"""Sets of a frame's bits: what is kept, and what a carry takes along."""

from mcpi.pathfinding import bits
from mcpi.pathfinding.bits import Value

A = Value(tuple(1 << n for n in range(64)))


def carried(value: Value) -> list[int]:
    return [n for n, one in enumerate(value.sets) if one]


def test_a_constant_decides_where_it_can() -> None:
    assert carried(bits.kept(A, Value(None, 0x3C), 1)) == [2, 3, 4, 5]
    assert carried(bits.kept(A, Value(None, ~0x3C & bits.ALL), 0)) == [2, 3, 4, 5]
    assert carried(bits.kept(A, bits.UNKNOWN, 1)) == [*range(64)]


def test_a_carry_goes_up() -> None:
    low = bits.kept(A, Value(None, 1), 1)
    assert carried(bits.added(low, bits.UNKNOWN)) == [*range(64)]
    assert carried(bits.added(low, bits.ZERO)) == [0]
    assert bits.added(A, bits.UNKNOWN).sets[3] == 0b1111


def test_shifts_and_bytes() -> None:
    assert bits.shifted(A, 8).sets[8] == 1
    assert bits.shifted(A, -8).sets[0] == 1 << 8
    assert carried(bits.bytes_kept(A, 0b10)) == [*range(8, 16)]
    assert bits.sign_extended(A, 32).sets[63] == 1 << 31


def test_what_carries_nothing_is_none() -> None:
    assert bits.made([0] * 64) is bits.UNKNOWN
    assert bits.smeared(bits.UNKNOWN) is bits.UNKNOWN
    assert bits.lowest(A, bits.UNKNOWN).sets[0] == (1 << 64) - 1
