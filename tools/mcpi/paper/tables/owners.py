# SPDX-License-Identifier: BSD-2-Clause
"""The CPI of every version by owner: who had each tick of the path."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study
from mcpi.paper.tables.common import look
from mcpi.report import OWNERS


def table(study: Study) -> Table:
    rows, seen = [], set()
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            ticks, why = look(study, stack, variant, per_instruction)
            cells = {owner: Cell(value) for owner, value in (ticks or {}).items()}
            seen |= {owner for owner, value in (ticks or {}).items() if value}
            rows.append(Row((title, variant.upper()), cells or {"issue": Cell(None, why=why)}))
    columns = tuple(Column(o, o, 3) for o in OWNERS if o in seen or o == "issue")
    return Table(
        "cpi_owners",
        "CPI of the client's steady path by owner",
        ("Stack", "Version"),
        columns,
        tuple(rows),
        ("Ticks per instruction; the owners of a row sum to its CPI.",),
    )


def per_instruction(result: dict) -> dict[str, float]:
    path = result["steady"]["client"]
    return {owner: ticks / path["instructions"] for owner, ticks in path["owners"].items()}
