# SPDX-License-Identifier: BSD-2-Clause
"""nextpnr: a placement for each seed, of which only what is missing is made; and the longest path
of its report."""

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mcpi.base import staging, yosys
from mcpi.base.file_lock import hold
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar

Run = TypeVar("Run")  # what tells placements apart: a seed, or a device and a seed

# Suffixes that yosys and nextpnr add to the name of a register.
_ADDED = (
    (re.compile(r"_(TRELLIS_FF|DP16KD|TRELLIS_DPR16X4|MULT18X18D)_.*"), ""),
    (re.compile(r"_(LUT4|CCU2C|PFUMX|L6MUX21)_.*"), " …"),
    (re.compile(r"\$(DPRAM|RAMW)_.*"), ""),
    (re.compile(r"^(measured|(area_)?inner)\."), ""),
)


@dataclass(frozen=True)
class Longest:
    """The longest path of a placement, from register to register; times in ns."""

    start: str
    end: str
    logic: float  # cells, set-up included
    routing: float

    @property
    def ns(self) -> float:
        return self.logic + self.routing

    def words(self) -> str:
        wire = 100 * self.routing / self.ns
        return f"{self.start} → {self.end}, {self.ns:.1f} ns, {wire:.0f} % wire"


def place_and_route(
    folder: Path,
    what: str,
    wanted: Sequence[Run],
    report: Callable[[Run], Path],
    words: Callable[[Run], Sequence[str]],
    jobs: int,
    bar: Bar,
) -> list[Run]:
    """Have nextpnr place ``netlist.json`` of ``folder`` for each of ``wanted`` that has no
    ``report`` yet, ``jobs`` at a time; returns those. ``words`` are a run's own."""
    stop = Stop()

    def place(run: Run) -> None:
        kept, began = report(run), time.monotonic()
        own = [*words(run), "--json", "netlist.json", "--report", f"{kept.name}.new"]
        own += ["--timing-allow-fail", "-q"]
        yosys.run(yosys.NEXTPNR, own, folder, f"{kept.stem}.out", stop)
        found = json.loads(kept.with_name(f"{kept.name}.new").read_text())
        found["mcpi_seconds"] = round(time.monotonic() - began, 1)
        staging.write(kept, json.dumps(found))

    with hold(folder.with_suffix(".lock"), f"places and routes {what}"):
        missing = [run for run in wanted if not report(run).exists()]
        if missing:
            yosys.command(yosys.NEXTPNR)
            with bar.task("place and route", len(missing)) as update:
                total = len(missing)
                side_by_side(place, missing, jobs, stop, lambda n: update(n, total, "placements"))
    return missing


def longest(report: dict, clock: str) -> Longest | None:
    """The slowest path of ``clock`` alone, which nextpnr lists first."""
    for path in report["critical_paths"]:
        if {path[end].split()[-1] for end in ("from", "to")} == {clock}:  # "posedge NAME"
            return _longest(path["path"])
    return None


def _longest(steps: list[dict]) -> Longest:
    routing = sum(step["delay"] for step in steps if step["type"] == "routing")
    logic = sum(step["delay"] for step in steps if step["type"] != "routing")
    return Longest(_register(steps[0]["from"]), _register(steps[-1]["to"]), logic, routing)


def _register(pin: dict) -> str:
    """A routed cell as the source names the register, and which of its pins."""
    name = pin["cell"]
    for added, instead in _ADDED:
        name = added.sub(instead, name)
    return f"{name} ({pin['port']})"
