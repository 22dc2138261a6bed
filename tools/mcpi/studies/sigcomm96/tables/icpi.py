# SPDX-License-Identifier: BSD-2-Clause
"""Where iCPI comes from: the ticks of an invocation under ideal memory, by owner."""

from mcpi.studies.sigcomm96.tables.common import each, filled, made
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured

OPERANDS = ("load_use", "shift", "compare", "agen", "multiply")


def table(study: Measured) -> Table:
    return made("icpi", each(lambda stack, v: _cells(study.of("evidence", stack, v))))


def _cells(found: dict | None) -> dict[str, Cell]:
    if not found or not found.get("ideal"):
        return filled("icpi", None, "not measured")
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
    return filled("icpi", values, "")
