# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the exact engine's core, memory and pair: a run that the other tests make finds each.

All go into one program, next to which the RTL runs once for each kind of run.
"""

import os
import random
from pathlib import Path

import pytest
from sim_support import (
    exit_programs,
    late_results,
    line_programs,
    lock_cases,
    planted,
)
from sim_support.changed_code import MACHINES, PALCODE, Program
from sim_support.oracle_bench import acting
from sim_support.pairs import EV4, IDEAL, OFF, images, words
from sim_support.simulators import guests, logged_from_reset, machine_json, simulate

from mcpi.results import folders
from verify.long_tests import sampled
from verify.random import program

MISTAKES = planted.mistakes("exact_core_mutants")
USUAL = (1, 3, 9)  # in ./mcpi test
RUNS = {  # settings, options
    "tcp": ({}, words("tcp", 1)),
    "off": (OFF, words("tcp", 8)),
    "ev4": (EV4, words("tcp", 6)),
    "cold": ({}, [*words("tcp", 4), "--cold"]),
    "locks": ({}, ["--tick-log", "0"]),
    "ideal locks": (IDEAL, ["--tick-log", "0"]),
    "moves": (IDEAL, ["--seed", "4", "--max-ticks", 30_000_000]),
    "nowhere": (IDEAL | acting(random.Random("1996 program 134")), ["--seed", "134"]),
    "code": (MACHINES["usual"], []),
    "late": ({}, ["--max-ticks", 100_000]),
    "exit": (IDEAL, ["--max-ticks", 100_000]),
    "exit at once": ({}, ["--max-ticks", 100_000]),
    "lines": ({}, []),
    "wait": (EV4 | {"core.predicted_penalty": "7"}, ["--max-ticks", 5_000_000]),
}
PROGRAMS = {"moves": 1996004, "nowhere": 1996134}


def items(run: str, folder: Path) -> tuple[str, ...]:
    """PALcode and guest of a run that has its own."""
    if run.endswith("locks"):
        return lock_cases.items("another_range" if run == "locks" else "empty", folder)
    if run == "lines":
        return line_programs.lines(folder)
    if run == "wait":
        return line_programs.waits(folder)
    if run in PROGRAMS:
        elf = program.build(PROGRAMS[run], folder, node=True)
        return f"pal={elf}", f"image={elf}"
    if run == "code":
        text = Program(0).text()
    elif run == "late":
        text = late_results.program(random.Random("late 19"))
    elif run.startswith("exit"):
        text = exit_programs.program(40 if run == "exit" else 7)[0]
    else:
        return ()
    return guests("guest", folder, text, PALCODE)


@pytest.fixture(scope="module")
def program_with_all() -> Path:
    return planted.program("mcpi-exact")


@pytest.fixture(scope="module")
def compare(program_with_all, tmp_path_factory):
    """compare(run, mistake): where the program's files are not the RTL's."""
    made: dict[str, tuple] = {}

    def one(run: str, mistake: planted.Mistake | None = None) -> dict:
        settings, options = RUNS[run]
        if run not in made:
            folder = tmp_path_factory.mktemp("run")
            built, machine = images("tcp"), machine_json(folder, settings)
            given = (*options, "--max-ticks", 3_000_000) if run == "code" else options
            if run == "wait":  # it has no window
                given = (*options, *logged_from_reset(folder))
            own = items(run, folder)
            more = [] if run == "cold" else ["--no-lockstep", "--no-oracle"]
            done = simulate(built, folder / "rtl", machine, *given, *more, items=own)
            assert done.returncode == 0, done.stderr
            made[run] = built, folder, machine, given, own
        built, folder, machine, given, own = made[run]
        out = folder / f"exact{mistake.number if mistake else 0}"
        env = os.environ | (mistake.environment if mistake else {})
        done = simulate(built, out, machine, *given, items=own, program=program_with_all, env=env)
        if done.returncode:
            return {"status": done.returncode}
        return folders.differences(folder / "rtl", out)

    return one


@pytest.mark.parametrize("run", sampled(RUNS, lambda run: run in ("tcp", "code")))
def test_without_a_mistake(compare, run):
    assert not compare(run)


NUMBERS = sampled(range(1, len(MISTAKES) + 1), lambda number: number in USUAL)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mistake_is_found(compare, number):
    mistake = MISTAKES[number - 1]
    assert compare(mistake.how["run"], mistake), mistake.title
