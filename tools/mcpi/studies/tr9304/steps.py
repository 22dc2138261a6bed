# SPDX-License-Identifier: BSD-2-Clause
"""When a message comes to each step on its way to the reader: one boot of each structure, whose
functions are followed as they are entered. Ticks after the last bit of the message."""

import csv
from pathlib import Path
from statistics import median

from mcpi.base.errors import RunError
from mcpi.batch.plan import Experiment
from mcpi.spec.node_spec import CALLED, SCRIPT
from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.cells import WORDS
from mcpi.studies.tr9304.plan import AFTER, BEFORE, STEPS, TITLES, WARMUP
from mcpi.studies.tr9304.probes import PROBES
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured

GAP_BITS = 96  # of a frame's, after its last bit
FIRST_PROBE, LAST_PROBE = "first probe begins", "last probe has ended"


def record(folder: Path, e: Experiment) -> dict[str, float]:
    """Median ticks of each step, over the messages after the warm-up."""
    functions = STEPS[e.part[1]]
    entered: dict[str, list[int]] = {step: [] for step in functions}
    addresses = (folder / CALLED).read_text().split()
    places = {int(at, 16): step for at, step in zip(addresses, functions, strict=True)}
    with (folder / "calls.0.csv").open() as file:
        for row in csv.DictReader(file):
            entered[places[int(row["pc"], 16)]].append(int(row["tick"]))
    seen = _probes((folder / "stamps.csv").read_text())
    begun = frames.starts(folder / SCRIPT)
    if len(seen) != len(begun):
        raise RunError(f"{e.name}: a message was lost; steps want all of them.")
    gap = GAP_BITS * e.machine.ticks_per_us // e.machine.parameters["link.mbps"]
    message = frames.message_ticks(e.machine)
    last = [start + message - gap for start in begun]
    return of(entered, last[WARMUP:], seen[WARMUP:])


def _probes(stamps: str) -> list[tuple[int, int]]:
    """Ticks in which the first probe of each message begins and the loads of its last probe end."""
    rows = [r for r in csv.DictReader(stamps.splitlines()) if r["node"] == "0"]
    opened = [int(r["tick"]) for r in rows if r["stamp"] == "probe_open"]
    closed = [int(r["tick"]) for r in rows if r["stamp"] == "probe_close"]
    return list(zip(opened[::PROBES], closed[PROBES - 1 :: PROBES]))


def of(
    entered: dict[str, list[int]], last: list[int], probes: list[tuple[int, int]]
) -> dict[str, float]:
    """By step the median of ticks after ``last``, the tick of a message's last bit: of the last
    entry before the message's first probe, or of the first one after its last."""
    found = {
        step: [max((t for t in ticks if t <= first), default=0) for first, _ in probes]
        for step, ticks in entered.items()
        if step not in AFTER
    }
    found |= {FIRST_PROBE: [a for a, _ in probes], LAST_PROBE: [b for _, b in probes]}
    found |= {
        step: [min((t for t in entered[step] if t >= end), default=end) for _, end in probes]
        for step in AFTER
    }
    return {
        step: median(t - at for t, at in zip(ticks, last, strict=True))
        for step, ticks in found.items()
    }


def table(study: Measured) -> Table:
    rows = []
    steps = study.record.get("steps", {})
    for system, found in steps.items():
        before = 0.0
        order = [*BEFORE[system], FIRST_PROBE, LAST_PROBE, *AFTER]  # study.json has another
        for step in (step for step in order if step in found):
            ticks = found[step]
            cells = {"after": Cell(ticks), "since": Cell(ticks - before)}
            rows.append(Row((TITLES[system], step), cells))
            before = ticks
    return WORDS.table("steps", rows)
