# SPDX-License-Identifier: BSD-2-Clause
"""Which instruction each tick of a path belongs to, from ``ticks.csv``.

An issue belongs to its instruction. A tick in which nothing issues has an owner, and the owner says
whether the instruction that comes next waits, or the one before it holds the rest up:

    before ──► taken_bubble, mispredict, exception, idle ──► next
               └ belongs to `before`       i_demand, d_miss, shift, … ┘ belong to `next`

So the ticks of all instructions, owner by owner, sum to the counters of the window, and so do the
caches' events.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from mcpi.base.errors import UserError
from mcpi.machine import counters

ISSUE = "issue"
#: Owners of ticks that the instruction before them causes.
OF_THE_ONE_BEFORE = frozenset({"taken_bubble", "mispredict", "exception", "idle"})
#: Events of a tick of the core that are no ticks of a mode, in order.
_EVENTS = [row.name for row in counters.common("core") if row.log and not row.skips]
#: Events of a fetch: of the instruction that issues next.
FETCHED = tuple(name for name in _EVENTS if name.startswith("icache."))
#: Events of an access in stage E1, or of a branch's end: of the instruction that issued last.
EXECUTED = tuple(name for name in _EVENTS if name not in FETCHED)
EVENTS = FETCHED + EXECUTED
Key = TypeVar("Key", bound=Hashable)
NOBODY = -1  # a window in which nothing issued


class Tick(NamedTuple):
    """A row of ``ticks.csv``: ``count`` ticks from ``first`` on, all alike. ``pc`` is physical,
    bit 0 set in PAL mode; None if nothing issues."""

    first: int
    count: int
    owner: str
    pc: int | None
    events: tuple[str, ...]


@dataclass
class Cost:
    """Cost of an instruction: ticks by owner (an issue is one), events by counter."""

    ticks: Counter = field(default_factory=Counter)
    events: Counter = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.ticks.total()

    def add(self, other: "Cost") -> None:
        self.ticks.update(other.ticks)
        self.events.update(other.events)


def read(path: Path, after: int = -1) -> Iterator[Tick]:
    """The rows of ``ticks.csv``, in order, of segments that begin after a tick. UserError if the
    run left none."""
    try:
        stream = path.open(newline="")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; run it with --tick-log client.") from None
    with stream:
        next(stream, None)
        open_until = None  # where the segment that began too early goes on
        for tick, count, owner, pc, events in csv.reader(stream):
            first = int(tick)
            if first <= after or first == open_until:
                open_until = first + int(count)
                continue
            where = int(pc, 16) if pc else None
            yield Tick(first, int(count), owner, where, tuple(events.split()))


def segments(ticks: Iterable[Tick]) -> Iterator[list[Tick]]:
    """The rows of an open window, or of a part between two pauses: no tick is missing in it."""
    segment: list[Tick] = []
    for tick in ticks:
        if segment and segment[-1].first + segment[-1].count != tick.first:
            yield segment
            segment = []
        segment.append(tick)
    if segment:
        yield segment


def attribute(
    logged: Iterable[list[Tick]], key: Callable[[int], Key] = lambda pc: pc
) -> dict[Key | int, Cost]:
    """Costs of segments; their sums are the window's counters. They are summed by ``key``, which is
    called for each issue, in order, with its program counter."""
    found: dict[Key | int, Cost] = defaultdict(Cost)

    def of(name: Key | None) -> Cost:
        return found[NOBODY if name is None else name]

    for segment in logged:
        last: Key | None = None
        waiting = Cost()  # of the instruction that has not issued
        for tick in segment:
            for event in tick.events:
                if event in FETCHED:
                    waiting.events[event] += tick.count
                elif event in EXECUTED:
                    (waiting if last is None else of(last)).events[event] += tick.count
            if tick.pc is not None:
                waiting.ticks[ISSUE] += 1
                last = key(tick.pc)
                of(last).add(waiting)
                waiting = Cost()
            elif last is not None and tick.owner in OF_THE_ONE_BEFORE:
                of(last).ticks[tick.owner] += tick.count
            else:
                waiting.ticks[tick.owner] += tick.count
        if waiting.ticks or waiting.events:
            of(last).add(waiting)
    return dict(found)


def total(costs: Iterable[Cost]) -> Cost:
    """The sum."""
    all_ = Cost()
    for cost in costs:
        all_.add(cost)
    return all_
