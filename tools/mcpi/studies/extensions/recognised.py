# SPDX-License-Identifier: BSD-2-Clause
"""Runs in which nobody, software or the controller recognises a path's frames; figures, table."""

from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.studies.extensions.figures import Spread, of
from mcpi.studies.extensions.plan import OLD, USUAL
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.words import Words

CLASSIFIER = "classifier"  # part of study.json
STACKS = ("tcp", "rpc")
SPEEDS = (10, 100)  # Mb/s
VERSIONS = ("pin", "all", "fast")
NONE, SOFTWARE, CONTROLLER = WAYS = ("none", "software", "controller")
ORDERS = 5  # at most so many link orders: there are two stacks at two speeds
COLUMNS = ("instructions", "time_us", "mean_us")
# Switches of the images: PIN and ALL have no classifier by default, FAST has its guard.
DEFINES = {
    ("pin", SOFTWARE): ("PIN_GUARD_INSIDE=1",),
    ("all", SOFTWARE): ("PIN_GUARD_INSIDE=1",),
    ("fast", NONE): ("XK_FAST_GUARD=0",),
}
# No Am7990 keeps up with 100 Mb/s.
WIRE = {10: {}, 100: {"link.mbps": "100", "lance.profile": "ideal"}}


def at(stack: str, mbps: int) -> str:
    """The key of a stack on a wire."""
    return f"{OLD} {stack} {mbps}"


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Each version of each stack on each wire, recognised in each way, in each link order."""
    return [
        _experiment(wanted, extent, stack, mbps, variant, way, number)
        for number in range(min(extent.shuffles, ORDERS) + 1)
        for mbps in SPEEDS
        for stack in STACKS
        if not wanted.stacks or stack in wanted.stacks
        for variant in VERSIONS
        if not wanted.variants or variant in wanted.variants
        for way in WAYS
    ]


def _experiment(
    wanted: Wanted, extent: Extent, stack: str, mbps: int, variant: str, way: str, number: int
) -> Experiment:
    """A version that recognises frames in a way; ``number``: of the link order, 0: the usual."""
    layout = f"shuffle-{number}" if number else USUAL
    more = {
        "machine": OLD,
        "settings": WIRE[mbps] | ({"lance.classifier": "on"} if way == CONTROLLER else {}),
        "defines": DEFINES.get((variant, way), ()),
        "layout": layout,
        "seed": wanted.usual.seed + max(number - 1, 0),
    }
    spec = wanted.spec(extent, stack, variant, **more)
    part = (CLASSIFIER, layout, at(stack, mbps), _version(variant, way))
    name = f"{CLASSIFIER}-{OLD}-{stack}-{mbps}-{variant}-{way}-{layout}"
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)


def _version(variant: str, way: str) -> str:
    return f"{variant} {way}"


def _less(field: str) -> Figure:
    """A figure of a version recognised in a way, less that of another way."""

    def difference(study: Measured, where: str, variant: str, one: str, other: str) -> float:
        own, others = (of(study, where, _version(variant, w), CLASSIFIER) for w in (one, other))
        return own[field] - others[field]

    return difference


FIGURES: dict[str, Figure] = {
    "path_instructions": _less("instructions"),
    "path_time": _less("time_us"),
    "path_round_trip": _less("mean_us"),
}


def table(study: Measured, words: Words, spread: Spread) -> Table:
    """Every version in the usual link order; T_e less that with software, over link orders."""
    rows = [
        Row(
            (f"{mbps}", stack.upper(), variant.upper(), way),
            _cells(study, at(stack, mbps), variant, way, spread),
        )
        for mbps in SPEEDS
        for stack in STACKS
        for variant in VERSIONS
        for way in WAYS
    ]
    return words.table(CLASSIFIER, rows)


def _cells(study: Measured, where: str, variant: str, way: str, spread: Spread) -> dict[str, Cell]:
    try:
        run = of(study, where, _version(variant, way), CLASSIFIER)
    except Missing as missing:
        return {"time_us": Cell(None, why=str(missing))}
    cells = {key: Cell(run[key]) for key in COLUMNS}
    if way == SOFTWARE:
        return cells
    return cells | spread(study, "path_round_trip", where, variant, way, SOFTWARE)
