# SPDX-License-Identifier: BSD-2-Clause
"""Caches with ways (memory.md, Ways): programs at random against a cache of a few lines, block by
block, on the exact engine; and mistakes planted in it."""

import os
from pathlib import Path

import planted
import pytest
import ways_cases
from sim_support import guest, machine_json, run
from ways_cases import Code, Data

from mcpi.build import models

KINDS = {"data": Data, "code": Code}
MISTAKES = planted.mistakes("ways_mutants")


def on_engine(case: Data | Code, folder: Path, program: Path, **more) -> Path:
    """The log of every tick."""
    log = folder / "exact.csv"
    words = ["--machine", machine_json(folder, case.settings), "--tick-log", log]
    words += ["--pal", ways_cases.image(case, folder), "--image", guest("hello", folder)]
    run(program, *words, **more)
    return log


@pytest.mark.parametrize("off", [False, True], ids=["on", "off"])
@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, ways: int, off: bool, tmp_path: Path) -> None:
    for seed in range(1 if off else 3):
        case = KINDS[kind](seed, ways, off)
        found = case.different(on_engine(case, tmp_path, models.build("mcpi-exact")))
        assert not found, f"seed {seed}: {found}"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_a_mistake_is_found(mistake: planted.Mistake, tmp_path: Path) -> None:
    case = KINDS[mistake.how["by"]](1, mistake.how.get("ways", 2))
    program = planted.program("mcpi-exact")
    assert not case.different(on_engine(case, tmp_path, program))
    assert case.different(on_engine(case, tmp_path, program, env=os.environ | mistake.environment))
