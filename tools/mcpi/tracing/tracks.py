# SPDX-License-Identifier: BSD-2-Clause
"""Spells of a machine's ticks: whose they are, what the memory bus does, what interrupts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mcpi.analysis.attribution import Tick

CORE, DMA = "bus.core_ticks", "bus.dma_ticks"
#: Transactions by the event of their first tick.
BEGINS = {"bcache.fetches": "fetch", "bcache.prefetches": "prefetch", "bcache.loads": "load"}
BEGINS |= {"bcache.writes": "write", "bcache.dma": "DMA"}
MISS = "bcache.misses"


@dataclass(frozen=True)
class Spell:
    """Ticks ``start`` to ``end`` - 1."""

    start: int
    end: int
    name: str


def owners(rows: Iterable[Tick]) -> Iterator[Spell]:
    """Ticks in a row with the same owner."""
    now: Spell | None = None
    for row in rows:
        end = row.first + row.count
        if now and now.name == row.owner and now.end == row.first:
            now = Spell(now.start, end, now.name)
            continue
        if now:
            yield now
        now = Spell(row.first, end, row.owner)
    if now:
        yield now


def bus(rows: Iterable[Tick], whose: str) -> Iterator[Spell]:
    """Transactions on the memory bus, of ``CORE`` or ``DMA``. One that has begun before the span
    has no kind."""
    now: Spell | None = None
    for row in rows:
        kind, busy = _begins(row, whose), whose in row.events
        if now and (kind or not busy or now.end != row.first):
            yield now
            now = None
        if busy:
            start, name = (now.start, now.name) if now else (row.first, kind or "goes on")
            now = Spell(start, row.first + row.count, name)
    if now:
        yield now


def _begins(row: Tick, whose: str) -> str:
    """The kind of the transaction that begins in these ticks; empty if none does."""
    for event, kind in BEGINS.items():
        if event in row.events and (kind == "DMA") == (whose == DMA):
            missed = MISS in row.events and whose == CORE
            return f"{kind}, b-cache miss" if missed else kind
    return ""
