# SPDX-License-Identifier: BSD-2-Clause
"""Table 1: instructions that each technique saves, TCP/IP."""

from mcpi.papers.tables import number, row
from mcpi.studies.sigcomm96.plan import TECHNIQUES
from mcpi.studies.sigcomm96.tables.common import cell, difference, made
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import client

LENGTH = client("instructions")


def table(study: Measured) -> Table:
    rows = [Row((name,), {"saved": _saved(study, key, name)}) for key, name in TECHNIQUES.items()]
    total = difference(study, "tcp", ("original", "std"), LENGTH)
    rows.append(Row(("Total",), {"saved": Cell(total.ours, _theirs("Total"), total.why)}))
    return made("table1", rows)


def _theirs(name: str) -> float | None:
    printed = row("table1_sigcomm96_instruction_savings", technique=name)
    return number(printed["instructions_saved"])


def _saved(study: Measured, switch: str, name: str) -> Cell:
    without = study.of("switches", switch)
    base = cell(study, "tcp", "std", LENGTH)
    if without is None or base.ours is None:
        return Cell(None, _theirs(name), base.why or f"no run with {switch}=0")
    return Cell(without["instructions"] - base.ours, _theirs(name))
