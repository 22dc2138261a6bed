# SPDX-License-Identifier: BSD-2-Clause
"""A grid becomes a data set: build every image, run what is not kept on the workers, collect."""

import dataclasses
import json
import os
from collections.abc import Iterable
from pathlib import Path

from mcpi.api.sweeping import cluster, dataset
from mcpi.api.sweeping.dataset import Dataset
from mcpi.api.sweeping.grid import Grid
from mcpi.api.sweeping.point import Point, measure, point, program
from mcpi.base import run_store
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, Update, counted, minutes
from mcpi.build import graph
from mcpi.build.graph import Built
from mcpi.engines import base as engines
from mcpi.engines import cost as costs
from mcpi.machine.profile import load
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.spec.spec import Spec
from mcpi.tuning import ordering

COST = run_store.KEPT / "seconds.json"
# Seconds of a run besides the simulator's, and of the simulator for a round trip, before any has
# been measured.
START = 20  # round trips that boot, handshake and close last as long as
GUESSED = {EXACT: (0.3, 0.005), RTL: (0.5, 0.2)}


def shard(grid: Grid, part: tuple[int, int], where: str, workers: int, bar: Bar) -> tuple[int, int]:
    """Run part K of N of a grid, and keep what it gives. Return how many runs the part has, and how
    many of them ran now."""
    points = _points(grid, where, workers, bar)[part[0] - 1 :: part[1]]
    with bar:
        bar.say(f"part {part[0]} of {part[1]}: {counted(len(points), 'run')}")
        return len(points), run(points, where, workers or cores(), bar)


def sweep(grid: Grid, where: str, workers: int, out: Path | None, bar: Bar) -> Dataset:
    """All runs of a grid; ``workers``: 0 for one on each core. What it costs is said first."""
    points = _points(grid, where, workers, bar)
    workers = workers or cores()
    with bar:
        bar.say(cost(grid, points, workers))
        ran = run(points, where, workers, bar)
    found = dataset.of(grid, results(points), ran)
    if out is not None:
        found.save(out)
    return dataclasses.replace(found, folder=out)


def _points(grid: Grid, where: str, workers: int, bar: Bar) -> list[Point]:
    """Check a grid and build its points."""
    check(grid)
    cluster.check(where)
    workers = workers or cores()
    largest = max(grid.specs, key=lambda spec: costs.of(spec).memory)
    costs.check(largest, min(workers, len(grid.specs)) if where == cluster.LOCAL else 1)
    with bar:
        bar.say(f"{counted(len(grid.specs), 'run')}: {grid}")
        return build(grid, bar)


def cost(grid: Grid, points: list[Point], workers: int) -> str:
    """Sentence on how many runs are kept, how many are to run, and about how long they take."""
    left = missing(points)
    there = len({one.key for one in points}) - len(left)
    said = f"{there} are kept from before; {len(left)} to run"
    if not left:
        return said
    each, is_measured = seconds(grid)
    why = "as measured here" if is_measured else "a guess, none has been measured here"
    whole = minutes(len(left) * each / min(workers, len(left)))
    return f"{said}, about {whole} on {counted(workers, 'worker')} ({each:.2g} s a run, {why})"


def check(grid: Grid) -> None:
    """UserError for what is wrong with any run, before anything is built; alike ones once."""
    for spec in {json.dumps(_seedless(s), sort_keys=True): s for s in grid.specs}.values():
        engines.judged(spec)


def _seedless(spec: Spec) -> dict:
    """With one seed and one kind of layout: alike specs are alike in what can be wrong."""
    own = {"seed": 0}
    if isinstance(spec, RunSpec):
        own["layout"] = spec.copies or spec.shuffle is None
    return dataclasses.asdict(spec) | own


