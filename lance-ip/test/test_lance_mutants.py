# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the LANCE: random histories, or a scenario's test, find each; writes the page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import history
import lance_library
import pytest
from lance_mutants import MUTANTS, Mutant

from mcpi import simulator, testing
from mcpi.infect import VARIABLE, infect
from mcpi.paths import ROOT
from mcpi.randomtest.build import program_of

SEEDS = 60
PAGE = ROOT / "docs" / "lance-mutants.md"
HEAD = """# Mutants of the LANCE

Written by `lance-ip/test/test_lance_mutants.py` (`./mcpi test --all`) as it came out. Each mistake
is put into the Verilog of `LanceOnTc`; then random histories (docs/lance.md) run until one differs
from the model, at most {seeds}; where none does, the tests named beside it.

| mutant | module | caught by | what was said first |
|---|---|---|---|
"""
HERE = Path(__file__).parent


def infected() -> str:
    return infect(testing.elaborate("LanceOnTc").read_text(), MUTANTS, "LanceOnTc")


def test_list():
    """Every mutant's text is there once, every test it names exists."""
    infected()
    for mutant in MUTANTS:
        for name in mutant.tests:
            file, coroutine = name.split(".")
            assert f"async def {coroutine}(" in (HERE / f"{file}.py").read_text(), name


@pytest.fixture(scope="module")
def verilog():
    source = testing.elaborate("LanceOnTc")
    folder = source.parent / "mutants"
    folder.mkdir(exist_ok=True)
    shutil.copy(source.with_name("machine.json"), folder)
    path = folder / "LanceOnTc.v"
    path.write_text(infected())
    return path


def difference(library) -> tuple[str, str] | None:
    """The first history that differs."""
    for seed in range(SEEDS):
        try:
            history.run(library, seed)
        except (history.Difference, AssertionError) as error:
            return f"history {seed}", str(error).strip().splitlines()[0]
    return None


def scenario(verilog: Path, mutant: Mutant, number: int) -> tuple[str, str] | None:
    """The first of the mutant's tests that fails."""
    for name in mutant.tests:
        file, coroutine = name.split(".")
        code = (
            "from pathlib import Path; from mcpi import testing;"
            f"testing.simulate(Path({str(verilog)!r}), Path({str(HERE / file)!r} + '.py'),"
            f" only={coroutine!r})"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {VARIABLE: str(number), "PYTHONPATH": str(ROOT / "tools")},
            capture_output=True,
            text=True,
            timeout=1800,
        )
        if done.returncode:
            lines = [line.strip() for line in done.stdout.splitlines()]
            errors = [line for line in lines if "Error" in line and "**" not in line]
            return f"`{name}`", errors[-1] if errors else "fails"
    return None


@pytest.mark.long
def test_every_mutant_of_the_lance_is_caught(verilog):
    library = lance_library.load(program_of(verilog, 2, simulator.LANCE))
    os.environ[VARIABLE] = "0"
    assert difference(library) is None, "without a mistake"
    rows, missed = [], []
    for number, mutant in enumerate(MUTANTS, 1):
        os.environ[VARIABLE] = str(number)
        found = difference(library)
        os.environ[VARIABLE] = "0"
        found = found or scenario(verilog, mutant, number)
        print(mutant.title, "→", found, flush=True)
        by, said = found or ("**nobody**", "")
        missed += [] if found else [mutant.title]
        said = said.replace("|", "/")[:100]
        rows.append(f"| {mutant.title} | {mutant.module} | {by} | {said} |\n")
    text = HEAD.format(seeds=SEEDS) + "".join(rows)
    PAGE.write_text(f"{text}\n{len(MUTANTS) - len(missed)} of {len(MUTANTS)} caught.\n")
    assert not missed, missed
