# SPDX-License-Identifier: BSD-2-Clause
"""From the folders of all runs to the study's part of ``study.json``."""

import re
from pathlib import Path

from mcpi.batch.plan import Experiment, Extent
from mcpi.studykit.collect import of_run

_MADE = re.compile(r"own code: (\d+) made in (\d+) ticks, \d+ closed, (\d+) without a slot")
# Owners that wait for data.
DATA = ("d_miss", "memory_port", "write_buffer_full")


def collect(root: Path, experiments: list[Experiment], extent: Extent) -> dict:
    """Each run's figures by part, link order, machine with connections or stack, and version."""
    found: dict = {}
    for e in experiments:
        place, (part, order, where, variant) = root / e.name, e.part
        own = found.setdefault(part, {}).setdefault(order, {}).setdefault(where, {})
        own[variant] = _figures(place, e)
    return found


def _figures(place: Path, e: Experiment) -> dict:
    """The client's path, the round trip, and what the client's copies cost."""
    trip, path = of_run(place, e.spec.round_trips, e.machine)
    found = {"mean_us": trip["mean_us"], "ticks": path["ticks"]}
    found |= {key: path[key] for key in ("time_us", "instructions")}
    found |= {"icache_misses": path["icache"]["misses"]}
    found |= {"taken": path["taken_branches"], "unused": path["fetch"]["unused_percent"]}
    found |= {"d_ticks": sum(path["owners"].get(owner, 0) for owner in DATA)}
    return found | made((place / "console.0.txt").read_text())


def made(console: str) -> dict:
    """The client's words on its copies, as figures; none of a version without."""
    found = _MADE.search(console)
    if not found:
        return {}
    copies, ticks, without = map(int, found.groups())
    return {"copies": copies, "copy_ticks": ticks / copies, "without_slot": without}
