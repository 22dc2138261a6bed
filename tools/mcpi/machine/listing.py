# SPDX-License-Identifier: BSD-2-Clause
"""The parameters of a machine as a list for people: ``machines/parameters.toml`` with the machine's
values."""

import dataclasses
import tomllib
from dataclasses import dataclass

from mcpi.base.repo import MACHINES
from mcpi.machine.profile import Machine, load


@dataclass(frozen=True)
class Parameter:
    """``value`` and ``range`` as ``--set`` takes them; ``acts_if``: conditions without which a
    change has no effect."""

    key: str
    value: str
    range: str
    unit: str
    acts: str
    acts_if: tuple[str, ...]
    doc: str

    def plain(self) -> dict[str, object]:
        return dataclasses.asdict(self)


def of(machine: str, settings: dict[str, str]) -> list[Parameter]:
    """All parameters that the machine has, in the order of the file."""
    resolved = load(machine, settings)
    file = tomllib.loads((MACHINES / "parameters.toml").read_text())
    rows = {f"{group}.{name}": row for group, part in file.items() for name, row in part.items()}
    return [_parameter(key, rows[key], resolved) for key in rows if key in resolved.parameters]


def _parameter(key: str, row: dict, machine: Machine) -> Parameter:
    unit = "bytes" if row["type"] == "size" else row.get("unit", "")
    value = _text(machine.parameters[key], row["type"])
    conditions = tuple(machine.acts_if.get(key, ()))
    doc = " ".join(row["doc"].split())
    return Parameter(key, value, _range(row), unit, row["acts"], conditions, doc)


def _range(row: dict) -> str:
    if "only" in row:
        return "only " + ", ".join(_text(value, row["type"]) for value in row["only"])
    if row["type"] == "choice":
        return " | ".join(row["choices"])
    if row["type"] == "bool":
        return "on | off"
    return " … ".join(_text(value, row["type"]) for value in row["range"]) if "range" in row else ""


def _text(value: object, kind: str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if kind == "size" and isinstance(value, int):
        for unit, bytes_ in (("MB", 1 << 20), ("KB", 1 << 10)):
            if value and value % bytes_ == 0:
                return f"{value // bytes_}{unit}"
    return str(value)
