# SPDX-License-Identifier: BSD-2-Clause
"""Modules that make a room (``mutation_targets.toml``), and why a mutant may survive
(``reasons.toml``)."""

import fnmatch
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
KILLED = 0.9  # of a room's mutants with an effect, at least


@dataclass(frozen=True)
class Room:
    """``modules`` of block ``top``, with ``*`` for the numbers that SpinalHDL appends."""

    name: str
    top: str
    modules: Sequence[str]


@dataclass(frozen=True)
class Reason:
    """Why mutants of ``module``, with ``*``, survive whose Verilog has a match of ``line``, and
    whose cell makes signals that all have a match of ``signal``. ``effect``: nothing whatever can
    see them, if it is no."""

    module: str
    why: str
    line: str = ""
    signal: str = ""
    port: str = ""
    effect: bool = True

    def explains(self, mutant) -> bool:
        return (
            fnmatch.fnmatchcase(mutant.module, self.module)
            and any(re.search(self.line, text) for text in mutant.lines)
            and all(re.fullmatch(self.signal or ".*", name) for name in mutant.decides)
            and bool(re.fullmatch(self.port or ".*", f"{mutant.mode} {mutant.port}"))
        )


def rooms() -> dict[str, Room]:
    rows = tomllib.loads((HERE / "mutation_targets.toml").read_text())
    return {name: Room(name, **row) for name, row in rows.items()}


def reasons() -> list[Reason]:
    rows = tomllib.loads((HERE / "reasons.toml").read_text())
    return [Reason(**row) for row in rows.get("reason", [])]
