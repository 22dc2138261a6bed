# SPDX-License-Identifier: BSD-2-Clause
"""All runs of the study. Each leaves its throughput, who owned the ticks of all processors, and
what the stack counted; a part of them is repeated on the RTL."""

from dataclasses import asdict
from pathlib import Path

from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar, counted
from mcpi.build import models
from mcpi.firmware import images, parallel
from mcpi.machine.profile import load
from mcpi.results import provenance
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.osdi94 import on_rtl
from mcpi.studies.osdi94.plan import LOCKS, MACHINES, points
from mcpi.studies.osdi94.run import Run, of
from mcpi.study.plan import Extent


def runs(extent: Extent, seed: int, bar: Bar) -> list[Run]:
    """Builds every image."""
    found, wanted, engine = [], points(extent), models.build("mcpi-exact")
    with bar.task("images", len(wanted)) as update:
        for done, point in enumerate(wanted, 1):
            machine, program = of(point.curve, point.cores)
            made = images.build(parallel.plan(machine, program))
            for n in range(1 if point.curve.stack == LOCKS else extent.samples[point.curve.stack]):
                how = made, engine, extent.round_trips, extent.warmup, seed + n
                found.append(Run(point, machine, *how))
            update(done, len(wanted), point.key)
    return found


def measure(extent: Extent, seed: int, out: Path, cores: int, bar: Bar) -> dict:
    """``study.json``'s record."""
    every = runs(extent, seed, bar)
    stop, found = Stop(), {}

    def one(run: Run) -> None:
        found[run.name] = run.done(out / "runs", stop)

    def left(ended: int) -> None:
        update(ended, len(every), f"{counted(len(every) - ended, 'run')} left")

    # The longest first, so that none is left alone at the end.
    in_turn = sorted(every, key=lambda run: -run.point.cores)
    with bar.task("runs", len(every)) as update:
        side_by_side(one, in_turn, cores, stop, left)
    results: dict[str, dict] = {}
    endless: list[str] = []
    for run in every:
        if "no_end" in found[run.name]:
            endless.append(f"{run.name} has no end: {found[run.name]['no_end']}")
            continue
        own = results.setdefault(run.point.key, {"runs": []})
        own["runs"].append(found[run.name])
    about = provenance.of(out, RunSpec(machine=MACHINES[0], seed=seed), load(MACHINES[0]))
    if extent.repeats:
        about |= on_rtl.repeated(seed, out / "repeated", cores, bar)
    else:
        about |= {"rtl_digest": "none: the exact engine alone"}
    return {
        "schema": 1,
        "unit": "packets",
        "provenance": about,
        "extent": asdict(extent),
        "absent": {},
        "remarks": endless,
        "maps": {},
        "results": results,
    }
