# SPDX-License-Identifier: BSD-2-Clause
"""The study's tables; what they say stands in tables.toml."""

import csv
import itertools
import statistics
from pathlib import Path

from mcpi.papers.tables import number
from mcpi.studies.extensions import blocks, figures, places, recognised
from mcpi.studies.extensions.plan import (
    CONNECTIONS,
    COPIES,
    MACHINES,
    STACKS,
    USUAL,
    VERSIONS,
    at,
)
from mcpi.studykit import claims
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import Samples
from mcpi.studykit.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", {})
AS, NOT_AS = "as predicted", "not as predicted"
FIGURES = figures.FIGURES | blocks.FIGURES | places.FIGURES | recognised.FIGURES
# The part whose link orders a figure is taken over.
PARTS = dict.fromkeys(FIGURES, blocks.BLOCKS) | dict.fromkeys(figures.FIGURES, COPIES)
PARTS |= dict.fromkeys(recognised.FIGURES, recognised.CLASSIFIER)
COLUMNS = (
    "instructions",
    "ticks",
    "time_us",
    "icache_misses",
    "d_ticks",
    "mean_us",
    "copy_ticks",
)


def of(study: Measured) -> list[Table]:
    own = [table(study) for table in (judged, predicted, copies, orders)]
    own += [blocks.table(study, WORDS, spread), places.table(study, WORDS)]
    return [*own, recognised.table(study, WORDS, spread)]


def samples(study: Measured, part: str = COPIES) -> Samples:
    """A sample for each shuffled link order of a part."""
    names = [name for name in study.of(part) or {} if name != USUAL]
    views = tuple(Measured({**study.record, figures.ORDER: name}) for name in names)
    about = (
        f"Link orders: {len(names)}, drawn by seeds 1 and up, each with initial phases by a seed "
        "of its own. --shuffles changes how many."
    )
    return Samples("link orders", views, about)


def judged(study: Measured) -> Table:
    over = {"orders": samples(study), "outlined": samples(study, blocks.BLOCKS)}
    over["recognised"] = samples(study, recognised.CLASSIFIER)
    return claims.table(WORDS, HERE / "claims.csv", study, FIGURES, over)


def predicted(study: Measured) -> Table:
    with (HERE / "predictions.csv").open(newline="") as stream:
        rows = [_predicted(study, line) for line in csv.DictReader(stream)]
    return WORDS.table("predictions", rows)


def _predicted(study: Measured, line: dict[str, str]) -> Row:
    """The figure is the median over link orders."""
    least, most = number(line["least"]), number(line["most"])
    where, versions = line["stack"], line["versions"].split()
    cell = median(study, line["figure"], where, *versions)
    said = ""
    if cell.ours is not None:
        said = AS if least <= cell.ours <= most else NOT_AS
    machine, _, of = where.partition(" ")
    labels = (line["prediction"], machine, of, said, line["rule"])
    return Row(labels, {"least": Cell(least), "most": Cell(most), "figure": cell})


def median(study: Measured, figure: str, where: str, *versions: str) -> Cell:
    """Over the link orders, or in the usual one if there are no others; of break-even, by the
    medians of cost and gain."""
    if figure == "break_even":
        return _pays(*(median(study, key, where) for key in ("copy_ticks", "gain")))
    return spread(study, figure, where, *versions)["median"]


def spread(study: Measured, figure: str, where: str, *versions: str) -> dict[str, Cell]:
    """The median of a figure, the lowest and the highest, over the link orders, or of the usual one
    if there are no others."""
    take = FIGURES[figure]
    views = samples(study, PARTS[figure]).views
    try:
        values = [take(v, where, *versions) for v in views or (study,)]
    except Missing as missing:
        return {"median": Cell(None, why=str(missing))}
    found = {"median": statistics.median(values), "low": min(values), "high": max(values)}
    return {key: Cell(value) for key, value in found.items()}


def copies(study: Measured) -> Table:
    """Every version with every number of connections, in the usual link order."""
    rows = [
        Row(
            (machine, stack.upper(), f"{connections}", variant.upper()),
            _cells(study, at(machine, stack, connections), variant),
        )
        for machine in MACHINES
        for stack in STACKS
        for connections in CONNECTIONS
        for variant in VERSIONS
    ]
    return WORDS.table("copies", rows)


def _cells(study: Measured, where: str, variant: str) -> dict[str, Cell]:
    try:
        run = figures.of(study, where, variant)
    except Missing as missing:
        return {"ticks": Cell(None, why=str(missing))}
    return {key: Cell(run[key]) for key in COLUMNS if key in run}


def orders(study: Measured) -> Table:
    """Medians over the link orders, and the range of what own code costs."""
    rows = []
    for machine, stack, connections in itertools.product(MACHINES, STACKS, CONNECTIONS):
        where = at(machine, stack, connections)
        keys = ("tp_ratio", "gain", "copy_ticks", "break_even")
        cells = {key: median(study, key, where) for key in keys}
        rows.append(Row((machine, stack.upper(), f"{connections}"), cells | _range(study, where)))
    return WORDS.table("orders", rows)


def _pays(cost: Cell, gain: Cell) -> Cell:
    """Round trips after which a copy has paid."""
    if cost.ours is None or gain.ours is None:
        return Cell(None, why="not measured")
    if gain.ours <= 0:
        return Cell(None, why="never: own code is slower")
    return Cell(cost.ours / gain.ours)


def _range(study: Measured, where: str) -> dict[str, Cell]:
    try:
        values = [figures.tp_ratio(v, where) for v in samples(study).views]
    except Missing:
        return {}
    return {"low": Cell(min(values)), "high": Cell(max(values))} if values else {}
