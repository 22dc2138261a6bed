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
from mcpi.firmware import images, recipes
from mcpi.firmware.clone import layout as layouts
from mcpi.firmware.clone import recipe
from mcpi.firmware.clone.layout import BIPARTITE, LINEAR, MICRO
from mcpi.layout.placing import orders, problem, search
from mcpi.layout.placing.problem import Problem
from mcpi.results import measure
from mcpi.spec import run_jobs
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.study import ordering, perform
from mcpi.study.plan import Experiment
from mcpi.tracing.where import Stamps

PERIOD = 8  # invocations that are replayed
# Ticks that the path loses by a miss of the I-cache: the block's, then refill_restart. Of what the
# stream buffer has, four of the b-cache's ten are left on STD's path (docs/explanation/results.md).
STREAMED = 0.4
OPENS, CLOSES = ("window_open", "window_resume"), ("window_close", "window_pause")
BY_RULE = {"Pettis-Hansen": orders.pettis_hansen, "temporal": orders.temporal}
INSTRUCTIONS = ("i_demand", "i_stream", "refill_restart")  # owners: what a placement changes
SEARCHED, WORST = "searched", "worst"


@dataclass(frozen=True)
class Wanted:
    """``spec``: stack, variant, machine, and the seed that is trained on. ``judged``: so many other
    seeds. ``searches``: so many, each within ``limits``; ``start``: positions for the first."""

    spec: RunSpec
    judged: int
    searches: int
    limits: search.Limits
    start: Path | None = None


@dataclass(frozen=True)
class Judged:
    """Of one layout: ticks of an invocation that wait for instructions, ``predicted`` by the replay
    and ``waited`` in the run that was recorded; T_p in µs, ``trained`` in that run, and of each
    phase it was judged on, at either end. ``predicted`` is None where the replay knows no
    positions."""

    name: str
    predicted: float | None
    waited: float
    trained: float
    client: list[float]
    server: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.client)


@dataclass(frozen=True)
class Bound:
    """What no placement of this code goes below, an invocation: instructions, the ticks of its
    taken branches, and ``misses`` of the I-cache (packed, Belady); together, in µs."""

    instructions: float
    taken: float
    misses: float
    time_us: float


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


def run(wanted: Wanted, out: Path, bar: Bar) -> tuple[list[Judged], Bound]:
    """Every layout, judged; the files of positions are in ``out``. And the bound. ``^C`` while it
    searches: what is best so far is judged."""
    ordering.of_own_graph(wanted.spec, bar)
    recorded = record(wanted.spec, bar)
    program = models.build("mcpi-place")
    positions = {name: rule(recorded) for name, rule in BY_RULE.items()}
    for name in [n for n, own in positions.items() if not problem.fits(recorded, own)]:
        bar.say(f"{name} is left out: it needs more than the area that the recipe has for copies.")
        del positions[name]
    by_hand = _by_hand(wanted.spec, recorded)
    positions |= _searched(wanted, program, recorded, positions | by_hand, bar)
    positions |= {f"{SEARCHED}-{name}": own for name, own in by_hand.items()}
    out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name.lower()}.positions.csv" for name in positions}
    for name, own in positions.items():
        write(files[name], recorded, own)
    where = {name: name for name in (BIPARTITE, *by_hand)} | {
        n: str(file) for n, file in files.items()
    }
    positions |= by_hand
    predicted = {
        name: search.cost(program, recorded, own).ticks / PERIOD for name, own in positions.items()
    }
    judged, path = judge(wanted, where, predicted, bar)
    return _chosen(judged, out), _bound(wanted.spec, recorded, path)


def _bound(spec: RunSpec, recorded: Problem, path: dict) -> Bound:
    """``path``: counters of a run; placement changes neither instructions nor branches."""
    own = [path[f"owner.{name}"] / path["invocations"] for name in ("issue", "taken_bubble")]
    misses = orders.least_misses(recorded) / PERIOD
    ticks = sum(own) + misses * recorded.stream
    return Bound(*own, misses, ticks / spec.check().parameters["clock.ticks_per_us"])


def _by_hand(spec: RunSpec, recorded: Problem) -> dict[str, list[int]]:
    """The layouts made by hand. A search can begin with them, and they are among what it chooses
    from: so none is better than what it finds."""
    found = {LINEAR: orders.packed(recorded, range(len(recorded.pieces)))}
    if recipes.recipe(spec.variant)["clone"]["layout"] == BIPARTITE:
        found[BIPARTITE] = recorded.positions
    made = images.compiled(spec.check(), spec.variant, spec.stack, spec.defines, "client")
    file = recipe.orders(made.clone, made.path).with_suffix(".positions.csv")
    if file.is_file():
        found[MICRO] = _of_file(file, recorded, "layout micro,")
    return found


