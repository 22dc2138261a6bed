# SPDX-License-Identifier: BSD-2-Clause
"""The CPI of every version by owner: who had each tick of the path."""

from mcpi.results.summary import OWNERS
from mcpi.studies.sigcomm96.tables.common import each, look, made
from mcpi.studykit.cell import Cell, Column, Table
from mcpi.studykit.measured import Measured


def table(study: Measured) -> Table:
    """Columns are the owners that own anything."""

    def cells(stack: str, variant: str) -> dict[str, Cell]:
        ticks, why = look(study, stack, variant, per_instruction)
        found = {owner: Cell(value) for owner, value in (ticks or {}).items()}
        return found or {"issue": Cell(None, why=why)}

    rows = each(cells)
    seen = {owner for row in rows for owner, one in row.cells.items() if one.ours}
    columns = tuple(Column(o, o, 3) for o in OWNERS if o in seen or o == "issue")
    return made("cpi_owners", rows, columns)


def per_instruction(result: dict) -> dict[str, float]:
    path = result["steady"]["client"]
    return {owner: ticks / path["instructions"] for owner, ticks in path["owners"].items()}
