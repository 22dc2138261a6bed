# SPDX-License-Identifier: BSD-2-Clause
"""Files that two boards leave, compared with those that engine exact leaves of the same spec.

Of the counters those of the paths count in ticks and events alike. Absent from a board's folder is
what only a simulator sees (docs/explanation/exact-time.md, The record).
"""

import json
from pathlib import Path

from mcpi.engines.board import record
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.results import folders
from mcpi.spec.numbers import SIDES

COUNTERS = "counters.json"
# Misses of blocks that were in a cache before the measurement began. A board begins it in a tick of
# each node's own, engine exact in one tick of both.
_BY_BEGIN = "replacement"


def compared(boards: Path) -> list[str]:
    """Names of the files that count in the folder of a job; a live cable leaves no record."""
    names = [COUNTERS, *(f"console.{number}.txt" for number in SIDES.values())]
    return names + [name for name in record.FILES if (boards / name).is_file()]


def differences(boards: Path, exact: Path) -> dict[str, list[str]]:
    """By file of a job: each counter of the paths that is not engine exact's, and where another
    file differs."""
    both = [json.loads((place / COUNTERS).read_text())["nodes"] for place in (boards, exact)]
    counters = []
    for side, number in SIDES.items():
        ours, wanted = (nodes[number]["path"] for nodes in both)
        counters += [
            f"{side} {name} is {ours.get(name)}, exact {value}"
            for name, value in wanted.items()
            if name not in IN_CLOCKS and _BY_BEGIN not in name and ours.get(name) != value
        ]
    names = frozenset(compared(boards)) - {COUNTERS}
    files = folders.differences(boards, exact, below=False, names=names)
    found = {COUNTERS: counters} if counters else {}
    return found | {str(path): said for path, said in files.items()}
