# SPDX-License-Identifier: BSD-2-Clause
"""The record of each probe: its ticks, and what they were spent on."""

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

PROBES = 10  # of a message
WARMUP = 4  # messages


@dataclass(frozen=True)
class Probe:
    """Counts and ticks of the loads that are timed. ``clean``, ``dirty``: lines that were filled,
    by their victim; ``refills`` and their ticks; ``dma``: ticks in which a fill waited for DMA.
    None of them counts what lies in a refill. ``code``: misses of the I-cache. ``interrupted``:
    PALcode ran for longer than the refills lasted."""

    overhead: int  # ticks above those of the same loads when all is in the cache
    clean: int
    dirty: int
    refills: int
    refill_ticks: int
    dma: int
    code: int
    interrupted: int

    def rest(self, clean: int, dirty: int) -> int:
        """Ticks of the probe's code and of interrupts; ``clean``, ``dirty``: of a line. 0 if it is
        ``quiet``."""
        lines = clean * self.clean + dirty * self.dirty
        return self.overhead - lines - self.refill_ticks - self.dma

    @property
    def quiet(self) -> bool:
        """Nothing but its loads: each tick has its cause."""
        return not self.code and not self.interrupted


FIELDS = [field.name for field in fields(Probe)]


def read(passages: str, ideal: int) -> list[Probe]:
    """Probes of ``passages.N.csv``, in the order of their beginning; ``ideal``: ticks of a pass
    that finds all bytes in the cache."""
    found = []
    for row in csv.DictReader(passages.splitlines()):
        if row["tick"] == "strays":
            break
        n = {k: int(v) for k, v in row.items() if k not in ("open", "close")}
        own = {k: n.get(k, 0) - n.get(f"refill.{k}", 0) for k in OWN}
        dirty = own["dcache.dirty_misses"]
        refill_ticks = n.get("dtb.refill_ticks", 0) + n.get("itb.refill_ticks", 0)
        found.append(
            Probe(
                overhead=n["ticks"] - ideal,
                clean=own["dcache.misses"] - dirty,
                dirty=dirty,
                refills=n.get("dtb.misses", 0) + n.get("itb.misses", 0),
                refill_ticks=refill_ticks,
                dma=own["bus.core_waits_dma"],
                code=n.get("icache.misses", 0),
                interrupted=int(n.get("pal_ticks", 0) > refill_ticks),
            )
        )
    return found


OWN = ("dcache.misses", "dcache.dirty_misses", "bus.core_waits_dma")


def received(folder: Path) -> int:
    """Messages that a run's reader has copied."""
    return len(read((folder / "passages.0.csv").read_text(), 0)) // PROBES


def again(stamps: str) -> list[int]:
    """Ticks of each probe's loads when they are repeated. Small mbufs, which are not probed, give
    the last stamp too."""
    found: list[int] = []
    closed = None
    for row in csv.DictReader(stamps.splitlines()):
        if row["node"] != "0":
            continue
        if row["stamp"] == "probe_close":
            closed = int(row["tick"])
        elif row["stamp"] == "probe_again" and closed is not None:
            found.append(int(row["tick"]) - closed)
            closed = None
    return found


def rows(probes: list[Probe]) -> list[list[int]]:
    return [list(astuple(probe)) for probe in probes]
