# SPDX-License-Identifier: BSD-2-Clause
"""The study's tables; what they say stands in tables.toml."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from mcpi.papers.sigcomm96 import STACKS
from mcpi.papers.tables import number
from mcpi.results.summary import OWNERS
from mcpi.studies.slides import figures
from mcpi.studies.slides.plan import (
    ENDS,
    LATENCIES,
    LATENCY,
    MACHINES,
    OLD,
    OTHERS,
    VERSIONS,
    WIRES,
    at,
)
from mcpi.studykit import claims, values
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import of_orders
from mcpi.studykit.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", STACKS)
AS, NOT_AS = "as predicted", "not as predicted"
MACHINE = {
    "tp_us": values.tp,
    "ticks": values.client("ticks"),
    "instructions": values.client("instructions"),
    "icpi": values.client("icpi"),
    "mcpi": values.client("mcpi"),
    "i_misses": values.client("icache", "misses"),
    "b_misses": values.client("bcache", "misses"),
    "cold_us": figures.cold,
    "te_us": values.te,
}


def of(study: Measured) -> list[Table]:
    made = (judged, predicted, machines, owners, latency, settings, wires)
    return [table(study) for table in made]


def judged(study: Measured) -> Table:
    over = {"orders": of_orders(study, (LATENCY,))}
    return claims.table(WORDS, HERE / "claims.csv", study, figures.FIGURES, over)


def predicted(study: Measured) -> Table:
    with (HERE / "predictions.csv").open(newline="") as stream:
        rows = [_predicted(study, line) for line in csv.DictReader(stream)]
    return WORDS.table("predictions", rows)


def _predicted(study: Measured, line: dict[str, str]) -> Row:
    least, most = number(line["least"]), number(line["most"])
    figure, versions = figures.FIGURES[line["figure"]], line["versions"].split()
    cell = _cell(lambda: figure(study, line["stack"], *versions))
    said = ""
    if cell.ours is not None:
        within = (least is None or cell.ours >= least) and (most is None or cell.ours <= most)
        said = AS if within else NOT_AS
    bounds = {"least": Cell(least), "most": Cell(most)} if said else {}
    labels = (line["prediction"], said, line["rule"])
    return Row(labels, {**bounds, "figure": cell})


def _cell(get: Callable[[], float]) -> Cell:
    try:
        return Cell(get())
    except Missing as missing:
        return Cell(None, why=str(missing))


def _versions(names: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Stack and version; of all, or of these alone."""
    for stack, versions in VERSIONS.items():
        yield from ((stack, variant) for variant in versions if not names or variant in names)


def machines(study: Measured) -> Table:
    def cell(machine: str, stack: str, variant: str, get: values.Get) -> Cell:
        return _cell(lambda: figures.of(study, at(machine, stack), variant, get))

    rows = [
        Row(
            (machine, STACKS[stack], variant.upper()),
            {key: cell(machine, stack, variant, get) for key, get in MACHINE.items()},
        )
        for machine in MACHINES
        for stack, variant in _versions()
    ]
    return WORDS.table("machines", rows)


def owners(study: Measured) -> Table:
    """Columns are the owners that own anything."""
    rows = []
    for machine in MACHINES:
        for stack, variant in _versions(ENDS):
            result = study.result(at(machine, stack), variant)
            cells = {"issue": Cell(None, why="not measured")}
            if result:
                path = result["steady"]["client"]
                ticks = path["owners"].items()
                cells = {owner: Cell(n / path["instructions"]) for owner, n in ticks}
            rows.append(Row((f"{machine}, {STACKS[stack]}", variant.upper()), cells))
    seen = {owner for row in rows for owner, one in row.cells.items() if one.ours}
    columns = tuple(Column(o, o, 3) for o in OWNERS if o in seen or o == "issue")
    return WORDS.table("cpi_owners", rows, columns)


def latency(study: Measured) -> Table:
    def cells(stack: str, variant: str, key: str) -> dict[str, Cell]:
        return {
            name: _cell(lambda which=which: figures.line(study, stack, variant, key)[which])
            for which, name in enumerate(("slope", "error"))
        }

    rows = [
        Row((STACKS[stack], variant.upper(), key), cells(stack, variant, key))
        for stack, variant in _versions(ENDS)
        for key in LATENCIES
    ]
    return WORDS.table("latency", rows)


def settings(study: Measured) -> Table:
    def cells(stack: str, variant: str, setting: str) -> dict[str, Cell]:
        one = study.of("latency", stack, variant, setting)
        return {
            "tp_us": Cell(one["time_us"]) if one else Cell(None, why="not measured"),
            "more": _cell(lambda: figures.more_percent(study, stack, variant, setting)),
        }

    rows = [
        Row((STACKS[stack], variant.upper(), setting), cells(stack, variant, setting))
        for stack, variant in _versions(ENDS)
        for setting in (f"{key}={value}" for key, value in OTHERS)
    ]
    return WORDS.table("settings", rows)


def wires(study: Measured) -> Table:
    """The old machine's own wire first."""

    def cells(where: str, variant: str) -> dict[str, Cell]:
        result = study.result(where, variant)
        if result is None:
            return {"te_us": Cell(None, why="not measured")}
        parts, wire = result["breakdown_us"], sum(result["wire_us"].values())
        share, total = figures.processing_share(result), values.te(result)
        between = sum(parts[f"{way}_controller_and_wire"] for way in ("request", "reply"))
        return {
            "te_us": Cell(total),
            "processing_us": Cell(share * total / 100),
            "wire_us": Cell(wire),
            "controllers_us": Cell(between - wire),
            "share": Cell(share),
        }

    rows = [
        Row((title, STACKS[stack], variant.upper()), cells(at(where, stack), variant))
        for where, title in {OLD: "10 am7990", **{wire: wire for wire in WIRES}}.items()
        for stack, variant in _versions(ENDS)
    ]
    return WORDS.table("wires", rows)
