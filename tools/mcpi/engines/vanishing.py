# SPDX-License-Identifier: BSD-2-Clause
"""Runs in copies of the machines, in each of which some ticks take no time (``mcpi-exact run
--whatif``, simulator.md)."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from mcpi.base import staging
from mcpi.base.errors import UserError
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines import program as programs
from mcpi.engines import span
from mcpi.engines.simulate import simulate
from mcpi.engines.span import Prepared
from mcpi.machine.profile import Machine
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT
from mcpi.spec.spec import Spec

FILE, RESULT = "experiments.json", "whatif.json"
Pair = tuple[int, str]  # the number of a function, and an owner
Experiment = Sequence[Pair]
Ranges = list[tuple[int, int, int]]  # physical start and end, and the number of the function
LEAST = 4  # experiments of a process


@dataclass(frozen=True)
class Outcome:
    """Record of a copy: ``ticks`` of the world, of all measured round trips, or of the whole
    program if it has none; ``vanished`` ticks; path ticks by owner, those that took no time too.
    ``failed``: why it did not end."""

    ticks: int = 0
    round_trips: int = 0
    vanished: int = 0
    owners: dict[str, int] = field(default_factory=dict)
    failed: str = ""


def judged(spec: Spec) -> Machine:
    """Everything that can be wrong with the spec. UserError before anything is built."""
    if spec.engine != EXACT:
        raise UserError(
            f"engine {spec.engine} cannot hold the world while a core moves; exact can."
        )
    return span.judged(spec)


def plain(
    prepared: Prepared, machine: Machine, ranges: list[Ranges], folder: str, bar: Bar
) -> tuple[Outcome, dict[Pair, int]]:
    """The run in which every tick takes time, and the path's ticks by function and owner."""
    guards = programs.guards(prepared.place)
    record = _run(prepared, machine, ranges, [], folder, guards, Stop(), bar, 1)
    pairs = {(function, owner): ticks for function, owner, ticks in record["ticks"]}
    return Outcome(**record["plain"]), pairs


def outcomes(
    prepared: Prepared, machine: Machine, ranges: list[Ranges], wanted: list[Experiment], bar: Bar
) -> list[Outcome]:
    """Outcome of each experiment, in order, on all processors."""
    workers = max(1, min(os.cpu_count() or 1, len(wanted) // LEAST))
    parts = [wanted[n::workers] for n in range(workers)]
    found: list[list[dict]] = [[] for _ in parts]
    stop = Stop()

    def one(n: int) -> None:
        folder = f"part-{n + 1}"
        words = (prepared, machine, ranges, parts[n], folder, [], stop, bar, len(parts[n]))
        found[n] = _run(*words)["experiments"]

    side_by_side(one, range(workers), workers, stop)
    return [Outcome(**found[n % workers][n // workers]) for n in range(len(wanted))]


def _run(
    prepared: Prepared,
    machine: Machine,
    ranges: list[Ranges],
    wanted: list[Experiment],
    folder: str,
    options: list[str],
    stop: Stop,
    bar: Bar,
    steps: int,
) -> dict:
    place, spec = prepared.place, prepared.spec
    (place / folder).mkdir(exist_ok=True)
    graph.write(place / folder / "machine.json", machine.to_json())
    staging.write(
        place / folder / FILE, json.dumps({"nodes": ranges, "experiments": wanted}) + "\n"
    )
    there = [n for n in (0, 1) if (place / f"markers.{n}.csv").exists()]
    marked = [word for n in there for word in ("--node", f"{n}:markers=markers.{n}.csv")]
    options = [*marked, *options, "--whatif", f"{folder}/{FILE}", "--no-oracle"]
    phases = run_jobs.phases(spec, 1, machine)
    with bar.task(folder.replace("-", " "), steps) as update:

        def ran(done: int, total: int, _: str) -> None:
            update(done, total, "copies")

        words = (prepared.simulator, place, folder, spec, phases, options, stop, ran)
        if not simulate(*words, steps=steps):
            raise KeyboardInterrupt
    return json.loads((place / folder / RESULT).read_text())
