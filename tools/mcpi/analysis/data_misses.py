# SPDX-License-Identifier: BSD-2-Clause
"""Which data miss the D-cache, and whose block each miss puts out: by symbol, and of the heap by
object or by the place that allocated it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.analysis.heap import Heap
from mcpi.analysis.heap import Object as HeapObject
from mcpi.analysis.profile import Profile
from mcpi.analysis.recording import DCACHE, Recording
from mcpi.base.errors import UserError
from mcpi.spec.numbers import SIDES

NOTHING = "no block"
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
    """The most misses first; their sum is the counter ``dcache.misses``."""
    recording, found = Recording(profile), {}
    if what != SYMBOL and not _calls(profile).is_file():
        raise UserError(f"{_calls(profile)}: is not there; a new run, without --run, has it.")
    heap = None if what == SYMBOL else Heap(profile.folder, SIDES[profile.side], profile.places)
    filled: dict[int, str] = {}  # names of blocks as they came: an object may be freed since

    def named(address: int, tick: int) -> tuple[str, HeapObject | None]:
        one = heap.at(address, tick) if heap else None
        if one is None:
            return recording.name(address), None
        return (one.name if what == OBJECT else one.site), one

    for miss in recording.misses:
        if miss.cache != DCACHE:
            continue
        name, one = named(miss.address, miss.tick)
        if miss.class_:
            data = found.setdefault(name, Data())
            data.misses += 1
            if one:
                data.objects.add(one.number)
            data.puts_out[_evicted(miss.evicted, miss.tick, filled, named)] += 1
        filled[miss.address - miss.address % profile.block] = name
    return dict(sorted(found.items(), key=lambda item: (-item[1].misses, item[0])))


def _evicted(block: int | None, tick: int, filled: dict[int, str], named: Callable) -> str:
    if block is None:
        return NOTHING
    return filled.pop(block, None) or named(block, tick)[0]


def _calls(profile: Profile) -> Path:
    return profile.folder / f"calls.{SIDES[profile.side]}.csv"
