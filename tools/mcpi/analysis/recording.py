# SPDX-License-Identifier: BSD-2-Clause
"""The blocks that caches miss in a profile's ticks, from ``misses.N.csv`` (simulator.md), and the
names of what they are and of what they displace."""

import bisect
import csv
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

from mcpi.analysis.profile import Profile
from mcpi.base.errors import RunError, UserError
from mcpi.firmware.elf import PHYSICAL
from mcpi.spec.numbers import SIDES

ICACHE, DCACHE, BCACHE = CACHES = ("i", "d", "b")
CLASSES = ("cold", "capacity", "conflict", "dropped")
COUNTERS = {ICACHE: "icache.misses", DCACHE: "dcache.misses", BCACHE: "bcache.misses"}
STACK, HEAP, OTHER = "stack", "heap", "other memory"
WRITE_BUFFER = "write buffer"


class Miss(NamedTuple):
    """A row: addresses are physical. ``class_`` is empty for a block of a victim cache, which is no
    miss; ``pc`` is None for an entry of the write buffer; ``evicted`` for a block that displaces
    nothing."""

    tick: int
    cache: str
    kind: str
    class_: str
    pc: int | None
    address: int
    evicted: int | None


class Recording:
    """Misses in the ticks of ``profile``. RunError if they are not the counters' misses, UserError
    if the run has no recording."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.misses = list(_inside(profile, _read(_file(profile))))
        found = Counter(miss.cache for miss in self.misses if miss.class_)
        for cache, name in COUNTERS.items():
            if (wanted := profile.counted[name]) != found[cache]:
                raise RunError(
                    f"{_file(profile)}: {name} is {wanted}, but {found[cache]} misses are recorded."
                )

    def code(self, miss: Miss) -> str:
        """The function that misses."""
        return WRITE_BUFFER if miss.pc is None else self.profile.places.name(miss.pc)

    def name(self, address: int) -> str:
        """The function or the object that is at an address, else stack, heap or other memory."""
        return self.profile.places.code(address) or self.symbols.at(address)

    @cached_property
    def symbols(self) -> "Symbols":
        return Symbols(self.profile.places.elf)


def _file(profile: Profile) -> Path:
    return profile.folder / f"misses.{SIDES[profile.side]}.csv"


def _read(path: Path) -> Iterator[Miss]:
    try:
        stream = path.open(newline="")
    except OSError as error:
        raise UserError(
            f"{path}: {error.strerror}; this run recorded no misses. Leave --run out: the command "
            "then makes a run that does."
        ) from None
    with stream:
        next(stream, None)
        for tick, cache, kind, class_, pc, address, evicted in csv.reader(stream):
            where, out = (int(text, 16) if text else None for text in (pc, evicted))
            yield Miss(int(tick), cache, kind, class_, where, int(address, 16), out)


def _inside(profile: Profile, misses: Iterator[Miss]) -> Iterator[Miss]:
    starts = [segment[0].first for segment in profile.segments]
    ends = [segment[-1].first + segment[-1].count for segment in profile.segments]
    for miss in misses:
        n = bisect.bisect_right(starts, miss.tick) - 1
        if n >= 0 and miss.tick < ends[n]:
            yield miss


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