def build(grid: Grid, bar: Bar) -> list[Point]:
    """All points, in order. Images that several have are built once."""
    if isinstance(grid.specs[0], ProgramSpec):
        with bar.task("programs", len(grid.specs)) as update:
            return [_program(spec, n, len(grid.specs), update) for n, spec in enumerate(grid.specs)]
    alike: dict[str, dict[str, Spec]] = {}
    keys = []
    for spec in grid.specs:
        seedless = dataclasses.replace(spec, seed=1)
        spec_json = json.dumps(dataclasses.asdict(seedless), sort_keys=True)
        machine = json.dumps([spec.machine, spec.settings, spec.engine], sort_keys=True)
        alike.setdefault(machine, {})[spec_json] = seedless
        keys.append((machine, spec_json))
    built: dict[tuple[str, str], Built] = {}
    for machine, specs in alike.items():
        some = list(specs.values())
        resolved = load(some[0].machine, some[0].settings)
        runs = [spec for spec in some if isinstance(spec, RunSpec)]
        for spec in {(one.stack, one.variant, one.peer): one for one in runs}.values():
            ordering.of_own_graph(spec, bar)
        made = graph.build_all(some, [resolved] * len(some), bar)
        built |= {(machine, spec_json): one.lasting() for spec_json, one in zip(specs, made)}
    return [point(spec, built[key]) for spec, key in zip(grid.specs, keys)]


def _program(spec: ProgramSpec, before: int, total: int, update: Update) -> Point:
    found = program(spec)
    update(before + 1, total, spec.title)
    return found


def missing(points: Iterable[Point]) -> list[Point]:
    """Points whose results are not kept; equal points appear once."""
    left = {one.key: one for one in points if not run_store.result(one.key).is_file()}
    return list(left.values())


def seconds(grid: Grid) -> tuple[float, bool]:
    """Seconds of a run on one core, and true if the last sweep measured them here."""
    spec = grid.specs[0]
    found = _costs().get(spec.engine)
    fixed, for_a_trip = found or GUESSED[spec.engine]
    return fixed + for_a_trip * _trips(spec), found is not None


def _trips(spec: Spec) -> int:
    return START + spec.steps


def _costs() -> dict[str, list[float]]:
    try:
        return dict(json.loads(COST.read_text()))
    except (OSError, ValueError):
        return {}


def run(points: list[Point], where: str, workers: int, bar: Bar) -> int:
    """Run what is missing; returns how many ran. A run that fails, or ^C, ends the sweep; what has
    ended is kept, and the next start goes on from it."""
    left = missing(points)
    if not left:
        return 0
    from concurrent.futures import CancelledError

    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    spent = []
    workers = min(workers, len(left))
    with cluster.opened(where, workers) as client, bar.task("runs", len(left)) as update:
        named = {client.submit(measure, one, key=one.key, pure=False): one for one in left}
        for done in as_completed(named):
            try:
                spent.append(done.result())
            except (RunError, KilledWorker) as error:
                client.cancel(list(named))
                raise RunError(f"{error}\n  again: {named[done].spec.command()}") from None
            except (CancelledError, OSError):
                raise RunError(
                    f"the scheduler of --cluster {where} has gone. {len(spent)} of "
                    f"{counted(len(left), 'run')} have ended and are kept: the same command goes "
                    "on with the others, when a scheduler is there again."
                ) from None
            each = sum(whole for whole, _ in spent) / len(spent) / workers
            rest = _words(len(left) - len(spent), each)
            update(len(spent), len(left), rest)
    _note(left, spent)
    return len(spent)


def _words(left: int, each: float) -> str:
    return f"{left} left, about {minutes(left * each)}" if left else ""


def _note(ran: list[Point], spent: list[tuple[float, float]]) -> None:
    """Write down the cost of a run here, for the next sweep's estimate."""
    simulating = sum(part for _, part in spent)
    fixed = (sum(whole for whole, _ in spent) - simulating) / len(spent)
    cost = [round(fixed, 4), round(simulating / sum(_trips(one.spec) for one in ran), 6)]
    graph.write(COST, json.dumps(_costs() | {ran[0].spec.engine: cost}) + "\n")


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def results(points: list[Point]) -> list[Path]:
    """Where the results of all points are kept, in order."""
    return [run_store.result(one.key) for one in points]
