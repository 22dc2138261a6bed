# SPDX-License-Identifier: BSD-2-Clause
"""Record that a search of layouts replays: every instruction and load of some invocations."""

import csv
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.analysis import attribution
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.engines import span
from mcpi.firmware import recipes
from mcpi.layout.placing import problem, sections
from mcpi.layout.placing.problem import Problem
from mcpi.machine.profile import Machine
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.tracing.span_selection import Stamps

PERIOD = 8  # invocations that are replayed
# Ticks that the path loses by a miss of the I-cache: the block's, then refill_restart. Of what the
# stream buffer has, four of the b-cache's ten are left on STD's path (docs/explanation/results.md).
STREAMED = 0.4
OPENS, CLOSES = ("window_open", "window_resume"), ("window_close", "window_pause")


@dataclass(frozen=True)
class Record:
    """``data`` is None where the replay does not know the D-cache: it is off, written back, or has
    several ways."""

    code: Problem
    data: Problem | None


def record(spec: RunSpec, bar: Bar) -> Record:
    """The client's run, from one measured invocation to the ``PERIOD``-th after it."""
    machine = spec.check()
    whole = replace(spec, round_trips=PERIOD + 1)
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="placing-") as temporary:
        place = Path(temporary, "run")
        run = span.prepare(whole, machine, place, bar)
        node = SIDES["client"]
        run.look(node, [], bar)
        stamps = Stamps.read(place / "stamps.csv", node)
        invocations = stamps.invocations()
        if len(invocations) <= PERIOD:
            raise UserError(
                f"stack {spec.stack} has no markers of a path's invocations, which say what is "
                "counted (firmware/platform/marker.h)."
            )
        start, end = invocations[0][0], invocations[PERIOD][0]
        run.log(start, end, [], bar)
        counted = _counted(stamps, start, end)
        rows = attribution.read(place / f"span.{node}.csv")
        issues = [(tick.first, tick.pc) for tick in rows if tick.pc is not None]
        loads = _loads(place / f"accesses.{node}.csv", [tick for tick, _ in issues])
        image = run.image(node)
        return Record(
            _code(spec, machine, image, issues, counted), _data(machine, image, loads, counted)
        )


def _code(spec: RunSpec, machine: Machine, image: Path, issues: list, counted: list) -> Problem:
    caches = machine.parameters
    restart, block = caches["icache.refill_restart"], caches["bcache.read_ticks"]
    area = recipes.recipe(spec.variant)["clone"]["area"]
    copies = problem.pieces(image.with_suffix(".json"))
    first = min(piece.start for piece in copies)
    return Problem(
        caches["icache.size"],
        caches["cache.block"],
        first // caches["icache.size"] * caches["icache.size"],
        area // caches["icache.size"],
        caches["icache.prefetch"],
        block + restart,
        round(STREAMED * block) + restart,
        copies,
        problem.runs(issues, copies, counted),
    )


def _data(machine: Machine, image: Path, loads: list, counted: list) -> Problem | None:
    caches = machine.parameters
    through = caches["dcache.enable"] and caches["dcache.policy"] == "through"
    if not through or caches["dcache.ways"] > 1 or caches["dcache.victims"]:
        return None
    return sections.problem(image, caches, loads, counted)


def _loads(file: Path, ticks: list[int]) -> list[tuple[int, int]]:
    """Tick and address of each. ``ticks``: of the span's instructions, which the file counts."""
    with file.open(newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        return [(ticks[int(n)], int(at, 16)) for n, kind, at in rows if kind.startswith("load")]


def _counted(stamps: Stamps, start: int, end: int) -> list[tuple[int, int]]:
    """Intervals of the span in which the path's window is open."""
    found, since = [], None
    for tick, name in stamps.rows:
        if name in OPENS and since is None:
            since = tick
        elif name in CLOSES and since is not None:
            if since >= start and tick <= end:
                found.append((since, tick))
            since = None
    return found
