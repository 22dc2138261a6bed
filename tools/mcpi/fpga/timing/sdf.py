# SPDX-License-Identifier: BSD-2-Clause
"""The delays that nextpnr says it used (``--sdf``), in ps, the slowest of each three.

Only what nextpnr writes of the format is read: INTERCONNECT, IOPATH, SETUPHOLD. A pin is
(cell, port); a pin of the device itself has no cell.
"""

import gzip
import re
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import RunError

Pin = tuple[str, str]
_TRIPLE = r"\((-?[\d.]+):(-?[\d.]+):(-?[\d.]+)\)"
_WIRE = re.compile(rf"\s*\(INTERCONNECT (\S+) (\S+) {_TRIPLE} {_TRIPLE}\)")
_ARC = re.compile(rf"\s*\(IOPATH (\S+) (\S+) {_TRIPLE} {_TRIPLE}\)")
_CHECK = re.compile(
    r"\s*\(SETUPHOLD \((?:posedge|negedge) (\S+)\) \((posedge|negedge) (\S+)\) "
    rf"{_TRIPLE} {_TRIPLE}\)"
)


@dataclass(frozen=True)
class Check:
    """``port`` must be there ``setup`` ps before that edge of ``clock``."""

    port: str
    edge: str
    clock: str
    setup: float


@dataclass
class Delays:
    """``wires``: sink to (source, ps). ``arcs``: by cell, (from, to, ps); ``checks`` by cell."""

    kinds: dict[str, str] = field(default_factory=dict)
    wires: dict[Pin, tuple[Pin, float]] = field(default_factory=dict)
    arcs: dict[str, list[tuple[str, str, float]]] = field(default_factory=dict)
    checks: dict[str, list[Check]] = field(default_factory=dict)


def _plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name) if "\\" in name else name


def _pin(text: str) -> Pin:
    cell, _, port = _plain(text).rpartition("/")
    return cell, port


def read(path: Path) -> Delays:
    """An SDF, or one that gzip has packed; RunError for a line of a delay that it cannot read."""
    found = Delays()
    kind = cell = ""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as lines:
        for number, line in enumerate(lines, 1):
            if m := _WIRE.match(line):
                found.wires[_pin(m[2])] = _pin(m[1]), max(float(m[5]), float(m[8]))
            elif m := _ARC.match(line):
                arc = _plain(m[1]), _plain(m[2]), max(float(m[5]), float(m[8]))
                found.arcs.setdefault(cell, []).append(arc)
            elif m := _CHECK.match(line):
                check = Check(_plain(m[1]), m[2], _plain(m[3]), float(m[6]))
                checks = found.checks.setdefault(cell, [])
                if not checks or checks[-1] != check:  # both edges of the data
                    checks.append(check)
            elif "(CELLTYPE" in line:
                kind = line.split('"')[1]
            elif "(INSTANCE" in line:
                cell = _plain(line.strip()[len("(INSTANCE ") : -1])
                found.kinds[cell] = kind
            elif any(word in line for word in ("INTERCONNECT", "IOPATH", "SETUPHOLD")):
                raise RunError(f"{path}:{number}: a delay of an unknown form: {line.strip()}")
    if not found.wires:
        raise RunError(f"{path}: there is no delay in it.")
    return found
