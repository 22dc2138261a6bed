# SPDX-License-Identifier: BSD-2-Clause
"""Which data miss the D-cache, and whose block each miss puts out: by symbol, and of the heap by
object or by the place that allocated it.

``ticks.csv`` says after which instruction a load missed, ``trace.csv`` what that instruction
accessed. The D-cache is direct-mapped and only loads fill it, so a miss puts out the block that
missed last in its line, if that was in the window.
"""

import bisect
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, takewhile
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.analysis import attribution
from mcpi.analysis.attribution import Tick
from mcpi.analysis.heap import Heap
from mcpi.analysis.profile import Profile
from mcpi.base.errors import RunError, UserError
from mcpi.firmware.elf import PHYSICAL
from mcpi.machine import caches
from mcpi.spec.numbers import SIDES

MISS = "dcache.misses"
PAL_MODE = 1
BEFORE = "before the window"
STACK, HEAP, OTHER = "stack", "heap", "other memory"
SYMBOL, SITE, OBJECT = BY = ("symbol", "site", "object")


@dataclass
class Data:
    """Misses of a name in all measured invocations, and the names whose blocks they put out.
    ``objects``: numbers of the heap's objects that missed."""

    misses: int = 0
    puts_out: Counter = field(default_factory=Counter)
    objects: set[int] = field(default_factory=set)


def usual(profile: Profile) -> str:
    """Best value of ``by`` for this run. A run of an earlier release has no record of the heap."""
    return SITE if _calls(profile).is_file() else SYMBOL


def by(profile: Profile, what: str = SYMBOL) -> dict[str, Data]:
    """The most misses first; their sum is the counter ``dcache.misses``. RunError if the run's
    files do not belong together, UserError if it has no trace or a D-cache with ways or victims."""
    caches.direct(profile.caches, "the list of data that miss", "dcache.ways", "dcache.victims")
    symbols, found = Symbols(profile.places.elf), {}
    if what != SYMBOL and not _calls(profile).is_file():
        raise UserError(f"{_calls(profile)}: is not there; run it again, with --trace.")
    heap = None if what == SYMBOL else Heap(profile.folder, SIDES[profile.side], profile.places)
    resident: dict[int, str] = {}
    for tick, address in _missed(profile):
        one = heap.at(address, tick) if heap else None
        if one is None:
            name = symbols.at(address)
        else:
            name = one.name if what == OBJECT else one.site
        line = address % profile.dcache // profile.block
        data = found.setdefault(name, Data())
        data.misses += 1
        if one:
            data.objects.add(one.number)
        data.puts_out[resident.get(line, BEFORE)] += 1
        resident[line] = name
    if (total := sum(data.misses for data in found.values())) != profile.sum.events[MISS]:
        raise RunError(
            f"{profile.folder}: {MISS} is {profile.sum.events[MISS]}, but its loads have {total}."
        )
    return dict(sorted(found.items(), key=lambda item: (-item[1].misses, item[0])))


def _calls(profile: Profile) -> Path:
    return profile.folder / f"calls.{SIDES[profile.side]}.csv"


def _missed(profile: Profile) -> Iterator[tuple[int, int]]:
    """Ticks and physical addresses of the loads that missed, in order."""
    ticks = chain.from_iterable(profile.segments)
    first = profile.segments[0][0].first if profile.segments else 0
    accesses = _accesses(profile.folder / "trace.csv", _before(profile.folder / "ticks.csv", first))
    last: tuple[int, int] | None = None
    for tick in ticks:
        if MISS in tick.events:
            if last is None:
                raise RunError(f"{profile.folder}: a load missed before tick {first} and no load.")
            yield last
        if _issues(tick):
            pc, address = next(accesses, (None, None))
            if pc != tick.pc:
                raise RunError(f"{profile.folder}: trace.csv and ticks.csv are of two runs.")
            last = (tick.first, address) if address is not None else last


def _before(path: Path, first: int) -> int:
    """So many instructions of the log issue before that tick, in the warm-up."""
    early = takewhile(lambda tick: tick.first < first, attribution.read(path))
    return sum(map(_issues, early))


def _issues(tick: Tick) -> bool:
    return tick.pc is not None and not tick.pc & PAL_MODE


def _accesses(path: Path, skipped: int) -> Iterator[tuple[int, int | None]]:
    """Program counter, and what is loaded, of each instruction behind the first ``skipped``."""
    try:
        stream = path.open(newline="")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; run it with --trace, too.") from None
    with stream:
        rows = csv.reader(stream)
        next(rows, None)
        for n, (_, _, pc, kind, address) in enumerate(rows):
            if n >= skipped:
                load = int(address, 16) & PHYSICAL if kind == "load" else None
                yield int(pc, 16) & PHYSICAL, load


class Symbols:
    """Names of data in an image."""

    def __init__(self, elf: Path) -> None:
        self._elf = elf

    def at(self, address: int) -> str:
        """Name of a physical address: its object, else stack, heap or other memory."""
        i = bisect.bisect_right(self._objects, address, key=lambda row: row[0]) - 1
        if i >= 0 and address < self._objects[i][1]:
            return self._objects[i][2]
        if self._stack and self._stack[0] <= address < self._stack[1]:
            return STACK
        return HEAP if self._end and address >= self._end else OTHER

    @cached_property
    def _table(self) -> list[tuple[str, str, int, int]]:
        with self._elf.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            return [
                (s.name, s["st_info"]["type"], s["st_value"] & PHYSICAL, s["st_size"])
                for s in (table.iter_symbols() if table else ())
                if s.name and s["st_value"]
            ]

    @cached_property
    def _objects(self) -> list[tuple[int, int, str]]:
        return sorted(
            (at, at + size, name) for name, kind, at, size in self._table if kind == "STT_OBJECT"
        )

    def _symbol(self, wanted: str) -> int:
        return next((at for name, _, at, _ in self._table if name == wanted), 0)

    @cached_property
    def _stack(self) -> tuple[int, int] | None:
        top, bottom = self._symbol("stack_top"), self._symbol("bss_end")
        return (bottom, top) if top else None

    @cached_property
    def _end(self) -> int:
        return self._symbol("image_end")
