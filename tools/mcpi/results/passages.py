# SPDX-License-Identifier: BSD-2-Clause
"""``passages.N.csv`` of a run (simulator.md), by region: what each passage of a place had."""

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.firmware.regions import Region
from mcpi.machine import counters

OWNER = "owner."


@dataclass(frozen=True)
class Passage:
    """``times`` passages of one place; ``counts``: ticks by owner (``owner.issue``) and events by
    counter, of them all."""

    tick: int
    open: int
    close: int
    times: int
    ticks: int
    counts: Counter


def read(path: Path) -> list[Passage]:
    """In the order in which they ended. RunError if a place ended that had not begun."""
    with path.open(newline="") as stream:
        rows = csv.reader(stream)
        names = next(rows)[5:]
        found = []
        for tick, *numbers in rows:
            if tick == "strays":
                raise RunError(
                    f"the end of a measured place was passed {numbers[0]} times while nothing was "
                    "measured: a place lies in another, a function calls itself, or a jump leads "
                    "into the place."
                )
            opens, closes, times, ticks, *values = numbers
            counts = Counter({n: int(v) for n, v in zip(names, values, strict=True) if v != "0"})
            where = (int(opens, 16), int(closes, 16))
            found.append(Passage(int(tick), *where, int(times), int(ticks), counts))
    return found


def total(passages: Iterable[Passage]) -> Counter:
    """Counters of them all, with ``ticks``, ``instructions`` and ``invocations``."""
    found: Counter = Counter()
    for one in passages:
        found.update(one.counts)
        found.update(ticks=one.ticks, invocations=one.times)
    found["instructions"] = found[f"{OWNER}issue"]
    return found


def by_region(passages: list[Passage], regions: list[Region]) -> dict[str, list[Passage]]:
    """Passages by region, in the order of the regions, without regions that were not passed."""
    where = {address: region.name for region in regions for address in region.opens}
    found: dict[str, list[Passage]] = {region.name: [] for region in regions}
    for one in passages:
        if one.open not in where:
            raise RunError(f"a window was opened at {one.open:#x}, which is no measured place.")
        found[where[one.open]].append(one)
    return {name: rows for name, rows in found.items() if rows}


def check(passages: list[Passage], counted: dict[str, int]) -> None:
    """RunError unless they sum to the counters of the path, one by one."""
    ours = total(passages)
    for name, value in counted.items():
        if name.startswith(OWNER) or name in ("ticks", "instructions", *EVENTS):
            if ours[name] != value:
                raise RunError(
                    f"{name} is {value}, but the passages of the window have {ours[name]}."
                )


#: Counters of ``counters.json`` that events of a tick move, on every machine.
EVENTS = tuple(row.name for row in counters.table() if row.log and not row.when)
