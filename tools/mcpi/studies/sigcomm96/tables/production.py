# SPDX-License-Identifier: BSD-2-Clause
"""Tables of both stacks between Table 3's points: costs, owners, what was predicted."""

import csv

from mcpi.papers.sigcomm96 import STACKS
from mcpi.papers.tables import number, row
from mcpi.results.summary import OWNERS
from mcpi.studies.sigcomm96 import claims as judged
from mcpi.studies.sigcomm96 import production
from mcpi.studies.sigcomm96.production import BSD, CELLS, OLD, OWN
from mcpi.studies.sigcomm96.tables.common import made
from mcpi.studykit import claims
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured

TITLES = {BSD: "Production", OWN: STACKS[OWN]}
COSTS = {"instructions": "instructions", "ticks": "ticks", "cpi": "cpi"}
COSTS |= {"icpi": "icpi", "mcpi": "mcpi"}
COLD = {"cold_ticks": "ticks", "cold_cpi": "cpi"}
# The paper's, by the rows of its text's numbers.
PRINTED = {
    BSD: {"instructions": "s19", "cpi": "s21", "mcpi": "s92"},
    OWN: {"instructions": "s20", "cpi": "s22"},
}
COUNTED = "one: counted in the cold invocation"


def costs(study: Measured) -> Table:
    """Instructions and CPI of both stacks between the same points, steady and cold."""
    return made("production", [_costs(study, cell) for cell in CELLS])


def _costs(study: Measured, cell: production.Cell) -> Row:
    machine, stack, variant, define = cell
    found = study.of(production.PART, production.key(*cell)) or {}
    steady, cold = found.get("between", {}), found.get("between_cold", {})
    plain = (machine, variant, define) == (OLD, "std", "")
    theirs = {k: _printed(id_) for k, id_ in PRINTED[stack].items()} if plain else {}
    values = {k: steady.get(name) for k, name in COSTS.items()}
    values |= {k: cold.get(name) for k, name in COLD.items()} | {"tp_us": found.get("time_us")}
    cells = {
        k: Cell(v, theirs.get(k), "" if v is not None else "not measured")
        for k, v in values.items()
    }
    return Row((machine, TITLES[stack], " ".join(filter(None, (variant.upper(), define)))), cells)


def _printed(id_: str) -> float | None:
    return number(row("sigcomm96/text_numbers", id=id_)["value"])


def owners(study: Measured) -> Table:
    """Ticks an instruction between the points, by owner."""
    rows = []
    for stack, title in TITLES.items():
        found = study.of(production.PART, production.key(OLD, stack, "std")) or {}
        for part, when in (("between", "steady"), ("between_cold", "cold")):
            one = found.get(part, {})
            cells = {o: Cell(n / one["instructions"]) for o, n in one.get("owners", {}).items()}
            rows.append(Row((title, when), cells or {"issue": Cell(None, why="not measured")}))
    seen = {owner for r in rows for owner in r.cells}
    columns = tuple(Column(o, o, 3) for o in OWNERS if o in seen)
    return made("production_owners", rows, columns)


def predictions(study: Measured) -> Table:
    """Table of what was committed before the first run, judged as claims are."""
    with judged.CLAIMS.with_name("predictions.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    asked = [
        {
            **line,
            "claim": line["prediction"],
            "paper": "",
            "above": line["least"],
            "below": line["most"],
            "over": COUNTED if line["figure"] in production.COUNTS else "orders",
        }
        for line in lines
    ]
    found = claims.judged(asked, study, production.FIGURES, judged.over(study))
    rows = [
        Row(
            (line["prediction"], one.labels[1], line["rule"]),
            _bounds(line, one.labels[1]) | one.cells,
        )
        for line, one in zip(lines, found, strict=True)
    ]
    limits = (Column("least", "Least", 2), Column("most", "Most", 2))
    return made("predictions", rows, (*limits, *claims.COLUMNS))


def _bounds(line: dict[str, str], verdict: str) -> dict[str, Cell]:
    """Beside a verdict alone."""
    return {k: Cell(number(line[k])) for k in ("least", "most")} if verdict else {}
