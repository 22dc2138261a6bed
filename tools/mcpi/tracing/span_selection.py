# SPDX-License-Identifier: BSD-2-Clause
"""Which ticks of a run are traced: given, around a passage of an instruction, an invocation, or a
round trip."""

import csv
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from mcpi.analysis.places import Places
from mcpi.base.errors import UserError
from mcpi.results import files
from mcpi.spec.numbers import CLIENT

OPEN, CLOSE, INVOCATION, MEASURE = "window_open", "window_close", "invocation", "measure_start"
TRIP_ENDS = "round_trip_end"
_AROUND = re.compile(r"([\w.$]+)(?:\+(0x[0-9a-fA-F]+|\d+))?")
_TICKS = re.compile(r"(\+?)(\d[\d,_]*):\1(\d[\d,_]*)")


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
    """``around``: FUNCTION or FUNCTION+OFFSET, ``width``: so many ticks of it; ``ticks``: A:B of
    the run, or +A:+B of the invocation or round trip; ``last``: so many instructions until the run
    ends or fails; ``round_trip``: the N-th measured one, from 1; none of them: the
    ``invocation``-th measured invocation, from 1."""

    around: str = ""
    ticks: str = ""
    invocation: int = 1
    width: int = 100
    last: int = 0
    round_trip: int = 0

    @property
    def relative(self) -> bool:
        """``ticks`` are counted from the start of an invocation or round trip."""
        return self.ticks.startswith("+")

    def given(self, limit: int) -> Span | None:
        """The span of ``--ticks``. UserError for what cannot be, or not in ``limit`` ticks."""
        if not self.ticks:
            return None
        start, end = self.bounds()
        if self.relative:
            return None
        if start >= limit:
            raise UserError(f"--ticks {self.ticks}: no run of this kind lasts {limit:,} ticks.")
        return Span(start, end, "--ticks")

    def bounds(self) -> tuple[int, int]:
        """Both numbers of ``ticks``. UserError for what is no A:B."""
        match = _TICKS.fullmatch(self.ticks)
        if not match:
            raise UserError(
                f"--ticks {self.ticks}: A:B is wanted, two ticks, as 1200000:1200400; or +A:+B, "
                "counted from --round-trip or --invocation."
            )
        start, end = (int(re.sub("[,_]", "", text)) for text in match.groups()[1:])
        if start >= end:
            raise UserError(f"--ticks {self.ticks}: it ends before it begins.")
        return start, end

    def part(self, whole: Span) -> Span:
        """The relative ``ticks`` of a span; the span itself if there are none."""
        if not self.relative:
            return whole
        start, end = self.bounds()
        length = whole.end - whole.start
        if start >= length:
            raise UserError(f"--ticks {self.ticks}: {whole.why} has {length:,} ticks.")
        why = f"--ticks {self.ticks} of {whole.why}"
        return Span(whole.start + start, whole.start + end, why)

    @property
    def place(self) -> tuple[str, int]:
        """Function and offset of ``around``."""
        match = _AROUND.fullmatch(self.around)
        if not match:
            raise UserError(f"--around {self.around}: FUNCTION or FUNCTION+0x40 is wanted.")
        offset = int(match[2] or "0", 0)
        if offset % 4:
            raise UserError(
                f"--around {self.around}: {offset} is no multiple of 4, an instruction's bytes."
            )
        return match[1], offset


def addresses(places: Places, wanted: Wanted) -> list[int]:
    """Where the instruction of ``around`` runs, virtual: in the function, and in its copies."""
    name, offset = wanted.place
    start, end = places.function(name)
    if start + offset >= end:
        raise UserError(
            f"--around {wanted.around}: the offset is outside {name}, which has "
            f"{end - start:#x} bytes."
        )
    return [start + offset, *places.copies(start + offset)]


@dataclass(frozen=True)
class Stamps:
    """Stamps of one machine, by name; ``begins``: when the measurement does; ``ended``: when the
    client's round trips did."""

    rows: list[tuple[int, str]]
    begins: int
    ended: tuple[int, ...] = ()

    @classmethod
    def read(cls, path: Path, node: int) -> "Stamps":
        with files.text(path) as stream:
            rows = [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in csv.DictReader(stream)]
        begins = next((t for t, n, name in rows if (n, name) == (CLIENT, MEASURE)), -1)
        ended = tuple(t for t, n, name in rows if (n, name) == (CLIENT, TRIP_ENDS))
        return cls([(t, name) for t, n, name in rows if n == node], begins, ended)

    def named(self, name: str) -> list[int]:
        return [tick for tick, stamp in self.rows if stamp == name]

    def round_trips(self) -> list[tuple[int, int]]:
        """First tick, and the tick after the last, of each measured round trip: one ends where the
        reply has come up, and there the next begins."""
        return list(itertools.pairwise((self.begins, *(t for t in self.ended if t > self.begins))))

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
    """The span of ``around``, whose passages have the stamp ``passed``, of a round trip, or of an
    invocation. UserError if the run has not that many."""
    if number := wanted.round_trip:
        trips = stamps.round_trips()
        if number > len(trips):
            raise UserError(f"--round-trip {number}: the run has {len(trips)} round trips.")
        return wanted.part(Span(*trips[number - 1], f"round trip {number}"))
    number = wanted.invocation
    invocations = stamps.invocations()
    if number > len(invocations):
        raise UserError(
            f"--invocation {number}: the {side} has {len(invocations)} measured invocations."
        )
    start, end = invocations[number - 1]
    if not wanted.around:
        return wanted.part(Span(start, end, f"invocation {number}"))
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
