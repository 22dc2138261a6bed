# SPDX-License-Identifier: BSD-2-Clause
"""Where iCPI comes from: the ticks of an invocation under ideal memory, by owner."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

COLUMNS = (
    Column("instructions", "instructions", 1),
    Column("taken", "taken branches", 1),
    Column("taken_bubble", "their ticks", 1),
    Column("operands", "operand waits", 1),
    Column("rest", "PAL, devices", 1),
    Column("ticks", "all ticks", 1),
    Column("icpi", "iCPI", 3),
)
OPERANDS = ("load_use", "shift", "compare", "agen", "multiply")


def table(study: Study) -> Table:
    rows = [
        Row((title, variant.upper()), _cells(study, stack, variant))
        for stack, title in STACKS.items()
        for variant in STUDIED[stack]
    ]
    return Table(
        "icpi",
        "Where iCPI comes from: an invocation under ideal memory",
        ("Stack", "Version"),
        COLUMNS,
        tuple(rows),
        ("iCPI is all ticks over instructions; only what the code itself does is in it.",),
    )


def _cells(study: Study, stack: str, variant: str) -> dict[str, Cell]:
    found = study.record.get("evidence", {}).get(stack, {}).get(variant)
    if not found or not found.get("ideal"):
        return {c.key: Cell(None, why="not measured") for c in COLUMNS}
    owners = found["ideal"]
    values = {
        "instructions": owners["issue"],
        "taken": found["taken"],
        "taken_bubble": owners.get("taken_bubble", 0.0),
        "operands": sum(owners.get(name, 0.0) for name in OPERANDS),
        "ticks": sum(owners.values()),
        "icpi": sum(owners.values()) / owners["issue"],
    }
    values["rest"] = values["ticks"] - sum(
        values[k] for k in ("instructions", "taken_bubble", "operands")
    )
    return {key: Cell(value) for key, value in values.items()}
