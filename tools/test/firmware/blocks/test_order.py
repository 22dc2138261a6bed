# SPDX-License-Identifier: BSD-2-Clause
"""Blocks in the order of a profile: on assembly, by the score's definition, and by exhaustion."""

import itertools
import random

import pytest

from mcpi.firmware.blocks import order
from mcpi.firmware.blocks.order import SOURCE, TSP, chained, score
from mcpi.firmware.blocks.profile import ENTRY, Ways
from mcpi.firmware.outline import MARK, outline

# Blocks 0 to 4: the test, the annotated way, the usual way, a way never taken, the return.
TEXT = """
\t.ent f
f:
\tbeq $1,$L2
\t# outline: unlikely
\taddq $2,1,$2
\tbr $31,$L4
$L2:
\tbne $3,$L4
\tsubq $2,1,$2
$L4:
\tret $31,($26),1
\t.end f
""".lstrip("\n")


def lines(how: str, ways: Ways) -> list[str]:
    text = outline(TEXT, order.by_profile(how, "a.c", {("a.c", "f"): ways}))
    return [line.strip() for line in text.splitlines() if line.strip() and line.strip() != MARK]


def test_code_that_was_not_executed_moves_annotated_or_not() -> None:
    """The annotated way was taken, so it stays; the other way goes."""
    ways = Ways(5, {(ENTRY, 0): 9, (0, 1): 9, (1, 4): 9})
    found = lines(SOURCE, ways)
    assert found[:6] == [".ent f", "f:", "beq $1,$L2", "addq $2,1,$2", "$L4:", "ret $31,($26),1"]
    assert found[6:] == ["f.cold:", "$L2:", "bne $3,$L4", "subq $2,1,$2", "br\t$31,$L4", ".end f"]


def test_the_usual_way_falls_through() -> None:
    ways = Ways(5, {(ENTRY, 0): 9, (0, 1): 1, (0, 2): 8, (1, 4): 1, (2, 4): 8})
    found = lines(TSP, ways)
    assert found[:6] == [
        ".ent f", "f:", "bne\t$1,$Lout.f.1", "$L2:", "beq\t$3,$Lout.f.3", "$L4:"
    ]  # fmt: skip
    assert found.index("$Lout.f.1:") < found.index("f.cold:") < found.index("$Lout.f.3:")
    assert "br\t$31,$L4" in found  # block 3 still comes to the return


@pytest.mark.parametrize("ways", [Ways(4, {(ENTRY, 0): 9}), None], ids=["other blocks", "unknown"])
def test_annotations_hold_for_a_function_that_the_profile_has_not(ways: Ways | None) -> None:
    profile = {("a.c", "f"): ways} if ways else {("b.c", "f"): Ways(5, {(ENTRY, 0): 9})}
    assert outline(TEXT, order.by_profile(TSP, "a.c", profile)) == outline(TEXT)


def test_the_entry_stays_first_though_no_way_leads_to_it() -> None:
    """A function in which the path's window opens is like that."""
    ways = Ways(5, {(ENTRY, 2): 9, (2, 4): 9})
    for how in (SOURCE, TSP):
        assert lines(how, ways)[:3] == [".ent f", "f:", "bne\t$1,$Lout.f.1"]


def test_score() -> None:
    sizes = [4, 8, 400, 4]
    assert score((0, 1), sizes, {(0, 1): 10}) == 10  # falls through
    forward = score((0, 2, 1), sizes, {(0, 1): 10})
    assert forward == pytest.approx(10 * 0.1 * (1 - 400 / 1024))
    assert score((0, 1), sizes, {(1, 0): 10}) == pytest.approx(10 * 0.1 * (1 - 12 / 640))
    assert score((0, 1), [4, 1000], {(1, 0): 10}) == 0  # too far back
    assert score((0, 1), sizes, {(0, 3): 10}) == 0  # to no block of these


def test_chains_are_near_the_best_order() -> None:
    """Compare with all orders of seven blocks, for functions drawn at random."""
    draw, shares = random.Random(1), []
    for _ in range(20):
        sizes = [4 * draw.randrange(1, 12) for _ in range(7)]
        jumps = {}
        for n in range(6):
            for end in {n + 1, draw.randrange(1, 7)}:
                jumps[n, end] = draw.randrange(1, 100)
        ways = Ways(7, {(ENTRY, 0): 50, **jumps})
        found = chained(range(7), sizes, ways)
        assert sorted(found) == list(range(7)) and found[0] == 0
        best = max(score((0, *rest), sizes, jumps) for rest in itertools.permutations(range(1, 7)))
        shares.append(score(tuple(found), sizes, jumps) / best)
    print(f"score over the best: {min(shares):.3f} to {max(shares):.3f}")
    assert min(shares) > 0.9 and sum(shares) / len(shares) > 0.98
