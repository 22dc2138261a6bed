# SPDX-License-Identifier: BSD-2-Clause
"""Which modules make a room (``rooms.toml``), and why a mutant may survive (``reasons.toml``)."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Room:
    """``modules`` of block ``top``, with ``*`` for the numbers that SpinalHDL appends."""

    name: str
    top: str
    modules: Sequence[str]


@dataclass(frozen=True)
class Reason:
    """Why mutants of ``module`` survive whose Verilog has a match of ``line``."""

    module: str
    line: str
    why: str

    def explains(self, module: str, lines: Sequence[str]) -> bool:
        return module == self.module and any(re.search(self.line, text) for text in lines)


def rooms() -> dict[str, Room]:
    rows = tomllib.loads((HERE / "rooms.toml").read_text())
    return {name: Room(name, **row) for name, row in rows.items()}


def reasons() -> list[Reason]:
    rows = tomllib.loads((HERE / "reasons.toml").read_text())
    return [Reason(**row) for row in rows.get("reason", [])]
