# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the LANCE: histories, a row of the sheet or a test find each; the run writes the
record ``found.csv`` and counts in ``docs/verification/mutants.md``."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import PYTHONPATH, ROOT
from mcpi.build import models
from mcpi.hdl import cocotb_run, verilator
from verify import mutant_page
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, Mutant, load, planted

SEEDS = 300
HERE = Path(__file__).parent
ALL = load(HERE / "mutants.csv")
MUTANTS = [mutant for mutant in ALL if not mutant.settings]
ELSEWHERE = [mutant for mutant in ALL if mutant.settings]


def file_of(module: str) -> Path:
    """File of a directed test."""
    [path] = HERE.rglob(f"{module}.py")
    return path


def faulty(mutants: Sequence[Mutant]) -> Path:
    """The Verilog of the first one's machine with all of them, beside the right one."""
    settings = dict(mutants[0].settings)
    return planted(cocotb_run.elaborate("LanceOnTc", settings=settings), mutants)


def test_list():
    """Every mutant fits the Verilog of its machine, every test it names exists."""
    faulty(MUTANTS)
    for mutant in ALL:
        for name in mutant.tests:
            file, coroutine = name.split(".")
            assert f"async def {coroutine}(" in file_of(file).read_text(), name


@pytest.fixture(scope="module")
def verilog():
    return faulty(MUTANTS)


def elsewhere(mutant: Mutant) -> tuple[Path, int]:
    """The Verilog of its machine with all the mutants of that one; its number there."""
    there = [other for other in ELSEWHERE if other.settings == mutant.settings]
    return faulty(there), 1 + there.index(mutant)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", sampled(ELSEWHERE, ELSEWHERE[0].__eq__), ids=lambda m: m.title)
def test_a_mutant_of_another_machine_is_caught(mutant):
    verilog, number = elsewhere(mutant)
    assert scenario(verilog, mutant, 0) is None, "without the mistake"
    assert scenario(verilog, mutant, number)


Found = tuple[str, str, str]  # a kind of test, the one of it, what it said first


def difference(program: Path, number: int) -> Found | None:
    """The first history that differs."""
    machine = program.with_name("machine.json")
    words = [program, "histories", "--machine", machine, "--count", str(SEEDS)]
    words += ["--exact", models.build("liblance-exact.so")]
    done = heard(words, env=os.environ | {VARIABLE: str(number)}, timeout=3600)
    if not done.returncode:
        return None
    found = re.match(r"seed (\d+): (.*)", done.stdout)
    assert found, done.stdout + done.stderr
    return "histories", f"seed {found[1]}", found[2]


ROWS = r"""import sys
import test_sheet
from lance_support import sheet_row
from lance_support.library import load
library = load(sys.argv[1])
for row in test_sheet.ROWS:
    if sheet_row.BOTH[0] in row.chips:
        try:
            test_sheet.check(library, None, row)
        except AssertionError as error:
            print(f"{row.name}\n{error}")
            sys.exit(3)
"""


def of_sheet(library: Path, number: int) -> Found | None:
    """The first row of the sheet that fails."""
    path = f"{HERE}:{PYTHONPATH}"
    done = heard(
        [sys.executable, "-c", ROWS, library],
        env=os.environ | {VARIABLE: str(number), "PYTHONPATH": path},
        timeout=3600,
    )
    if not done.returncode:
        return None
    assert done.returncode == 3, done.stdout + done.stderr
    row, said = done.stdout.split("\n")[:2]
    return "rows of the sheet", row, said


def scenario(verilog: Path, mutant: Mutant, number: int) -> Found | None:
    """The first of the mutant's tests that fails."""
    for name in mutant.tests:
        file, coroutine = name.split(".")
        code = (
            "from pathlib import Path; from mcpi.hdl import cocotb_run;"
            f"cocotb_run.simulate(Path({str(verilog)!r}), Path({str(file_of(file))!r}),"
            f" only={coroutine!r})"
        )
        done = heard(
            [sys.executable, "-c", code],
            env=os.environ | {VARIABLE: str(number), "PYTHONPATH": str(ROOT / "tools")},
            timeout=1800,
        )
        if done.returncode:
            lines = [line.strip() for line in done.stdout.splitlines()]
            errors = [line for line in lines if "Error" in line and "**" not in line]
            return "directed tests", name, errors[-1] if errors else "fails"
    return None


def row(mutant: Mutant, found: Found | None) -> dict[str, str]:
    """A row of the record; an empty ``found_by``: no test found the mistake."""
    by, which, said = found or ("", "", "")
    return {
        "mutant": mutant.title,
        "place": mutant.module.split()[0],
        "found_by": by,
        "which": which,
        "said": said[:100],
    }


@pytest.mark.long
def test_every_mutant_of_the_lance_is_caught(verilog):
    library = verilator.build(verilog, verilator.LANCE)
    program = verilator.build(verilog, verilator.LANCE_BENCH)
    shutil.copy(verilog.with_name("machine.json"), program.parent)
    assert difference(program, 0) is None and of_sheet(library, 0) is None, "without a mistake"
    rows = []
    for number, mutant in enumerate(MUTANTS, 1):
        found = difference(program, number)
        found = found or of_sheet(library, number) or scenario(verilog, mutant, number)
        print(mutant.title, "→", found, flush=True)
        rows.append(row(mutant, found))
    for mutant in ELSEWHERE:  # test_a_mutant_of_another_machine_is_caught
        verilog, number = elsewhere(mutant)
        rows.append(row(mutant, scenario(verilog, mutant, number)))
    mutant_page.write("lance", rows)
    missed = [one["mutant"] for one in rows if not one["found_by"]]
    assert not missed, missed
