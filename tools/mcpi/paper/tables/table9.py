# SPDX-License-Identifier: BSD-2-Clause
"""Table 9: what outlining does to the code."""

from mcpi.paper.cell import Column, Row, Table
from mcpi.paper.published import STACKS, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell

NAME = "table9_sigcomm96_outlining_effectiveness"
COLUMNS = (
    Column("without_unused_pct", "without: i-cache unused, %", 1),
    Column("without_size", "without: size", 0),
    Column("with_unused_pct", "with: i-cache unused, %", 1),
    Column("with_size", "with: size", 0),
)
SIDES = {"without": "std", "with": "out"}


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        theirs, cells = row(NAME, stack=title), {}
        for side, variant in SIDES.items():
            unused = theirs[f"{side}_outlining_icache_unused_pct"]
            size = theirs[f"{side}_outlining_size_instr"]
            cells[f"{side}_unused_pct"] = cell(study, stack, variant, _unused, unused)
            cells[f"{side}_size"] = cell(study, stack, variant, _size, size)
        rows.append(Row((title,), cells))
    return Table(
        "table9",
        "Table 9: outlining effectiveness",
        ("Stack",),
        COLUMNS,
        tuple(rows),
        (
            "Unused: instruction slots never executed of the blocks that the client's cold "
            "invocation fetched from. Size: instructions of every function it entered, without "
            "what outlining moved to a function's end, unless it was entered too.",
        ),
    )


def _unused(result: dict) -> float:
    return result["replay"]["client"]["fetch"]["unused_percent"]


def _size(result: dict) -> float:
    return result["static"]["critical_path_instructions"]
