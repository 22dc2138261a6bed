# SPDX-License-Identifier: BSD-2-Clause
"""Table 9: what outlining does to the code."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.papers.tables import row
from mcpi.studies.sigcomm96.tables.common import cell, made, size, unused
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured

SIDES = {"without": "std", "with": "out"}
FIGURES = {"unused_pct": ("icache_unused_pct", unused), "size": ("size_instr", size)}


def table(study: Measured) -> Table:
    rows = []
    for stack, title in STACKS.items():
        theirs = row("table9_sigcomm96_outlining_effectiveness", stack=title)
        cells = {
            f"{side}_{key}": cell(study, stack, v, get, theirs[f"{side}_outlining_{column}"])
            for side, v in SIDES.items()
            for key, (column, get) in FIGURES.items()
        }
        rows.append(Row((title,), cells))
    return made("table9", rows)
