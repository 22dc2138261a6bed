# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout search``: record, search by replay, judge by running.

A search is trained on one phase of the timers. It is judged by engine exact on other phases, which
it has not seen, beside the layouts made by hand and by rule.
"""

import csv
import os
import statistics
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.batch import perform
from mcpi.batch.plan import Experiment
from mcpi.build import models
from mcpi.engines import span
from mcpi.firmware import images, recipes
from mcpi.firmware.clone import layout as layouts
from mcpi.firmware.clone import recipe
from mcpi.firmware.clone.layout import BIPARTITE, LINEAR, MICRO
from mcpi.layout.placing import orders, problem, search
from mcpi.layout.placing.problem import Problem
from mcpi.machine import caches
from mcpi.results import measure
from mcpi.spec import run_jobs
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.tuning import ordering
from mcpi.tuning.placing_record import PERIOD, Record, record

BY_RULE = {"Pettis-Hansen": orders.pettis_hansen, "temporal": orders.temporal}
INSTRUCTIONS = ("i_demand", "i_stream", "refill_restart")  # owners: what a placement changes
SEARCHED, CODE, WORST = "searched", "searched, code", "worst"
DATA_CANDIDATES = 20_000  # placements of sections; there are few of those


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
class Layout:
    """Positions of the record's copies and sections. ``data`` None: those of the record."""

    code: list[int]
    data: list[int] | None = None


@dataclass(frozen=True)
class Predict:
    """Prediction of a layout by the replay."""

    program: Path
    recorded: Record

    def __call__(self, one: Layout) -> tuple[float, float | None]:
        """Ticks of an invocation that wait for instructions, and its loads that miss the
        D-cache."""
        ticks = search.cost(self.program, self.recorded.code, one.code).ticks / PERIOD
        data = self.recorded.data
        if data is None:
            return ticks, None
        found = search.cost(self.program, data, one.data or data.positions)
        return ticks, found.misses / PERIOD


@dataclass(frozen=True)
class Judged:
    """Judgement of a layout: ticks of an invocation that wait for instructions, ``predicted`` by
    the replay and ``waited`` in the run that was recorded; ``loads`` of it that miss the D-cache,
    by the replay, and those that ``missed`` in that run; T_p in µs, ``trained`` in that run, and of
    each phase it was judged on, at either end. None: the replay knows no positions, or no
    D-cache."""

    name: str
    predicted: float | None
    waited: float
    loads: float | None
    missed: float
    trained: float
    client: list[float]
    server: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.client)


@dataclass(frozen=True)
class Bound:
    """Lower bound of an invocation over all placements of this code: instructions, the ticks of its
    taken branches, and ``misses`` of the I-cache (packed, Belady); together, in µs."""

    instructions: float
    taken: float
    misses: float
    time_us: float


def check(spec: RunSpec) -> None:
    """UserError for what has nothing to place, and for caches that the replay does not know."""
    machine = spec.check().parameters
    caches.direct(machine, "the search of layouts", "icache.ways", "icache.victims")
    span.judged(spec)
    if "clone" not in recipes.recipe(spec.variant):
        there = ", ".join(v for v in recipes.variants() if "clone" in recipes.recipe(v))
        raise UserError(
            f"--variant {spec.variant}: it copies no function, so there is nothing to place. "
            f"Those that do: {there}."
        )


def run(wanted: Wanted, out: Path, bar: Bar) -> tuple[list[Judged], Bound]:
    """Every layout, judged; the files of positions are in ``out``. And the bound. ``^C`` while it
    searches: what is best so far is judged."""
    ordering.of_own_graph(wanted.spec, bar)
    recorded = record(wanted.spec, bar)
    if recorded.data is None:
        bar.say("data stay: the replay knows no D-cache that is off, written back or has ways.")
    predict = Predict(models.build("mcpi-place"), recorded)
    by_hand = _by_hand(wanted.spec, recorded.code)
    made = _made(wanted, predict, by_hand, bar)
    out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name.lower()}.positions.csv" for name in made}
    for name, one in made.items():
        write(files[name], recorded, one)
    where = {name: name for name in (BIPARTITE, *by_hand)}
    where |= {name: str(file) for name, file in files.items()}
    said = {name: predict(one) for name, one in made.items()}
    said |= {name: predict(Layout(own)) for name, own in by_hand.items()}
    judged, path = judge(wanted, where, said, bar)
    best = _best(judged)
    for name in [name for name in files if name.startswith(SEARCHED)]:
        files[name].unlink()
    others = [one for one in judged if not one.name.startswith(SEARCHED)]
    chosen = _chosen(wanted, predict, made[best.name], best, out, bar)
    return [*chosen, *others], _bound(wanted.spec, recorded.code, path)


