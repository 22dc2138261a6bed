# SPDX-License-Identifier: BSD-2-Clause
"""Which object of the heap an address was in at a tick, from ``calls.N.csv`` (simulator.md).

An object lives from the return of its allocator to its free. Its name is the place that asked for
it, behind functions that allocate for their callers, and its number among those of that place.
"""

import bisect
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcpi.analysis.places import Places
from mcpi.firmware import allocators
from mcpi.firmware.allocators import ALLOCATORS, FOR_OTHERS, FREES
from mcpi.firmware.elf import PHYSICAL

DEEPEST = 8  # functions that allocate for each other


@dataclass(frozen=True)
class Object:
    """``start``: physical; ``born``: the tick; ``number``: from 1, of those of its ``site``."""

    start: int
    bytes: int
    born: int
    site: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.site} #{self.number}"


class Event(NamedTuple):
    """From ``tick`` on there is ``born``, or none at ``freed`` any more."""

    tick: int
    born: Object | None
    freed: int = 0


class Heap:
    """Asked by rising ticks."""

    def __init__(self, folder: Path, node: int, places: Places) -> None:
        self._events = _events(folder / f"calls.{node}.csv", places)
        self._next = next(self._events, None)
        self._starts: list[int] = []
        self._live: dict[int, Object] = {}

    def at(self, address: int, tick: int) -> Object | None:
        """The object that has this physical address then."""
        while self._next and self._next.tick <= tick:
            self._happens(self._next)
            self._next = next(self._events, None)
        i = bisect.bisect_right(self._starts, address) - 1
        found = self._live[self._starts[i]] if i >= 0 else None
        return found if found and address < found.start + found.bytes else None

    def _happens(self, event: Event) -> None:
        if event.born is None:
            self._ends(event.freed)
            return
        start, end = event.born.start, event.born.start + event.born.bytes
        i = bisect.bisect_left(self._starts, start)
        while i < len(self._starts) and self._starts[i] < end:  # freed where nobody looked
            self._ends(self._starts[i])
        if i and (before := self._live[self._starts[i - 1]]).start + before.bytes > start:
            self._ends(before.start)
        bisect.insort(self._starts, start)
        self._live[start] = event.born

    def _ends(self, start: int) -> None:
        if self._live.pop(start, None):
            del self._starts[bisect.bisect_left(self._starts, start)]


@dataclass(frozen=True)
class _Call:
    bytes: int
    back: int  # return address
    sp: int


def _events(file: Path, places: Places) -> Iterator[Event]:
    passed = {at & PHYSICAL: what for at, what in allocators.places(places.elf).items()}
    open_: dict[int, _Call] = {}  # allocators that have not returned, by their stack
    outside: dict[str, _Call] = {}  # of each function for others, its last call
    numbers: Counter = Counter()
    with file.open(newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        for tick, *registers in rows:
            pc, v0, a0, ra, sp = (int(text, 16) for text in registers)
            function, returns = passed[pc].function, passed[pc].returns
            if returns:
                call = open_.pop(sp, None)
                if call and v0:
                    site = _site(call, outside, places)
                    numbers[site] += 1
                    object_ = Object(v0 & PHYSICAL, call.bytes, int(tick), site, numbers[site])
                    yield Event(int(tick), object_)
            elif function in ALLOCATORS:
                open_[sp] = _Call(a0, ra, sp)
            elif function in FOR_OTHERS:
                outside[function] = _Call(0, ra, sp)
            elif function in FREES and a0:
                yield Event(int(tick), None, a0 & PHYSICAL)


def _site(call: _Call, outside: dict[str, _Call], places: Places) -> str:
    """Function and line that asked: the caller, or the caller of a function that does it for it."""
    for _ in range(DEEPEST):
        function = places.at((call.back - 4) & PHYSICAL & ~3).function
        further = outside.get(function)
        if further is None or further.sp <= call.sp:
            break
        call = further
    place = places.at((call.back - 4) & PHYSICAL & ~3)
    line = place.source.rpartition("/")[2]
    return f"{place.function} ({line})" if line else f"{place.function} ({place.address:#x})"
