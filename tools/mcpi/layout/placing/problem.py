# SPDX-License-Identifier: BSD-2-Clause
"""A recorded part of a run as a problem of placement: which instructions follow each other, and
which of them lie in functions that can be moved. The same of loads, and sections of data."""

import bisect
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcpi.base.errors import UserError
from mcpi.firmware.elf import PHYSICAL

FIXED = -1


class Run(NamedTuple):
    """Instructions one behind the other: ``words`` of ``function`` from ``offset`` on, in bytes; of
    code that stays (``FIXED``), from the address ``offset``. ``counted``: on the path. Of data: the
    words of loads, and ``function`` is a section."""

    function: int
    offset: int
    words: int
    counted: bool


class Piece(NamedTuple):
    """A function or section that can be moved, and where it was in the recorded run; in bytes."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class Problem:
    """``cache``, ``block``, ``grain`` of positions: in bytes. ``start``, ``pages``: of the area, in
    bytes and cache sizes. ``demand``, ``stream``: ticks of a miss that the stream buffer has not,
    and of one that it has."""

    cache: int
    block: int
    start: int
    pages: int
    prefetch: bool
    demand: int
    stream: int
    pieces: tuple[Piece, ...]
    runs: tuple[Run, ...]
    grain: int = 4

    def write(self, path: Path) -> None:
        """Write the problem as ``mcpi-place`` reads it."""
        names = ("cache", "block", "grain", "start", "pages", "prefetch", "demand", "stream")
        content = {name: getattr(self, name) for name in names}
        content |= {"sizes": [piece.size for piece in self.pieces], "runs": self.runs}
        path.write_text(json.dumps(content) + "\n")

    @property
    def positions(self) -> list[int]:
        """Positions of the pieces in the recorded run."""
        return [piece.start % self.cache for piece in self.pieces]


def fits(problem: Problem, positions: list[int]) -> bool:
    """Return true if the area has room for the pieces: in order, each in the first I-cache size
    that is free."""
    area = problem.start + problem.pages * problem.cache
    taken: list[range] = []
    for piece, position in zip(problem.pieces, positions, strict=True):
        at = problem.start + position
        while any(at < other.stop and other.start < at + piece.size for other in taken):
            at += problem.cache
        taken.append(range(at, at + piece.size))
    return all(one.stop <= area for one in taken)


def pieces(about: Path) -> tuple[Piece, ...]:
    """The copies of an image, from the ``.json`` next to it, in call order."""
    try:
        content = json.loads(about.read_text())["copies"]
    except OSError:
        raise UserError(f"{about.with_suffix('.elf').name}: it has no copies to place.") from None
    return tuple(Piece(c["function"], c["target"] & PHYSICAL, 4 * c["words"]) for c in content)


def runs(
    issues: Iterable[tuple[int, int]], copies: tuple[Piece, ...], counted: list[tuple[int, int]]
) -> tuple[Run, ...]:
    """Runs of a span's ``issues``: tick, and program counter as a run has it (or a load's address).
    ``counted``: intervals of ticks, in order, that are on the path."""
    ordered = sorted(range(len(copies)), key=lambda n: copies[n].start)
    starts = [copies[n].start for n in ordered]
    begins = [first for first, _ in counted]
    found: list[Run] = []
    last = None
    for tick, pc in issues:
        address = pc & ~3 & PHYSICAL
        i = bisect.bisect_right(begins, tick) - 1
        on_path = i >= 0 and tick < counted[i][1]
        n = bisect.bisect_right(starts, address) - 1
        piece = ordered[n] if n >= 0 else FIXED
        if piece != FIXED and address >= copies[piece].start + copies[piece].size:
            piece = FIXED
        same = last is not None and address == last + 4
        if same and (found[-1].function, found[-1].counted) == (piece, on_path):
            found[-1] = found[-1]._replace(words=found[-1].words + 1)
        else:
            offset = address - (copies[piece].start if piece != FIXED else 0)
            found.append(Run(piece, offset, 1, on_path))
        last = address
    return tuple(found)
