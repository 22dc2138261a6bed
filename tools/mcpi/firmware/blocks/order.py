# SPDX-License-Identifier: BSD-2-Clause
"""Order a function's blocks by a profile: what no invocation executed moves behind the others.

``source`` leaves the others in the order of the source. ``tsp`` makes chains of them, so that the
way that is taken most falls through: of all ways to join two chains, that with the greatest gain of
the extended travelling salesman's score (Newell and Pupyrev 2020) comes first. A function that the
profile does not have, or has with another number of blocks, is outlined by its annotations.

Run as ``python -m mcpi.firmware.blocks.order HOW PROFILE.csv SOURCE IN.s OUT.s``; ``SOURCE``: as
the profile names it.
"""

import itertools
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mcpi.firmware import outline
from mcpi.firmware.blocks import profile
from mcpi.firmware.blocks.profile import ENTRY, Profile, Ways
from mcpi.firmware.outline import INSTRUCTION, Block

SOURCE, TSP = HOWS = ("source", "tsp")
# A way that falls through counts 1. A jump counts 0.1, less the farther it goes: nothing from so
# many bytes on.
JUMP, FORWARD, BACKWARD = 0.1, 1024, 640
SPLIT = 32  # blocks of the longest chain that another may be put into


@dataclass(frozen=True)
class Chain:
    """Blocks that stay together; ``score``: of the ways among them."""

    blocks: tuple[int, ...]
    score: float = 0.0


def by_profile(how: str, source: str, found: Profile) -> outline.Order:
    """The order for ``outline.outline``."""

    def order(name: str, blocks: list[Block]) -> tuple[list[Block], list[Block]] | None:
        ways = found.get((source, name))
        if ways is None or ways.blocks != len(blocks):
            return outline.annotated(name, blocks)
        executed = sorted(ways.executed)
        if how == TSP:
            sizes = [4 * sum(map(bool, map(INSTRUCTION.match, b.lines))) for b in blocks]
            executed = chained(executed, sizes, ways)
        cold = (b for n, b in enumerate(blocks) if n not in ways.executed)
        return [blocks[n] for n in executed], list(cold)

    return order


def chained(executed: Iterable[int], sizes: list[int], ways: Ways) -> list[int]:
    """The executed blocks in the order that ext-TSP gives them, the entry first."""
    jumps = {way: times for way, times in ways.times.items() if way[0] != ENTRY}
    chains = {n: Chain((n,), score((n,), sizes, jumps)) for n in executed}
    gains: dict[tuple[int, int], tuple[float, Chain]] = {}

    def consider(one: int, other: int) -> None:
        if one != other and one in chains and other in chains:
            gains[one, other] = _best(chains[one], chains[other], sizes, jumps)

    home = {n: n for n in chains}
    for start, end in jumps:
        consider(start, end)
        consider(end, start)
    while gains:
        (one, other), (gain, joined) = max(gains.items(), key=lambda g: (g[1][0], g[0]))
        if gain <= 0:
            break
        chains[one] = joined
        del chains[other]
        home |= dict.fromkeys(joined.blocks, one)
        near = {n for pair in gains if {one, other} & set(pair) for n in pair} - {one, other}
        gains = {pair: g for pair, g in gains.items() if not {one, other} & set(pair)}
        for n in near:
            consider(one, n)
            consider(n, one)
    entered = dict.fromkeys(chains.values(), 0)
    for (_, end), times in ways.times.items():
        entered[chains[home[end]]] += times
    first = chains[home[0]]

    def density(chain: Chain) -> tuple[float, int]:
        return -entered[chain] / max(sum(sizes[n] for n in chain.blocks), 4), chain.blocks[0]

    rest = sorted((c for c in chains.values() if c is not first), key=density)
    return [n for chain in (first, *rest) for n in chain.blocks]


def score(blocks: tuple[int, ...], sizes: list[int], jumps: dict[tuple[int, int], int]) -> float:
    """The extended travelling salesman's score of the ways among these blocks, in this order."""
    starts = dict(zip(blocks, itertools.accumulate((sizes[n] for n in blocks), initial=0)))
    found = 0.0
    for (start, end), times in jumps.items():
        if start in starts and end in starts:
            distance = starts[end] - starts[start] - sizes[start]
            reach = FORWARD if distance > 0 else BACKWARD
            near = max(0.0, 1 - abs(distance) / reach)
            found += times * (1.0 if distance == 0 and start != end else JUMP * near)
    return found


def _best(
    one: Chain, other: Chain, sizes: list[int], jumps: dict[tuple[int, int], int]
) -> tuple[float, Chain]:
    """The best chain of two, ``other`` behind ``one`` or within it, and what it gains. The entry
    stays first."""
    if 0 in other.blocks:
        return 0.0, one
    own = {*one.blocks, *other.blocks}
    among = {way: times for way, times in jumps.items() if own.issuperset(way)}
    a, b = one.blocks, other.blocks
    cuts = range(1, len(a) + 1) if len(a) <= SPLIT else (len(a),)
    found = [a[:cut] + b + a[cut:] for cut in cuts]
    if 0 not in a:
        found.append(b + a)
    scored = [Chain(blocks, score(blocks, sizes, among)) for blocks in found]
    best = max(scored, key=lambda chain: chain.score)
    return best.score - one.score - other.score, best


def main() -> None:
    how, file, source, before, after = sys.argv[1:]
    found = profile.read(Path(file))
    order = by_profile(how, source, found)
    Path(after).write_text(outline.outline(Path(before).read_text(), order))


if __name__ == "__main__":
    main()
