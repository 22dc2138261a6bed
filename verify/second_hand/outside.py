# SPDX-License-Identifier: BSD-2-Clause
"""Misses of cold path invocations by a cache simulator that nobody here wrote:
``./mcpi python -m verify.second_hand.outside`` compares them with the replay of the same traces;
``--write`` makes ``TABLE`` anew, which has the counters of the runs too.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.environment import want_group
from mcpi.base.repo import ROOT
from verify.second_hand import fixtures
from verify.second_hand.recount import raw
from verify.second_hand.recount.run import BLOCK, kilobytes
from verify.second_hand.recount.sigcomm96 import VERSIONS
from verify.second_hand.recount.steps import TITLES

GROUP = "caches"
TABLE = ROOT / "docs" / "data" / "verification" / "misses.csv"
HEAD = (
    "# SPDX-License-Identifier: BSD-2-Clause",
    "# Misses (replacement misses) of the cold invocation by an outside simulator, by the counters "
    "of the run and by our replay; of the b-cache the outside has two bounds. Written by "
    "./mcpi python -m verify.second_hand.outside --write. docs/verification/second-hand.md.",
    "stack,version,i outside,i counters,d outside,d counters,b replay,b outside",
)
KINDS = ("misses", "replacement_misses")
PAGE = 8192  # bytes; the prefetched block is in the page of the one that missed

Misses = tuple[int, int]  # and how many of them on blocks that the cache had before


class Cache:
    """A direct-mapped cache of the outside simulator, with blocks of ours, empty; stores go through
    it and allocate nothing."""

    def __init__(self, size: str) -> None:
        from cachesim.cache import Cache as Outside

        ways = {"lines": kilobytes(size) // BLOCK, "line_size": BLOCK, "associativity": 1}
        self.outside = Outside(**ways, write_back=False, write_allocate=False)
        self.empty()

    def empty(self) -> None:
        self.outside.invalidate()
        self.seen: set[int] = set()
        self.misses = self.replaced = 0

    def load(self, address: int) -> bool:
        """Return true if it missed."""
        missed = not self.outside.reference(address, 1, False).hit
        self.misses += missed
        self.replaced += missed and address // BLOCK in self.seen
        self.seen.add(address // BLOCK)
        return missed

    def store(self, address: int) -> None:
        self.outside.reference(address, 1, True)

    @property
    def found(self) -> Misses:
        return self.misses, self.replaced


@dataclass(frozen=True)
class Opinion:
    """Misses of both caches, and of the b-cache between two bounds: nothing is prefetched, and the
    next block after every miss of the i-cache."""

    i: Misses
    d: Misses
    least: Misses
    most: Misses

    def agrees(self, replay: "Opinion") -> bool:
        """``replay``: ours, of the same trace; its bounds are equal."""
        between = self.least[0] <= replay.least[0] <= self.most[0]
        return (self.i, self.d) == (replay.i, replay.d) and between


def caches() -> tuple[Cache, ...]:
    """The i-cache and the d-cache, and the b-cache twice."""
    return tuple(map(Cache, ("8KB", "8KB", "2048KB", "2048KB")))


def outside(trace: list[dict[str, str]], parts: tuple[Cache, ...]) -> Opinion:
    """The outside simulator's. A store allocates in the b-cache."""
    i, d, least, most = parts
    for one in parts:
        one.empty()

    def below(address: int) -> None:
        least.load(address)
        most.load(address)

    for n, issue in enumerate(trace, 1):
        pc = int(issue["pc"], 16)
        if i.load(pc):
            below(pc)
            if (pc + BLOCK) // PAGE == pc // PAGE:
                most.load(pc + BLOCK)
        if n == len(trace) or issue["kind"] not in ("load", "store"):
            continue  # the last instruction's access comes when the window has closed
        address = int(issue["address"], 16)
        if issue["kind"] == "store":
            d.store(address)
            below(address)
        elif d.load(address):
            below(address)
    return Opinion(i.found, d.found, least.found, most.found)


def ours(counts: dict[str, int]) -> Opinion:
    i, d, b = (
        tuple(counts.get(f"{c}.{kind}", 0) for kind in KINDS)
        for c in ("icache", "dcache", "bcache")
    )
    return Opinion(i, d, b, b)


def opinions(root: Path) -> Iterator[tuple[tuple[str, str], Opinion, Opinion, Opinion]]:
    """Labels of each version of SIGCOMM'96; the outside simulator's opinion of its cold invocation,
    that of our replay of the same trace, and the counters of the run."""
    parts = caches()
    for stack, versions in VERSIONS.items():
        for version in versions:
            cold = root / f"{stack}-{version}" / "cold"
            theirs = outside(raw.lines(cold / "cold_trace.csv"), parts)
            replay = json.loads((cold / "replay.json").read_text())
            yield (TITLES[stack], version.upper()), theirs, ours(replay), ours(raw.counts(cold))


Found = list[tuple[tuple[str, str], Opinion, Opinion, Opinion]]


def text(rows: Found) -> str:
    """``TABLE`` anew."""
    lines = [*HEAD]
    for labels, theirs, replay, counters in rows:
        pairs = (theirs.i, counters.i, theirs.d, counters.d, replay.least)
        cells = [f"{misses} ({replaced})" for misses, replaced in pairs]
        lines.append(",".join((*labels, *cells, f"{theirs.least[0]} to {theirs.most[0]}")))
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    """1 if the outside simulator has other numbers than our replay."""
    want_group(GROUP)
    with tempfile.TemporaryDirectory() as folder:
        fixtures.unpack("sigcomm96", Path(folder))
        rows = list(opinions(Path(folder)))
    if words == ["--write"]:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(text(rows))
    other = sum(not theirs.agrees(replay) for _, theirs, replay, _ in rows)
    print(f"misses (replacement misses) of {len(rows)} traces, {other} otherwise by our replay")
    return int(other > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
