# SPDX-License-Identifier: BSD-2-Clause
"""Table 1: instructions that each technique saves, TCP/IP."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.published import TECHNIQUES, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell, difference, number

NAME = "table1_sigcomm96_instruction_savings"
SAVED = Column("saved", "instructions saved", 0)


def table(study: Study) -> Table:
    rows = [Row((name,), {"saved": _saved(study, key, name)}) for key, name in TECHNIQUES.items()]
    total = difference(study, "tcp", ("original", "std"), lambda r: _length(r))
    theirs = number(row(NAME, technique="Total")["instructions_saved"])
    rows.append(Row(("Total",), {"saved": Cell(total.ours, theirs, total.why)}))
    return Table(
        "table1",
        "Table 1: dynamic instruction count reductions, TCP/IP",
        ("Technique",),
        (SAVED,),
        tuple(rows),
        (
            "Ours: STD with this technique alone taken back, minus STD; the client's steady path. "
            "The total is ORIGINAL minus STD, so parts need not sum to it.",
        ),
    )


def _length(result: dict) -> float:
    return result["steady"]["client"]["instructions"]


def _saved(study: Study, switch: str, name: str) -> Cell:
    theirs = row(NAME, technique=name)["instructions_saved"]
    without = study.record["switches"].get(switch)
    base = cell(study, "tcp", "std", _length)
    if without is None or base.ours is None:
        return Cell(None, number(theirs), base.why or f"no run with {switch}=0")
    return Cell(without["instructions"] - base.ours, number(theirs))
