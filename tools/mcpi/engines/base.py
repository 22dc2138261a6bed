# SPDX-License-Identifier: BSD-2-Clause
"""Protocol of the engines: an engine takes a spec and gives a result. Callers do not know which
ran."""

import importlib
import json
from pathlib import Path
from typing import Protocol

from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.machine.profile import Machine
from mcpi.results import measure, provenance
from mcpi.results.types import Result
from mcpi.spec import run_jobs
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

# Files of a job that count in a comparison, and what differs, by file.
Compared = tuple[int, dict[str, list[str]]]


class Engine(Protocol):
    """A way to run a spec: a run, a program or a node. ``place`` is the folder of the run."""

    name: str

    def check(self, spec: Spec, machine: Machine) -> None:
        """UserError for what this engine cannot do, before anything is built."""

    def prepare(self, spec: Spec, machine: Machine, place: Path, bar: Bar) -> object:
        """Build what changed; put everything that the run depends on into ``place``."""

    def run(self, spec: Spec, machine: Machine, place: Path, built: object, bar: Bar) -> int | None:
        """Leave the run's files in ``place``; its speed in ticks per wall second, if it has one."""

    def result(self, spec: Spec, machine: Machine, place: Path) -> Result:
        """The result but for its times, from the files of the run alone."""

    def again(self, spec: RunSpec) -> RunSpec:
        """The same run on the engine that checks this one's. UserError for a run whose files would
        differ."""

    def compare(self, one: Path, other: Path) -> Compared:
        """Compare the folder of a job with that of the engine which checks it."""


def of(name: str) -> Engine:
    """The engine ``name``, one of ``run_spec.ENGINES``: ``ENGINE`` of ``mcpi.engines.<name>``."""
    return importlib.import_module(f"mcpi.engines.{name}.engine").ENGINE


def judged(spec: Spec) -> Machine:
    """Everything that can be wrong with a spec, before anything is built; returns its machine."""
    machine = spec.check()
    of(spec.engine).check(spec, machine)
    graph.check_tools(spec.engine)
    return machine


def speed(place: Path) -> int:
    """Ticks per wall second of the first sample."""
    file = place / run_jobs.Job(1, run_jobs.REAL).folder / "run.json"
    try:
        about = json.loads(file.read_text())
    except ValueError:
        raise RunError(f"{file}: cut short. Is the disk full?") from None
    return round(about["ticks"] / max(about["wall_seconds"], 1e-3))


def sample_folders(spec: RunSpec, place: Path) -> list[Path]:
    return [place / run_jobs.Job(n, run_jobs.REAL).folder for n in range(1, spec.samples + 1)]


def counted(spec: RunSpec, machine: Machine, place: Path) -> dict:
    """The parts of a result that are made of the samples' counters."""
    samples = [measure.counters(s / "counters.json") for s in sample_folders(spec, place)]
    ideal = measure.counters(place / run_jobs.Job(1, run_jobs.IDEAL).folder / "counters.json")
    ticks_per_us = machine.parameters["clock.ticks_per_us"]
    found = {
        "provenance": provenance.of(place, spec, machine),
        "steady": measure.steady(samples[0], ideal, machine),
        "nodes": measure.nodes(samples[0]),
    }
    if windows := measure.cores(samples[0]):
        found["cores"] = windows
    if times := measure.path_times(samples):
        found["path_time"] = {
            side: measure.spread(times[n], ticks_per_us) for side, n in SIDES.items()
        }
    return found
