# SPDX-License-Identifier: BSD-2-Clause
"""A program on a node of several cores: options of its one run, and the parts of its result."""

import json
import re
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.firmware.regions import Region
from mcpi.machine.profile import Machine
from mcpi.results import measure, passages
from mcpi.results import regions as measured
from mcpi.spec.program_spec import ProgramSpec

MARKERS = "markers.0.csv"
_CAUSE = re.compile(r"cause\.(\w+)\.(\w+)")


def options(spec: ProgramSpec) -> list[str]:
    """Options of the simulator."""
    log = ["--tick-log-of", str(spec.core)] if spec.tick_log else []
    return [*markers(), "--passages", *log]


def markers() -> list[str]:
    """Options that name the file of what is measured."""
    return ["--markers", MARKERS]


def parts(spec: ProgramSpec, place: Path, regions: list[Region], machine: Machine) -> dict:
    """``steady``, ``regions`` and ``cores`` of the result. RunError if the core that is asked for
    has measured nothing."""
    banks = measure.counters(place / "counters.json")
    cores = [_core(place, n, bank, regions, machine) for n, bank in enumerate(banks)]
    mine = cores[spec.core]
    if "path" not in mine:
        others = [str(n) for n, core in enumerate(cores) if "path" in core]
        if not others:
            raise RunError(measured.NOTHING)
        raise RunError(
            f"core {spec.core} has passed no measured place; core {' and core '.join(others)} "
            f"has: --core {others[0]}."
        )
    return {
        "steady": {"client": mine["path"]},
        "regions": {"client": mine["regions"]},
        "cores": {"client": cores},
    }


def _core(
    place: Path, number: int, bank: dict[str, dict[str, int]], regions: list[Region], machine
) -> dict:
    """``Core`` of the result."""
    all_ = bank["all"]
    owners = measure.by_owner(all_)
    whole = {"ticks": all_["ticks"], "instructions": all_["instructions"], "owners": owners}
    found: dict = {"whole": whole, "causes": _causes(all_)}
    rows = passages.read(measured.file(place, number))
    passages.check(rows, bank["path"])
    if rows:
        found["regions"] = measured.parts(place, None, number, regions, machine)
        found["path"] = measured.all_together(rows, bank["path"], machine)
        found["path_causes"] = _causes(bank["path"])
    return found


def _causes(counted: dict[str, int]) -> dict[str, dict[str, int]]:
    """Ticks by owner and cause, without zeroes."""
    found: dict[str, dict[str, int]] = {}
    for name, value in counted.items():
        if (match := _CAUSE.fullmatch(name)) and value:
            found.setdefault(match[1], {})[match[2]] = value
    return found


def speed(place: Path, seconds: float) -> int:
    """Ticks per second of the host."""
    return round(json.loads((place / "run.json").read_text())["ticks"] / max(seconds, 1e-3))
