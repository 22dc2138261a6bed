# SPDX-License-Identifier: BSD-2-Clause
"""Outlining by annotations and by profiles: runs, figures, tables, and what moved code costs."""

from functools import partial
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.extensions import kept
from mcpi.studies.extensions.figures import Spread, of
from mcpi.studies.extensions.plan import MACHINES, USUAL, short
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.words import Words
from mcpi.tuning import outlining

BLOCKS, PRICES = "blocks", "prices"  # parts of study.json
STACKS = ("tcp", "rpc", "bsd")
NONE, HAND = "std", "out"
VERSIONS = (NONE, HAND, "auto", "tsp", "stale")
ORDERS = 5  # at most so many link orders: there are three stacks on two machines
PAIRED = "tsp"  # the version that both engines run
EVENTS = {"again": outlining.AGAIN, "request": outlining.REQUEST, "reply": outlining.REPLY}
COLUMNS = ("instructions", "taken", "unused", "icache_misses", "time_us")


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Each version of each stack in each link order."""
    return [
        _experiment(wanted, extent, machine, stack, variant, number)
        for number in range(min(extent.shuffles, ORDERS) + 1)
        for machine in MACHINES
        for stack in STACKS
        if not wanted.stacks or stack in wanted.stacks
        for variant in VERSIONS
        if not wanted.variants or variant in wanted.variants
    ]


def pairs(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """A short run that both engines make: every file must be the same."""
    if (wanted.stacks and STACKS[0] not in wanted.stacks) or (
        wanted.variants and PAIRED not in wanted.variants
    ):
        return []
    return [short(_experiment(wanted, extent, MACHINES[0], STACKS[0], PAIRED, 0))]


def _experiment(
    wanted: Wanted, extent: Extent, machine: str, stack: str, variant: str, number: int
) -> Experiment:
    """A version of a stack; ``number``: of the link order, 0: the usual one."""
    layout = f"shuffle-{number}" if number else USUAL
    seed = wanted.usual.seed + max(number - 1, 0)
    spec = wanted.spec(extent, stack, variant, machine=machine, layout=layout, seed=seed)
    part = (BLOCKS, layout, f"{machine} {stack}", variant)
    name = f"blocks-{machine}-{stack}-{variant}-{layout}"
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)


def prices(wanted: Wanted, out: Path, bar: Bar) -> dict:
    """Ticks of a processor when code is needed that has moved, by machine with stack, then event,
    then version; both ends are of that version. ``out``: where they are kept."""
    versions = [v for v in VERSIONS if not wanted.variants or v in wanted.variants]
    found: dict[str, dict] = {}
    for machine in MACHINES:
        for stack in STACKS:
            if versions and (not wanted.stacks or stack in wanted.stacks):
                specs = [RunSpec(machine, {}, stack, v, peer_variant=v) for v in versions]
                made = partial(by_event, specs, versions, bar)
                file = out / f"{machine}-{stack}.json"
                found[f"{machine} {stack}"] = kept.found(file, kept.key(specs), made)
    return found


def by_event(specs: list[RunSpec], names: list[str], bar: Bar) -> dict[str, dict[str, float]]:
    """Prices of specs by event and name."""
    made = outlining.prices(specs, bar)
    return {key: dict(zip(names, made[event], strict=True)) for key, event in EVENTS.items()}


def _ratio(field: str) -> Figure:
    """A figure of one version over another's."""

    def ratio(study: Measured, where: str, one: str, other: str) -> float:
        own, others = (of(study, where, v, BLOCKS) for v in (one, other))
        return own[field] / others[field]

    return ratio


def _priced(event: str) -> Figure:
    """An event's price in one version over that in another."""

    def ratio(study: Measured, where: str, one: str, other: str) -> float:
        own, others = (price(study, where, event, version) for version in (one, other))
        return own / others

    return ratio


def price(study: Measured, where: str, event: str, version: str) -> float:
    """An event's price in a version."""
    found = study.of(PRICES, where, event, version)
    if found is None:
        raise Missing(f"{event} of {version.upper()} at {where}: not measured")
    return found


FIGURES: dict[str, Figure] = {"time": _ratio("ticks"), "taken": _ratio("taken")}
FIGURES |= {event: _priced(event) for event in EVENTS}


def table(study: Measured, words: Words, spread: Spread) -> Table:
    """Every version in the usual link order; T_p over OUT's over the link orders; prices."""
    rows = [
        Row(
            (machine, stack.upper(), version.upper()),
            _cells(study, machine, stack, version, spread),
        )
        for machine in MACHINES
        for stack in STACKS
        for version in VERSIONS
    ]
    return words.table(BLOCKS, rows)


def _cells(
    study: Measured, machine: str, stack: str, version: str, spread: Spread
) -> dict[str, Cell]:
    where = f"{machine} {stack}"
    try:
        run = of(study, where, version, BLOCKS)
    except Missing as missing:
        return {"time_us": Cell(None, why=str(missing))}
    cells = {key: Cell(run[key]) for key in COLUMNS}
    cells |= spread(study, "time", where, version, HAND)
    for event in EVENTS:
        try:
            cells[event] = Cell(price(study, where, event, version))
        except Missing as missing:
            cells[event] = Cell(None, why=str(missing))
    return cells
