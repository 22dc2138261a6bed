# SPDX-License-Identifier: BSD-2-Clause
"""The sync bus: its locks exclude, and its accesses keep their distance and their turns."""

import csv
import os
from itertools import pairwise
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import PAL_BASE, guest, run

from mcpi.build import models
from mcpi.machine import profile

TAKES = 40  # of each core, one behind the other
MISTAKES = planted.mistakes("exact_coherent_mutants", "sync")


def run_cores(program: Path, folder: Path, cores: int, ticks: int = 25, **more) -> list[list[dict]]:
    """Each core's ticks; the program has not failed."""
    settings = {"core.count": str(cores), "sync.ticks": str(ticks)}
    machine = profile.load("power-series-33", settings)
    (folder / "machine.json").write_text(machine.to_json())
    words = [program, "--machine", folder / "machine.json", "--image", guest("sync", folder)]
    words += ["--pal", guest("pal", folder, PAL_BASE), "--out", folder, "--max-ticks", 400_000]
    run(*words, "--ticks", **more)
    files = (folder / f"ticks.{n}.csv" for n in range(cores))
    return [list(csv.DictReader(file.open(newline=""))) for file in files]


def waits(core: list[dict]) -> list[tuple[int, int]]:
    """First and last tick of each access: ticks of owner io in a row, between two instructions."""
    found, begins = [], None
    for row in core:
        tick, count = int(row["tick"]), int(row["count"])
        if row["owner"] == "io":
            begins = tick if begins is None else begins
            last = tick + count - 1
        elif begins is not None and row["owner"] == "issue":
            found.append((begins, last))
            begins = None
    return found


def takes(core: list[dict]) -> list[int]:
    """The last tick of each access of the first loop, but of the last, which ends the loop."""
    return [last for _, last in waits(core)[2 : 1 + TAKES]]


def check(program: Path, folder: Path, **more) -> None:
    folder.mkdir(exist_ok=True)
    alone = takes(run_cores(program, folder, 1, 25, **more)[0])
    slower = takes(run_cores(program, folder, 1, 26, **more)[0])
    apart = {b - a for a, b in pairwise(alone)}
    assert len(apart) == 1 and apart == {b - a - 1 for a, b in pairwise(slower)}
    four = run_cores(program, folder, 4, **more)
    ends = sorted((tick, n) for n, core in enumerate(four) for tick in takes(core))
    busy = ends[8:-8]  # everybody asks
    assert {b[0] - a[0] for a, b in pairwise(busy)} == {25}
    assert all((b[1] - a[1]) % 4 == 1 for a, b in pairwise(busy))


def test_locks_exclude_and_accesses_keep_their_turns(tmp_path):
    check(models.build("mcpi-exact"), tmp_path)


@pytest.mark.parametrize("number", range(1, len(MISTAKES) + 1))
def test_a_mistake_is_found(tmp_path, number):
    mistake, program = MISTAKES[number - 1], planted.program("mcpi-exact")
    with pytest.raises(AssertionError):
        check(program, tmp_path, env=os.environ | mistake.environment)
