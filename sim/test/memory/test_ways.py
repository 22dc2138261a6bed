# SPDX-License-Identifier: BSD-2-Clause
"""Caches with ways (memory.md, Ways): programs at random against a cache of a few lines, block by
block, on the exact engine and the RTL; and mistakes planted in the engine."""

import os
import random
from pathlib import Path

import pytest
from sim_support import planted, ways_cases
from sim_support.simulators import guest, machine_json, run
from sim_support.tick_logs import difference
from sim_support.ways_cases import Code, Data

from mcpi.build import models
from verify.long_tests import sampled

KINDS = {"data": Data, "code": Code}
MISTAKES = planted.mistakes("ways_mutants")
EV4, IDEAL = {"core.prediction": "ev4"}, {"memory.ideal": "on"}
SETTINGS = {
    "usual": {},
    "ev4": EV4,
    "ideal": IDEAL,
    "ideal, ev4": EV4 | IDEAL,
    "one block": {"icache.enable": "off"},
    "no D-cache": {"dcache.enable": "off", "icache.prefetch": "off"},
    "one store": {"write_buffer.enable": "off", "memory.read_ticks": "20"} | EV4,
}


def on_engine(case: Data | Code, folder: Path, program: Path, **more) -> Path:
    """The log of every tick."""
    log = folder / "exact.csv"
    words = ["--machine", machine_json(folder, case.settings), "--tick-log", log]
    words += ["--pal", ways_cases.image(case, folder), "--image", guest("hello", folder)]
    run(program, *words, **more)
    return log


def on_rtl(case: Data | Code, folder: Path) -> Path:
    """The log of every tick."""
    return ways_cases.ticks_on_rtl(case.settings, ways_cases.image(case, folder), folder)


@pytest.mark.parametrize("off", [False, True], ids=["on", "off"])
@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, ways: int, off: bool, tmp_path: Path) -> None:
    for seed in range(1 if off else 3):
        case = KINDS[kind](seed, ways, off)
        case.settings |= EV4 if seed else {}
        found = case.different(on_engine(case, tmp_path, models.build("mcpi-exact")))
        assert not found, f"seed {seed}: {found}"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_a_mistake_is_found(mistake: planted.Mistake, tmp_path: Path) -> None:
    case = KINDS[mistake.how["by"]](1, mistake.how.get("ways", 2))
    case.settings |= mistake.how.get("settings", {})
    program = planted.program("mcpi-exact")
    assert not case.different(on_engine(case, tmp_path, program))
    assert case.different(on_engine(case, tmp_path, program, env=os.environ | mistake.environment))


@pytest.mark.parametrize("settings", sampled(SETTINGS, ("usual", "ev4", "ideal").__contains__))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ways", sampled([2, 4], (4).__eq__))
def test_the_rtl_does_the_same_in_every_tick(ways, kind, settings, tmp_path: Path) -> None:
    seed = random.Random(f"{ways} {kind} {settings}").randrange(1000)
    case = KINDS[kind](seed, ways)
    case.settings |= SETTINGS[settings]
    log, rtl = on_engine(case, tmp_path, models.build("mcpi-exact")), on_rtl(case, tmp_path)
    assert not (found := difference(rtl, log)), found
    if settings in ("usual", "ev4"):
        assert not (found := case.different(rtl)), found
