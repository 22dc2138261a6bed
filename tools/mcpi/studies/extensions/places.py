# SPDX-License-Identifier: BSD-2-Clause
"""Layouts of copies: by rule, the best that a search finds, and the worst; with the price of the
code that is outlined."""

from dataclasses import asdict
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.batch.plan import Extent, Wanted
from mcpi.build import models
from mcpi.firmware.clone.layout import BIPARTITE, LINEAR, MICRO
from mcpi.layout.placing.search import Limits
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.extensions import blocks, kept
from mcpi.studies.extensions.figures import of
from mcpi.studies.extensions.plan import MACHINES
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.words import Words
from mcpi.tuning import placing
from mcpi.tuning.placing import BY_RULE, CODE, SEARCHED, WORST

PLACES = "places"  # part of study.json
STACKS = ("tcp", "rpc")
VERSIONS = ("clo", "all")
RULES = (BIPARTITE, LINEAR, MICRO, *BY_RULE)
PRICED = (SEARCHED, BIPARTITE, WORST)  # layouts of which the price of moved code is measured
SEARCHES, JUDGED = 2, 5  # starts of a search; phases of the timers that layouts are judged on
ROUND_TRIPS = 50
CANDIDATES, QUICK_CANDIDATES = 30_000, 5_000  # placements that each search tries


def searched(wanted: Wanted, extent: Extent, out: Path, bar: Bar) -> dict:
    """Layouts of each version, by machine with stack. ``out``: for the files of positions. The
    newer machine is left out of a study with few link orders."""
    whole = extent.shuffles > FEW
    found: dict[str, dict] = {}
    for machine in MACHINES if whole else MACHINES[:1]:
        for stack in STACKS:
            for variant in VERSIONS:
                if wanted.stacks and stack not in wanted.stacks:
                    continue
                if wanted.variants and variant not in wanted.variants:
                    continue
                spec = RunSpec(
                    machine, stack=stack, variant=variant, round_trips=ROUND_TRIPS,
                    seed=wanted.usual.seed,
                )  # fmt: skip
                limits = Limits(CANDIDATES if whole else QUICK_CANDIDATES)
                place = out / f"{machine}-{stack}-{variant}"
                found.setdefault(f"{machine} {stack}", {})[variant] = _of(spec, limits, place, bar)
    return found


FEW = 3  # link orders of a quick study


def _of(spec: RunSpec, limits: Limits, out: Path, bar: Bar) -> dict:
    """Layouts of one version."""

    def made() -> dict:
        judged, bound = placing.run(placing.Wanted(spec, JUDGED, SEARCHES, limits), out, bar)
        layouts = {BIPARTITE: "default"}
        layouts |= {name: str(out / f"{name}.positions.csv") for name in (SEARCHED, WORST)}
        specs = [_placed(spec, layouts[name]) for name in PRICED]
        return {
            "bound": asdict(bound),
            "layouts": {one.name: _figures(one) for one in judged},
            blocks.PRICES: blocks.by_event(specs, list(PRICED), bar),
        }

    return kept.found(out / "kept.json", _made_of(spec, limits), made)


def _placed(spec: RunSpec, layout: str) -> RunSpec:
    return RunSpec(spec.machine, stack=spec.stack, variant=spec.variant, layout=layout)


def _made_of(spec: RunSpec, limits: Limits) -> str:
    """A digest of all that decides what a search finds."""
    program = models.build("mcpi-place").read_bytes()
    return kept.key([spec], program, repr((limits, SEARCHES, JUDGED)).encode())


def _figures(one: placing.Judged) -> dict[str, float]:
    return {"time_us": one.median, "low": min(one.client), "high": max(one.client)}


def _time(study: Measured, where: str, variant: str, layout: str) -> float:
    """T_p of a layout, the median over phases."""
    found = study.of(PLACES, where, variant, "layouts", layout)
    if found is None:
        raise Missing(f"{variant.upper()} at {where}, {layout}: not measured")
    return found["time_us"]


def place(study: Measured, where: str, variant: str, one: str, other: str) -> float:
    """T_p of one layout over another's."""
    return _time(study, where, variant, one) / _time(study, where, variant, other)


def over_rules(study: Measured, where: str, variant: str) -> float:
    """T_p of the searched layout over that of the best by rule."""
    return _time(study, where, variant, SEARCHED) / _by_rule(study, where, variant)[1]


def _by_rule(study: Measured, where: str, variant: str) -> tuple[str, float]:
    """The fastest layout by rule, and its T_p."""
    there = (study.of(PLACES, where, variant, "layouts") or {}).keys() & set(RULES)
    if not there:
        raise Missing(f"{variant.upper()} at {where}: not measured")
    best = min(sorted(there), key=lambda name: _time(study, where, variant, name))
    return best, _time(study, where, variant, best)


def worst_over_std(study: Measured, where: str, variant: str) -> float:
    """T_p of the worst layout over STD's."""
    return _time(study, where, variant, WORST) / of(study, where, "std", blocks.BLOCKS)["time_us"]


def place_price(event: str) -> Figure:
    """An event's price in one layout over that in another."""

    def ratio(study: Measured, where: str, variant: str, one: str, other: str) -> float:
        return _price(study, where, variant, event, one) / _price(
            study, where, variant, event, other
        )

    return ratio


def _price(study: Measured, where: str, variant: str, event: str, layout: str) -> float:
    found = study.of(PLACES, where, variant, blocks.PRICES, event, layout)
    if found is None:
        raise Missing(f"{event} of {variant.upper()} at {where}, {layout}: not measured")
    return found


FIGURES: dict[str, Figure] = {
    "place": place,
    "over_rules": over_rules,
    "worst_over_std": worst_over_std,
} | {f"place_{event}": place_price(event) for event in blocks.EVENTS}


def table(study: Measured, words: Words) -> Table:
    """A row for each machine, stack and version."""
    rows = [
        Row((machine, stack.upper(), variant.upper(), name), cells)
        for machine in MACHINES
        for stack in STACKS
        for variant in VERSIONS
        for name, cells in [_row(study, f"{machine} {stack}", variant)]
    ]
    return words.table(PLACES, rows)


def _row(study: Measured, where: str, variant: str) -> tuple[str, dict[str, Cell]]:
    """The name of the best layout by rule, and the cells."""
    try:
        name, rule = _by_rule(study, where, variant)
    except Missing as missing:
        return "", {"searched": Cell(None, why=str(missing))}
    own = study.of(PLACES, where, variant)
    cells = {"bound": Cell(own["bound"]["time_us"]), "rule": Cell(rule)}
    names = {"searched": SEARCHED, "code": CODE, "recipe": BIPARTITE, "worst": WORST}
    for key, layout in names.items():
        if layout in own["layouts"]:
            cells[key] = Cell(own["layouts"][layout]["time_us"])
    if std := study.of(blocks.BLOCKS, "default", where, "std"):
        cells["std"] = Cell(std["time_us"])
    for event, layouts in own[blocks.PRICES].items():
        if event != "reply":
            cells |= {f"{event}_{key}": Cell(layouts[names[key]]) for key in
                      ("searched", "recipe", "worst")}  # fmt: skip
    return name, cells
