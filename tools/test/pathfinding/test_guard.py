# SPDX-License-Identifier: BSD-2-Clause
"""The four classes of a decision, and which bits of a byte the guard has of which place."""

from types import SimpleNamespace

import pytest

from mcpi.firmware.clone.path_order import Step
from mcpi.pathfinding import guard
from mcpi.pathfinding.guard import DROP, GUARD, LATER, STATE, Guard
from mcpi.pathfinding.taint import ADDRESS, BRANCH, Decision

LAST, VARYING = 5, 0b1100


class Flow:
    """Control flow in which a branch's other side, its pc + 100, reaches a site or does not."""

    def __init__(self, reaches: bool) -> None:
        self.reaches = reaches

    def other_side(self, pc: int, taken: int) -> int:
        assert taken == pc + 4
        return pc + 100

    def reaches_site(self, start: int, node: str) -> bool:
        assert (start, node) == (8 + 100, "activation")
        return self.reaches


TREE = SimpleNamespace(steps=[Step(4 * n, "", None) for n in range(9)], nodes=["activation"] * 9)


@pytest.mark.parametrize(
    ("kind", "index", "bits", "reaches", "wanted"),
    [
        (BRANCH, 2, 0b0011, True, GUARD),
        (BRANCH, 2, 0b0011, False, DROP),
        (BRANCH, 2, 0b0111, True, STATE),
        (BRANCH, 2, 0b0111, False, DROP),
        (ADDRESS, 2, 0b0011, False, GUARD),
        (ADDRESS, 2, 0b0100, False, STATE),
        (BRANCH, LAST, 0b0011, True, LATER),
        (ADDRESS, 7, 0b0011, True, LATER),
    ],
)
def test_classes(kind: str, index: int, bits: int, reaches: bool, wanted: str) -> None:
    one = Decision(kind, 4 * index, index, bits)
    assert guard._class(one, TREE, LAST, VARYING, Flow(reaches)) == wanted


def test_bits_that_vary() -> None:
    assert guard._varying([b"\x01\x80", b"\x01\x81", b"\x03\x80"]) == 0x0102
    assert guard._varying([b"\x05"]) == 0


def test_places_of_a_byte() -> None:
    """Places that decide by the fewest bits come first."""
    found = Guard(why={(GUARD, 0xFFFF): {"both": None}, (GUARD, 0x0100): {"one": None}})
    found.why[DROP, 0xFF00] = {"dropped": None}
    assert found.places(GUARD, 1) == ["one", "both"]
    assert found.places(GUARD, 0) == ["both"]
    assert found.places(GUARD, 1, 0xFE) == ["both"]
    assert found.places(DROP, 1) == ["dropped"]
