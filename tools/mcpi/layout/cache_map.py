# SPDX-License-Identifier: BSD-2-Clause
"""Maps of caches: memory folded at the size of a cache, coloured by function.

A row is one I-cache way of memory, a column one I-cache set: of what stands in one column there
are as many blocks in the I-cache together as it has ways. The b-cache's map has a row for each such
part of it that the path uses.
"""

import colorsys
from collections import Counter
from dataclasses import asdict, dataclass, field

from mcpi.layout.replay import Replay, ram
from mcpi.layout.symbols import DATA, Traced

GOLDEN = 137.508
CODE, GAP, CLASH = "code", "gap", "clash"  # kinds of spans: executed, not executed, wanted twice
PHYSICAL = (1 << 34) - 1


@dataclass(frozen=True)
class Geometry:
    """Bytes; ``ways``: of the I-cache."""

    icache: int
    bcache: int
    block: int
    ways: int = 1

    @property
    def row(self) -> int:
        """Bytes of a row: of a way of the I-cache."""
        return self.icache // self.ways

    @property
    def sets(self) -> int:
        return self.row // self.block


@dataclass
class Map:
    """``rows``: their addresses. ``spans``: row, first set, number of sets, kind, function, what it
    says. ``misses``: by set, an invocation."""

    sets: int
    rows: list[str]
    spans: list[tuple[int, float, float, str, str, str]] = field(default_factory=list)
    misses: list[tuple[int, float]] = field(default_factory=list)

    def add(self, row: int, at: float, sets: float, kind: str, name: str, said: str) -> None:
        """A span; neighbours of one function become one."""
        last = self.spans[-1] if self.spans else None
        if last and kind == CODE and last[:5] == (row, at - last[2], last[2], CODE, name):
            at, sets, said = last[1], last[2] + sets, last[5]
            self.spans.pop()
        self.spans.append((row, at, sets, kind, name, said))

    def record(self) -> dict:
        return asdict(self)


def colours(names: list[str]) -> dict[str, str]:
    """Each function its colour, the same in every map."""
    found = {DATA: "#8a8a8a"}
    for i, name in enumerate(names):
        parts = (i * GOLDEN % 360 / 360, (44 + i % 4 * 7) / 100, (62 + i % 3 * 12) / 100)
        found[name] = "#" + "".join(f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(*parts))
    return found


def code(traced: Traced, misses: Replay, g: Geometry) -> Map:
    """The I-cache's map, and under it the misses of each set."""
    executed: dict[int, Counter] = {}
    for step in traced.invocations[-1]:
        executed.setdefault(step.pc // g.block, Counter())[traced.name(step.pc)] += 1
    pages = sorted({block // g.sets for block in executed})
    found = Map(g.sets, [f"{page * g.row & PHYSICAL:x}" for page in pages])
    for row, page in enumerate(pages):
        start = page * g.row
        for span in traced.spans:
            a, b = max(span.start, start), min(span.end, start + g.row)
            if a < b:
                said = f"{span.function}, not executed"
                at, sets = (a - start) / g.block, (b - a) / g.block
                found.add(row, at, sets, GAP, span.function, said)
        for at in range(g.sets):
            if users := executed.get(page * g.sets + at):
                name = users.most_common(1)[0][0]
                found.add(row, at, 1, CODE, name, _said(name, start + at * g.block, at))
    found.misses = [(at, misses.by_set[at]) for at in range(g.sets) if misses.by_set[at]]
    return found


def both(traced: Traced, g: Geometry) -> Map | None:
    """The b-cache's map of code and data, with the sets that two blocks want; None: no b-cache."""
    if not g.bcache:
        return None
    users: dict[int, dict[int, str]] = {}

    def use(address: int, name: str) -> None:
        block = (address & PHYSICAL) // g.block
        users.setdefault(block % (g.bcache // g.block), {}).setdefault(block, name)

    for steps in traced.invocations:
        for step in steps:
            use(step.pc, traced.name(step.pc))
            if step.address is not None and ram(step.address):
                use(step.address, DATA)
    pages = sorted({at // g.sets for at in users})
    found = Map(g.sets, [f"{page * g.row:x}" for page in pages])
    for at, blocks in sorted(users.items()):
        block, name = next(iter(blocks.items()))
        row, column = pages.index(at // g.sets), at % g.sets
        found.add(row, column, 1, CODE, name, _said(name, block * g.block, column))
        if len(blocks) > 1:
            who = " and ".join(f"{n} {b * g.block:x}" for b, n in blocks.items())
            found.add(row, column, 1, CLASH, name, f"set {at}: {who}")
    return found


def _said(name: str, address: int, at: int) -> str:
    return f"{name} {address & PHYSICAL:x}, set {at}"
