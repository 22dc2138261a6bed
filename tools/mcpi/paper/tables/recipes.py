# SPDX-License-Identifier: BSD-2-Clause
"""What every recipe came out as, in one line each: docs/variants.md, docs/cloning.md."""

from mcpi.paper.cell import Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS, path, round_trip
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell
from mcpi.paper.tables.table4 import te
from mcpi.paper.tables.table7 import tp


def _path(*keys: str):
    def get(result: dict) -> float:
        value = result["steady"]["client"]
        for key in keys:
            value = value[key]
        return value

    return get


def _unused(result: dict) -> float:
    return result["replay"]["client"]["fetch"]["unused_percent"]


# Column; how our figure is got; which of the paper's stands beside it.
FIGURES = (
    (Column("instructions", "instructions", 0), _path("instructions"), "instructions"),
    (Column("taken", "taken", 0), _path("taken_branches"), None),
    (Column("unused_pct", "unused slots, %", 1), _unused, "fetch.unused_percent"),
    (Column("icpi", "iCPI", 2), _path("icpi"), "icpi"),
    (Column("mcpi", "mCPI", 2), _path("mcpi"), "mcpi"),
    (Column("i_misses", "i-misses", 0), _path("icache", "misses"), None),
    (Column("b_misses", "b-misses", 0), _path("bcache", "misses"), None),
    (Column("tp_us", "T_p, µs", 1), tp, "time_us"),
    (Column("te_us", "T_e, µs", 1), te, "mean_us"),
)


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            theirs = path(stack, variant) | (round_trip(stack, variant) or {})
            cells = {
                column.key: cell(study, stack, variant, get, _text(theirs.get(key)))
                for column, get, key in FIGURES
            }
            rows.append(Row((title, variant.upper()), cells))
    return Table(
        "recipes",
        "Every recipe in a line: the client's path, steady",
        ("Stack", "Version"),
        tuple(column for column, _, _ in FIGURES),
        tuple(rows),
        ("Means of an invocation; unused slots of the cold one. Of TCP/IP both ends change.",),
    )


def _text(value: float | None) -> str | None:
    return None if value is None else str(value)
