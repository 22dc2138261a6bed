# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout search``: record, search by replay, judge by running.

A search is trained on one phase of the timers. It is judged by engine exact on other phases, which
it has not seen, beside the layouts made by hand and by rule.
"""

import csv
import os
import statistics
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.analysis import attribution
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import models
from mcpi.engines import span
from mcpi.firmware import recipes
from mcpi.firmware.clone.layout import BIPARTITE, LINEAR
from mcpi.layout.placing import orders, problem, search
from mcpi.layout.placing.problem import Problem
from mcpi.results import measure
from mcpi.spec import run_jobs
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.study import perform
from mcpi.study.plan import Experiment
from mcpi.tracing.where import Stamps

PERIOD = 8  # invocations that are replayed
# Ticks that the path loses by a miss of the I-cache: the block's, then refill_restart. Of what the
# stream buffer has, four of the b-cache's ten are left on STD's path (docs/explanation/results.md).
STREAMED = 0.4
OPENS, CLOSES = ("window_open", "window_resume"), ("window_close", "window_pause")
BY_RULE = {"Pettis-Hansen": orders.pettis_hansen, "temporal": orders.temporal}
BY_HAND = (BIPARTITE, LINEAR)
SEARCHED, WORST = "searched", "worst"


@dataclass(frozen=True)
class Wanted:
    """``spec``: stack, variant, machine, and the seed that is trained on. ``judged``: so many other
    seeds. ``candidates`` of each of ``seeds`` searches."""

    spec: RunSpec
    judged: int
    seeds: int
    limits: search.Limits


@dataclass(frozen=True)
class Judged:
    """Of one layout: ``predicted`` ticks of I-cache misses an invocation, by replay; T_p in µs of
    each phase it was judged on, at either end; ``trained``: of the phase it was trained on."""

    name: str
    predicted: float
    trained: float
    client: list[float]
    server: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.client)


def check(spec: RunSpec) -> None:
    """UserError for what has nothing to place."""
    span.judged(spec)
    if "clone" not in recipes.recipe(spec.variant):
        there = ", ".join(v for v in recipes.variants() if "clone" in recipes.recipe(v))
        raise UserError(
            f"--variant {spec.variant}: it copies no function, so there is nothing to place. "
            f"Those that do: {there}."
        )


def record(spec: RunSpec, bar: Bar) -> Problem:
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
                "counted (docs/contributing.md)."
            )
        start, end = invocations[0][0], invocations[PERIOD][0]
        run.log(start, end, [], bar)
        copies = problem.pieces(run.image(node).with_suffix(".json"))
        rows = attribution.read(place / f"span.{node}.csv")
        issues = ((tick.first, tick.pc) for tick in rows if tick.pc is not None)
        runs = problem.runs(issues, copies, _counted(stamps, start, end))
    caches = machine.parameters
    restart, block = caches["icache.refill_restart"], caches["bcache.read_ticks"]
    area = recipes.recipe(spec.variant)["clone"]["area"]
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
        runs,
    )


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


def run(wanted: Wanted, out: Path, bar: Bar) -> tuple[list[Judged], int]:
    """Every layout, judged, the searched one's positions in ``out``; and the bound, misses of a
    period. ``^C`` while it searches: what is best so far is judged."""
    recorded = record(wanted.spec, bar)
    program = models.build("mcpi-place")
    found = {name: rule(recorded) for name, rule in BY_RULE.items()}
    found |= _searched(wanted, program, recorded, found, bar)
    out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name.lower()}.positions.csv" for name in found}
    for name, positions in found.items():
        write(files[name], recorded, positions)
    layouts = {name: name for name in BY_HAND} | {n: str(file) for n, file in files.items()}
    positions = {BIPARTITE: recorded.positions, **found}
    positions[LINEAR] = orders.packed(recorded, range(len(recorded.pieces)))
    predicted = {
        name: search.cost(program, recorded, own).ticks / PERIOD for name, own in positions.items()
    }
    return judge(wanted, layouts, predicted, bar), orders.least_misses(recorded)


def _searched(
    wanted: Wanted, program: Path, recorded: Problem, rules: dict[str, list[int]], bar: Bar
) -> dict[str, list[int]]:
    """The best of all seeds, each from another start; and the worst there is."""
    starts = [recorded.positions, *rules.values()]
    best: search.Found | None = None
    for n in range(wanted.seeds):
        with bar.task(f"search {n + 1} of {wanted.seeds}", wanted.limits.candidates) as update:
            first = starts[n % len(starts)]
            one = search.anneal(program, recorded, first, n + 1, wanted.limits, update)
        if best is None or one.ticks < best.ticks:
            best = one
        if one.stopped:
            break
    with bar.task("the worst", wanted.limits.candidates) as update:
        limits = replace(wanted.limits, worst=True)
        worst = search.anneal(program, recorded, recorded.positions, 1, limits, update)
    return {SEARCHED: best.positions, WORST: worst.positions}


def write(file: Path, recorded: Problem, positions: list[int]) -> None:
    """As ``./mcpi run --layout FILE`` reads it."""
    with file.open("w", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["function", "position"])
        out.writerows(zip((piece.name for piece in recorded.pieces), positions, strict=True))


def judge(
    wanted: Wanted, layouts: dict[str, str], predicted: dict[str, float], bar: Bar
) -> list[Judged]:
    """T_p of each layout, at the seed it was trained on and at as many others as wanted."""
    seeds = [wanted.spec.seed + n for n in range(wanted.judged + 1)]
    experiments = [
        Experiment(
            f"{name.lower()}-{seed}",
            replace(wanted.spec, layout=layout, seed=seed),
            (run_jobs.Job(1, run_jobs.REAL),),
        )
        for name, layout in layouts.items()
        for seed in seeds
    ]
    root = BUILD / "placing"
    root.mkdir(parents=True, exist_ok=True)
    tasks = perform.build(experiments, root, bar)
    perform.perform(tasks, len(os.sched_getaffinity(0)), bar)
    times = [_times(root / e.name, e) for e in experiments]
    found = []
    for n, name in enumerate(layouts):
        trained, *others = times[n * len(seeds) : (n + 1) * len(seeds)]
        client, server = (list(side) for side in zip(*others, strict=True))
        found.append(Judged(name, predicted[name], trained[0], client, server))
    return found


def _times(place: Path, experiment: Experiment) -> tuple[float, float]:
    """T_p of client and server, µs."""
    per_us = experiment.machine.parameters["clock.ticks_per_us"]
    counters = measure.counters(place / "counters.json")
    paths = (counters[node]["path"] for node in SIDES.values())
    client, server = (path["ticks"] / max(path["invocations"], 1) / per_us for path in paths)
    return client, server