def _searched(
    wanted: Wanted, program: Path, recorded: Problem, known: dict[str, list[int]], bar: Bar
) -> dict[str, list[int]]:
    """What each search found, each from another start, cheap ones first; and the worst there is."""
    starts = sorted(known.values(), key=lambda own: search.cost(program, recorded, own).ticks)
    if wanted.start:
        starts.insert(0, _of_file(wanted.start, recorded))
    found: dict[str, list[int]] = {}
    for n in range(wanted.searches):
        with bar.task(f"search {n + 1} of {wanted.searches}", wanted.limits.candidates) as update:
            first = starts[n % len(starts)]
            seed = wanted.spec.seed + n
            one = search.anneal(program, recorded, first, seed, wanted.limits, update)
        found[f"{SEARCHED}-{n + 1}"] = one.positions
        if one.stopped and not wanted.limits.seconds:
            return found
    with bar.task("the worst", wanted.limits.candidates) as update:
        limits = replace(wanted.limits, worst=True)
        worst = search.anneal(program, recorded, recorded.positions, 1, limits, update)
    return found | {WORST: worst.positions}


def _of_file(file: Path, recorded: Problem, what: str = "--start") -> list[int]:
    told = layouts.positions(file)
    names = [piece.name for piece in recorded.pieces]
    if set(told) != set(names):
        one = min(set(told) ^ set(names))
        raise UserError(f"{what} {file}: {one} is in one of image and file alone: another image's.")
    positions = [told[name] for name in names]
    if not problem.fits(recorded, positions):
        raise UserError(f"{what} {file}: the recipe's area for copies is too small for that.")
    return positions


def _chosen(judged: list[Judged], out: Path) -> list[Judged]:
    """Of all searches and layouts by hand, the one that was fastest in the run that they were
    trained on; it is the only one that is judged, so that the others' luck counts for nothing."""
    searched = [one for one in judged if one.name.startswith(SEARCHED)]
    best = min(searched, key=lambda one: one.trained)
    for one in searched:
        file = out / f"{one.name}.positions.csv"
        if one is best:
            file.replace(out / f"{SEARCHED}.positions.csv")
        else:
            file.unlink()
    return [replace(best, name=SEARCHED), *(one for one in judged if one not in searched)]


def write(file: Path, recorded: Problem, positions: list[int]) -> None:
    """As ``./mcpi run --layout FILE`` reads it."""
    with file.open("w", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["function", "position"])
        out.writerows(zip((piece.name for piece in recorded.pieces), positions, strict=True))


def judge(
    wanted: Wanted, where: dict[str, str], predicted: dict[str, float], bar: Bar
) -> tuple[list[Judged], dict]:
    """Each layout at the seed that was recorded, and at as many others as wanted; and what one of
    the runs counted of the client's path."""
    seeds = [wanted.spec.seed + n for n in range(wanted.judged + 1)]
    experiments = [
        Experiment(
            f"{name.lower()}-{seed}",
            replace(wanted.spec, layout=layout, seed=seed),
            (run_jobs.Job(1, run_jobs.REAL),),
        )
        for name, layout in where.items()
        for seed in seeds
    ]
    root = BUILD / "placing"
    root.mkdir(parents=True, exist_ok=True)
    tasks = perform.build(experiments, root, bar)
    perform.perform(tasks, len(os.sched_getaffinity(0)), bar)
    paths = [measure.counters(root / e.name / "counters.json") for e in experiments]
    per_us = experiments[0].machine.parameters["clock.ticks_per_us"]
    found = []
    for n, name in enumerate(where):
        own = paths[n * len(seeds) : (n + 1) * len(seeds)]
        client, server = ([_tp(p, side, per_us) for p in own] for side in SIDES)
        trained = own[0][SIDES["client"]]["path"]
        waited = sum(trained.get(f"owner.{owner}", 0) for owner in INSTRUCTIONS)
        words = (name, predicted.get(name), waited / trained["invocations"])
        found.append(Judged(*words, client[0], client[1:], server[1:]))
    return found, paths[0][SIDES["client"]]["path"]


def _tp(counters: list[dict], side: str, per_us: int) -> float:
    path = counters[SIDES[side]]["path"]
    return path["ticks"] / max(path["invocations"], 1) / per_us