def _made(
    wanted: Wanted, predict: Predict, by_hand: dict[str, list[int]], bar: Bar
) -> dict[str, Layout]:
    """Layouts that are made here: by rule, by each search, and the worst; ``by_hand`` among the
    searches."""
    program, code, data = predict.program, predict.recorded.code, predict.recorded.data
    rules = {name: rule(code) for name, rule in BY_RULE.items()}
    for name in [n for n, own in rules.items() if not problem.fits(code, own)]:
        bar.say(f"{name} is left out: it needs more than the area that the recipe has for copies.")
        del rules[name]
    searched = _searched(wanted, program, code, rules | by_hand, bar)
    searched |= {f"{SEARCHED}-{name}": own for name, own in by_hand.items()}
    made = {name: Layout(own) for name, own in (rules | searched).items()}
    if data and WORST in made:
        made[WORST] = replace(made[WORST], data=_coloured(wanted, program, data, worst=True))
    return made


def _chosen(
    wanted: Wanted, predict: Predict, found: Layout, best: Judged, out: Path, bar: Bar
) -> list[Judged]:
    """The layout found, with data where those help; then code alone, if they do. Its file is
    written."""
    file = out / f"{SEARCHED}.positions.csv"
    if data := predict.recorded.data:
        both = replace(found, data=_coloured(wanted, predict.program, data))
        write(file, predict.recorded, both)
        again = judge(wanted, {SEARCHED: str(file)}, {SEARCHED: predict(both)}, bar)[0][0]
        if again.trained <= best.trained:
            return [replace(again, name=SEARCHED), replace(best, name=CODE)]
    write(file, predict.recorded, found)
    return [replace(best, name=SEARCHED)]


def _coloured(wanted: Wanted, program: Path, data: Problem, worst: bool = False) -> list[int]:
    """Where the sections meet each other least in the D-cache, or most."""
    first = data.positions
    if wanted.start and not worst and (placed := layouts.sections(wanted.start)):
        first = [placed.get(piece.name, at) for piece, at in zip(data.pieces, first, strict=True)]
    first = [at // data.grain * data.grain for at in first]
    limits = search.Limits(DATA_CANDIDATES, worst=worst)
    seed = wanted.spec.seed
    return search.anneal(program, data, first, seed, limits, lambda *_: None).positions


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
    """Layouts that the searches found, each from another start, cheap ones first; and the worst
    one."""
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
    placed = layouts.positions(file)
    names = [piece.name for piece in recorded.pieces]
    if set(placed) != set(names):
        one = min(set(placed) ^ set(names))
        raise UserError(f"{what} {file}: {one} is in one of image and file alone: another image's.")
    positions = [placed[name] for name in names]
    if not problem.fits(recorded, positions):
        raise UserError(f"{what} {file}: the recipe's area for copies is too small for that.")
    return positions


def _best(judged: list[Judged]) -> Judged:
    """The search or layout by hand that was fastest in the run that they were trained on. It is the
    only one that is judged, so that the others' luck counts for nothing."""
    return min((j for j in judged if j.name.startswith(SEARCHED)), key=lambda one: one.trained)


def write(file: Path, recorded: Record, one: Layout) -> None:
    """Write a layout as ``./mcpi run --layout FILE`` reads it."""
    with file.open("w", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["function", "position"])
        for own, positions in ((recorded.code, one.code), (recorded.data, one.data)):
            if own and positions:
                out.writerows(zip((p.name for p in own.pieces), positions, strict=True))


def judge(
    wanted: Wanted, where: dict[str, str], predicted: dict[str, tuple], bar: Bar
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
    with hold(root / "lock", "judges layouts"):  # folders are named by layout and seed alone
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
        times = trained["invocations"]
        ticks, loads = predicted.get(name, (None, None))
        words = name, ticks, waited / times, loads, trained["dcache.misses"] / times
        found.append(Judged(*words, client[0], client[1:], server[1:]))
    return found, paths[0][SIDES["client"]]["path"]


def _tp(counters: list[dict], side: str, per_us: int) -> float:
    path = counters[SIDES[side]]["path"]
    return path["ticks"] / max(path["invocations"], 1) / per_us
