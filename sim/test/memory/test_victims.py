# SPDX-License-Identifier: BSD-2-Clause
"""Victim caches (memory.md, Victim caches): programs at random against a cache of a few lines,
block by block, on the exact engine and the RTL; drops by DMA in each tick; and mistakes planted in
the engine."""

import os
import random
import subprocess
from pathlib import Path

import pytest
from sim_support import planted, victims_cases, ways_cases
from sim_support.simulators import guest, machine_json, run
from sim_support.tick_logs import difference
from sim_support.victims_cases import Code, Data

from mcpi.build import models
from verify.long_tests import sampled

KINDS = {"data": Data, "code": Code}
MISTAKES = planted.mistakes("victims_mutants")
TICKS = {"data": (2, 3, 15), "code": (1, 2, 15)}
EV4, IDEAL = {"core.prediction": "ev4"}, {"memory.ideal": "on"}
LOG = "exact.csv"
JUDGED = {
    "usual": {},
    "ev4": EV4,
    "one block": {"icache.enable": "off", "dcache.enable": "off"},
    "one store": {"write_buffer.enable": "off", "memory.read_ticks": "20"} | EV4,
    "no prefetch": {"icache.prefetch": "off"},
}
SETTINGS = JUDGED | {"ideal": IDEAL, "ideal, ev4": IDEAL | EV4}


def on_engine(case: Data | Code, folder: Path, program: Path, **more) -> str:
    """Difference on the engine; the log of every tick stays in ``folder``."""
    log = folder / LOG
    words = ["--machine", machine_json(folder, case.settings), "--tick-log", log]
    words += ["--pal", victims_cases.image(case, folder), "--image", guest("hello", folder)]
    done = run(program, *words, check=False, **more)
    return f"exit status {done.returncode}" if done.returncode else case.different(log)


@pytest.mark.parametrize("off", [False, True], ids=["on", "off"])
@pytest.mark.parametrize("victims", sampled([0, 1, 2, 3, 4, 8, 16], (1, 4, 16).__contains__))
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, victims: int, off: bool, tmp_path: Path) -> None:
    for seed in range(1 if off else 2):
        case = KINDS[kind](seed, victims, TICKS[kind][(seed + victims) % 3], off)
        case.settings |= EV4 if seed else {}
        found = on_engine(case, tmp_path, models.build("mcpi-exact"))
        assert not found, f"seed {seed}: {found}"


def test_drops() -> None:
    """By DMA, in each tick around a victim hit."""
    run(models.build("unit_victims"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_a_mistake_is_found(mistake: planted.Mistake, tmp_path: Path) -> None:
    env = os.environ | mistake.environment
    if mistake.how["by"] == "drops":
        program = planted.program("unit_victims")
        run(program)
        assert subprocess.run([program], env=env, capture_output=True).returncode == 1
        return
    case = KINDS[mistake.how["by"]](1, mistake.how.get("victims", 2))
    case.settings |= mistake.how.get("settings", {})
    program = planted.program("mcpi-exact")
    assert not on_engine(case, tmp_path, program)
    assert on_engine(case, tmp_path, program, env=env)


@pytest.mark.long
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("victims", "ticks"), [(1, 15), (3, 2), (16, 1)])
def test_the_rtl_does_the_same_in_every_tick(victims, ticks, kind, settings, tmp_path) -> None:
    seed = random.Random(f"{victims} {kind} {settings}").randrange(1000)
    case = KINDS[kind](seed, victims, max(ticks, TICKS[kind][0]), settings == "one block")
    shape = {"dcache.victim_ticks": str(max(ticks, 2)), "icache.victim_ticks": str(ticks)}
    case.settings |= SETTINGS[settings] | shape
    rtl = ways_cases.ticks_on_rtl(case.settings, victims_cases.image(case, tmp_path), tmp_path)
    different = on_engine(case, tmp_path, models.build("mcpi-exact"))
    assert not (found := difference(rtl, tmp_path / LOG)), found
    if settings in JUDGED:
        assert not different
        assert not (found := case.different(rtl)), found
