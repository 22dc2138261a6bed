# SPDX-License-Identifier: BSD-2-Clause
"""Two logs of ticks: the first difference."""

import csv
from pathlib import Path

from mcpi.build import models
from sim_support.simulators import (
    machine_json,
    run,
)

PHASE = 100_000
# The event that only the RTL's log has, and the event that only the engine's log has.
ONE_SIDED = {"fetch.fill_words", "pal_ticks"}


def rows(path: Path) -> dict[int, tuple[str, str, frozenset[str]]]:
    """By tick; ticks that are left out are one row each."""
    found = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            events = {e for e in row["events"].split() if not e.endswith("replacement_misses")}
            for n in range(int(row["count"])):
                observed = frozenset(events - ONE_SIDED)
                found[int(row["tick"]) + n] = (row["owner"], row["pc"], observed)
    return found


def difference(rtl: Path, engine: Path) -> str:
    """The first; empty if the engine has every tick of the RTL up to its own end."""
    wanted, got = rows(rtl), rows(engine)
    last = max(got)
    ticks = sorted(tick for tick in wanted if tick <= last)
    assert len(ticks) > 1000
    for tick in ticks:
        if got[tick] != wanted[tick]:
            return f"tick {tick}: {got[tick]} instead of {wanted[tick]}"
    return ""


def engine(pal: Path, image: Path, folder: Path, settings: dict[str, str] | None = None) -> Path:
    """The engine's log."""
    words = ["--machine", machine_json(folder, settings), "--pal", pal, "--image", image]
    words += ["--phase", PHASE, "--tick-log", folder / "exact.csv"]
    run(models.build("mcpi-exact"), *words)
    return folder / "exact.csv"
