# SPDX-License-Identifier: BSD-2-Clause
"""Which ticks of a run are traced: given, around a passage of an instruction, or an invocation."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from mcpi.analysis.places import Places
from mcpi.base.errors import UserError
from mcpi.spec.numbers import CLIENT

OPEN, CLOSE, INVOCATION, MEASURE = "window_open", "window_close", "invocation", "measure_start"
_AROUND = re.compile(r"([\w.$]+)(?:\+(0x[0-9a-fA-F]+|\d+))?")
_TICKS = re.compile(r"(\d[\d,_]*):(\d[\d,_]*)")


@dataclass(frozen=True)
class Span:
    """Ticks ``start`` to ``end`` - 1; ``why``, for people; ``marked``: the tick in the middle."""

    start: int
    end: int
    why: str
    marked: int | None = None

    def holds(self, tick: int) -> bool:
        return self.start <= tick < self.end


@dataclass(frozen=True)
class Wanted:
    """``around``: FUNCTION or FUNCTION+OFFSET, ``width``: so many ticks of it; ``ticks``: A:B;
    ``last``: so many instructions until the run ends or fails; none of them: the
    ``invocation``-th measured invocation, from 1."""

    around: str = ""
    ticks: str = ""
    invocation: int = 1
    width: int = 100
    last: int = 0

    def given(self, limit: int) -> Span | None:
        """The span of ``--ticks``. UserError for what cannot be, or not in ``limit`` ticks."""
        if not self.ticks:
            return None
        match = _TICKS.fullmatch(self.ticks)
        if not match:
            raise UserError(f"--ticks {self.ticks}: A:B is wanted, two ticks, as 1200000:1200400.")
        start, end = (int(re.sub("[,_]", "", text)) for text in match.groups())
        if start >= end:
            raise UserError(f"--ticks {self.ticks}: it ends before it begins.")
        if start >= limit:
            raise UserError(f"--ticks {self.ticks}: no run of this kind lasts {limit:,} ticks.")
        return Span(start, end, "--ticks")

    @property
    def place(self) -> tuple[str, int]:
        """Function and offset of ``around``."""
        match = _AROUND.fullmatch(self.around)
        if not match:
            raise UserError(f"--around {self.around}: FUNCTION or FUNCTION+0x40 is wanted.")
        offset = int(match[2] or "0", 0)
        if offset % 4:
            raise UserError(
                f"--around {self.around}: an instruction has 4 bytes; {offset} is in one."
            )
        return match[1], offset


def addresses(places: Places, wanted: Wanted) -> list[int]:
    """Where the instruction of ``around`` runs, virtual: in the function, and in its copies."""
    name, offset = wanted.place
    start, end = places.function(name)
    if start + offset >= end:
        raise UserError(f"--around {wanted.around}: {name} has {end - start:#x} bytes.")
    return [start + offset, *places.copies(start + offset)]


@dataclass(frozen=True)
class Stamps:
    """Of one machine, by name; ``begins``: when the measurement does."""

    rows: list[tuple[int, str]]
    begins: int

    @classmethod
    def read(cls, path: Path, node: int) -> "Stamps":
        with path.open(newline="") as stream:
            rows = [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in csv.DictReader(stream)]
        begins = next((t for t, n, name in rows if (n, name) == (CLIENT, MEASURE)), -1)
        return cls([(t, name) for t, n, name in rows if n == node], begins)

    def named(self, name: str) -> list[int]:
        return [tick for tick, stamp in self.rows if stamp == name]

    def invocations(self) -> list[tuple[int, int]]:
        """First tick, and the tick after the last, of each measured invocation. A path may leave
        its window and come back: then it ends with the part that has the invocation's marker."""
        counts = INVOCATION in {name for _, name in self.rows}
        found, start, invoked = [], None, False
        for tick, name in self.rows:
            if name == OPEN and start is None:
                start, invoked = tick, not counts
            elif name == INVOCATION:
                invoked = True
            elif name == CLOSE and start is not None and invoked:
                if start > self.begins:
                    found.append((start, tick))
                start = None
        return found


def choose(wanted: Wanted, stamps: Stamps, passed: str, side: str) -> Span:
    """The span of ``around``, whose passages have the stamp ``passed``, or of an invocation.
    UserError if the run has not that many."""
    number = wanted.invocation
    invocations = stamps.invocations()
    if number > len(invocations):
        raise UserError(
            f"--invocation {number}: the {side} has {len(invocations)} measured invocations."
        )
    start, end = invocations[number - 1]
    if not wanted.around:
        return Span(start, end, f"invocation {number}")
    until = invocations[number][0] if number < len(invocations) else None
    passages = stamps.named(passed)
    inside = [t for t in passages if t >= start and (until is None or t < until)]
    if not inside:
        raise UserError(_nowhere(wanted, passages, invocations))
    at = inside[0]
    before = wanted.width // 2
    why = f"{wanted.around} in invocation {number}"
    if len(inside) > 1:
        why += f", passage 1 of {len(inside)}"
    return Span(max(at - before, 0), at - before + wanted.width, why, at)


def _nowhere(wanted: Wanted, passages: list[int], invocations: list[tuple[int, int]]) -> str:
    said = f"--around {wanted.around}: it is not passed in invocation {wanted.invocation}"
    others = [
        n
        for n, (start, end) in enumerate(invocations, 1)
        if any(start <= tick < end for tick in passages)
    ]
    if others:
        return f"{said}, but in {', '.join(map(str, others[:5]))}; --invocation {others[0]}."
    if passages:
        return f"{said}; the run passes it at tick {passages[0]:,}: --ticks."
    return f"{said}, and never in this run."
