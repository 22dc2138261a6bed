# SPDX-License-Identifier: BSD-2-Clause
"""What a round trip costs the client outside the path; what of the path nobody waits for."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

COLUMNS = (
    Column("tp_us", "T_p, µs", 2),
    Column("behind_us", "of it behind the hand-over, µs", 2),
    Column("busy_us", "busy outside the path, µs", 2),
    Column("i_misses", "i-cache misses outside", 1),
)


def values(study: Study, stack: str, variant: str) -> dict[str, float] | None:
    found = study.record.get("evidence", {}).get(stack, {}).get(variant)
    result = study.result(stack, variant)
    if not found or not result or "behind_us" not in found:
        return None
    tp = result["steady"]["client"]["time_us"]
    return {"tp_us": tp, "behind_us": found["behind_us"], **found["outside"]}


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            found = values(study, stack, variant)
            cells = {
                c.key: Cell(found[c.key]) if found else Cell(None, why="not measured")
                for c in COLUMNS
            }
            rows.append(Row((title, variant.upper()), cells))
    return Table(
        "outside",
        "Outside the path: interrupts, threads, timers",
        ("Stack", "Version"),
        COLUMNS,
        tuple(rows),
        (
            "Client, first sample, means of a round trip. What comes behind the hand-over overlaps "
            "with the controller and the wire: a gain there shows in T_p and not in T_e. A gain "
            "inside the path that makes other code miss shows the other way round.",
        ),
    )
