# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the exact engine's core, memory and pair: a run that the other tests make finds each.

All go into one program, next to which the RTL runs once for each kind of run.
"""

import hashlib
import json
import os
import random
import subprocess
import tomllib
from pathlib import Path

import lock_cases
import pytest
import test_exact_exit
import test_exact_late
import test_exact_lines
from oracle_bench import acting
from sim_support import PAL_BASE, SIM, guest, machine_json, simulate
from test_exact_code import MACHINES, PALCODE, Program
from test_exact_histories import SWITCH
from test_exact_pair import EV4, IDEAL, OFF, images, words

from mcpi.base.file_lock import hold
from mcpi.base.repo import BUILD
from mcpi.build import models
from mcpi.results import folders
from mcpi.verify.long_tests import sampled
from mcpi.verify.random import program
from mcpi.verify.verilog_mutants import VARIABLE

MUTANTS = tomllib.loads(Path(__file__).with_name("exact_core_mutants.toml").read_text())["mutant"]
USUAL = (1, 3, 9)  # in ./mcpi test
COMPILER = [word for word in models.COMPILER if not word.startswith(("-I", "-O"))] + ["-O1"]
RUNS = {  # settings, options
    "tcp": ({}, words("tcp", 1)),
    "off": (OFF, words("tcp", 8)),
    "ev4": (EV4, words("tcp", 6)),
    "cold": ({}, [*words("tcp", 4), "--cold"]),
    "locks": ({}, ["--tick-log", "0"]),
    "ideal locks": (IDEAL, ["--tick-log", "0"]),
    "moves": (IDEAL, ["--seed", "3", "--max-ticks", 3_000_000]),
    "nowhere": (IDEAL | acting(random.Random("1996 program 22")), ["--seed", "22"]),
    "code": (MACHINES["usual"], []),
    "late": ({}, ["--max-ticks", 100_000]),
    "exit": (IDEAL, ["--max-ticks", 100_000]),
    "exit at once": ({}, ["--max-ticks", 100_000]),
    "lines": ({}, []),
}
PROGRAMS = {"moves": 1996003, "nowhere": 1996022}


def items(run: str, folder: Path) -> tuple[str, ...]:
    """PALcode and guest of a run that has its own."""
    source = folder / "guest.S"
    if run.endswith("locks"):
        return lock_cases.items("another_range" if run == "locks" else "empty", folder)
    if run == "lines":
        return test_exact_lines.items(folder)
    if run in PROGRAMS:
        elf = program.build(PROGRAMS[run], folder, node=True)
        return f"pal={elf}", f"image={elf}"
    pal_source = folder / "pal.S"
    pal_source.write_text((SIM / "test/guest/pal.S").read_text() + PALCODE)
    if run == "code":
        source.write_text(Program(0).text())
    elif run == "late":
        source.write_text(test_exact_late.program(random.Random("late 19")))
    elif run.startswith("exit"):
        source.write_text(test_exact_exit.program(40 if run == "exit" else 7)[0])
    else:
        return ()
    pal = guest("pal", folder, PAL_BASE, source=pal_source)
    return f"pal={pal}", f"image={guest('guest', folder, source=source)}"


@pytest.fixture(scope="module")
def infected() -> Path:
    """A program with all mistakes in it; made once for what the sources say."""
    paths = [p for p in sorted(SIM.rglob("*")) if p.suffix in (".h", ".cpp")]
    texts = {str(p.relative_to(SIM)): p.read_text() for p in paths} | {"mutant.h": SWITCH}
    for number, mutant in enumerate(MUTANTS, 1):
        text, right = texts[mutant["file"]], mutant["right"]
        assert text.count(right) == 1, f"{mutant['title']}: {text.count(right)} times there"
        wrong = f"(mutant({number}) ? {mutant['wrong']} : {right})"
        texts[mutant["file"]] = text.replace(right, wrong)
    key = hashlib.sha256(json.dumps([COMPILER, texts]).encode()).hexdigest()[:16]
    folder = BUILD / "infected" / key
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "mcpi-exact"
    with hold(folder / "lock", "builds"):
        if made.exists():
            return made
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        sources = [folder / path.relative_to(SIM) for path in models.sources("mcpi-exact")]
        command = [*COMPILER, "-include", folder / "mutant.h", f"-I{folder}", *sources]
        subprocess.run([*map(str, command), "-o", f"{made}.new"], check=True)
        made.with_suffix(".new").rename(made)
    return made


@pytest.fixture(scope="module")
def compare(infected, tmp_path_factory):
    """compare(run, mutant): where the infected program's files are not the RTL's."""
    made: dict[str, tuple] = {}

    def one(run: str, mutant: int) -> dict:
        settings, options = RUNS[run]
        if run not in made:
            folder = tmp_path_factory.mktemp("run")
            built, machine = images("tcp"), machine_json(folder, settings)
            given = (*options, "--max-ticks", 3_000_000) if run == "code" else options
            own = items(run, folder)
            more = [] if run == "cold" else ["--no-lockstep", "--no-oracle"]
            done = simulate(built, folder / "rtl", machine, *given, *more, items=own)
            assert done.returncode == 0, done.stderr
            made[run] = built, folder, machine, given, own
        built, folder, machine, given, own = made[run]
        out, env = folder / f"exact{mutant}", os.environ | {VARIABLE: str(mutant)}
        done = simulate(built, out, machine, *given, items=own, program=infected, env=env)
        if done.returncode:
            return {"status": done.returncode}
        return folders.differences(folder / "rtl", out)

    return one


@pytest.mark.parametrize("run", sampled(RUNS, lambda run: run in ("tcp", "code")))
def test_without_a_mistake(compare, run):
    assert not compare(run, 0)


NUMBERS = sampled(range(1, len(MUTANTS) + 1), lambda number: number in USUAL)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mistake_is_found(compare, number):
    assert compare(MUTANTS[number - 1]["run"], number), MUTANTS[number - 1]["title"]
