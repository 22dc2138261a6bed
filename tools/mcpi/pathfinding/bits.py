# SPDX-License-Identifier: BSD-2-Clause
"""Values whose bits carry the bits of a frame that they were made from.

A set of the frame's bits is an integer: bit 8 * n + k of it is bit k of byte n. ``made`` has such a
set for each of a value's 64 bits, or is None if all are empty. ``number`` is the value itself where
it is known: constants, and pointers that an access has shown.
"""

from itertools import accumulate
from operator import or_
from typing import NamedTuple

BITS = 64
ALL = (1 << BITS) - 1
Sets = tuple[int, ...]
EMPTY: Sets = (0,) * BITS


class Value(NamedTuple):
    made: Sets | None = None
    number: int | None = None

    @property
    def sets(self) -> Sets:
        return self.made or EMPTY

    @property
    def every(self) -> int:
        """All bits of the frame that any bit was made from."""
        return union(self.made) if self.made else 0


UNKNOWN, ZERO = Value(), Value(None, 0)


def union(sets) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def made(sets) -> Value:
    """A value of these sets, whose number is not known."""
    sets = tuple(sets)
    return Value(sets) if any(sets) else UNKNOWN


def both(a: Value, b: Value) -> Value:
    """Bit by bit, of both: exclusive or, and the like."""
    if a.made is None and b.made is None:
        return UNKNOWN
    return made(map(or_, a.sets, b.sets))


def kept(a: Value, b: Value, where: int) -> Value:
    """AND, and the like: of two bits, one that is a constant decides where it is zero.

    ``where``: 1 if a zero decides (AND), 0 if a one does (OR)."""
    if a.made is None and b.made is None:
        return UNKNOWN
    sets = list(map(or_, a.sets, b.sets))
    for one in (a, b):
        if one.number is not None and one.made is None:
            decides = ~one.number if where else one.number
            for n in range(BITS):
                if decides >> n & 1:
                    sets[n] = 0
    return made(sets)


def inverted(a: Value) -> Value:
    return Value(a.made, None if a.number is None else ~a.number & ALL)


def added(a: Value, b: Value) -> Value:
    """Sum or difference: a carry takes each bit to those above it."""
    if a.made is None and b.made is None:
        return UNKNOWN
    for one, other in ((a, b), (b, a)):
        if one.number == 0 and one.made is None:
            return Value(other.made)
    return made(accumulate(map(or_, a.sets, b.sets), or_))


def shifted(a: Value, left: int) -> Value:
    """Shifted left by ``left`` bits, right if negative; zeros come in."""
    if a.made is None or not -BITS < left < BITS:
        return UNKNOWN
    if left >= 0:
        return made((0,) * left + a.made[: BITS - left])
    return made(a.made[-left:] + (0,) * -left)


def sign_extended(a: Value, bits: int) -> Value:
    """The lowest ``bits``; those above are like the highest of them."""
    if a.made is None:
        return UNKNOWN
    return made(a.made[:bits] + (a.made[bits - 1],) * (BITS - bits))


def bytes_kept(a: Value, mask: int) -> Value:
    """The bytes of the bits of ``mask``."""
    if a.made is None:
        return UNKNOWN
    return made(one if mask >> n // 8 & 1 else 0 for n, one in enumerate(a.made))


def smeared(*values: Value) -> Value:
    """A value each of whose bits may have been made from any of these values' bits."""
    every = union(value.every for value in values)
    return Value((every,) * BITS) if every else UNKNOWN


def lowest(*values: Value) -> Value:
    """A value of one bit that was made from all of these."""
    every = union(value.every for value in values)
    return Value((every, *EMPTY[1:])) if every else UNKNOWN
