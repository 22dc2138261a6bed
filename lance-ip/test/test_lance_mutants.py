# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the LANCE: histories, a row of the sheet or a test find each; writes the page."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run, verilator
from mcpi.verify import mutant_page
from mcpi.verify.long_tests import sampled
from mcpi.verify.verilog_mutants import VARIABLE, Mutant, load, planted

SEEDS = 300
HEAD = """\
Written by `lance-ip/test/test_lance_mutants.py` (`./mcpi test --all`) as it came out. Each mistake
is put into the Verilog of `LanceOnTc`; then random histories (lance-histories.md) run until one
differs from the model, at most {seeds}; where none does, the rows of the sheet (`test_sheet.py`);
where all are as they should be, the tests named in `mutants.toml`. Of a mutant with `settings` only
these are asked.

| mutant | module | caught by | what was said first |
|---|---|---|---|
"""
HERE = Path(__file__).parent
ALL = load(HERE / "mutants.toml")
MUTANTS = [mutant for mutant in ALL if not mutant.settings]
ELSEWHERE = [mutant for mutant in ALL if mutant.settings]


def faulty(mutants: Sequence[Mutant]) -> Path:
    """The Verilog of the first one's machine with all of them, beside the right one."""
    settings = dict(mutants[0].settings)
    return planted(cocotb_run.elaborate("LanceOnTc", settings=settings), mutants)


def test_list():
    """Every mutant's text is there once, every test it names exists."""
    faulty(MUTANTS)
    for mutant in ALL:
        for name in mutant.tests:
            file, coroutine = name.split(".")
            assert f"async def {coroutine}(" in (HERE / f"{file}.py").read_text(), name


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


def difference(program: Path, number: int) -> tuple[str, str] | None:
    """The first history that differs."""
    machine = program.with_name("machine.json")
    words = [program, "histories", "--machine", machine, "--count", str(SEEDS)]
    done = heard(words, env=os.environ | {VARIABLE: str(number)}, timeout=3600)
    if not done.returncode:
        return None
    found = re.match(r"seed (\d+): (.*)", done.stdout)
    assert found, done.stdout + done.stderr
    return f"history {found[1]}", found[2]


ROWS = r"""import sys
import sheet_row, test_sheet
from lance_library import load
library = load(sys.argv[1])
for row in test_sheet.ROWS:
    if sheet_row.BOTH[0] in row.chips:
        try:
            test_sheet.check(library, None, row)
        except AssertionError as error:
            print(f"{row.name}\n{error}")
            sys.exit(3)
"""


def of_sheet(library: Path, number: int) -> tuple[str, str] | None:
    """The first row of the sheet that is not so."""
    path = os.pathsep.join((str(HERE), str(ROOT / "tools")))
    done = heard(
        [sys.executable, "-c", ROWS, library],
        env=os.environ | {VARIABLE: str(number), "PYTHONPATH": path},
        timeout=3600,
    )
    if not done.returncode:
        return None
    assert done.returncode == 3, done.stdout + done.stderr
    row, said = done.stdout.split("\n")[:2]
    return f'row "{row}"', said


def scenario(verilog: Path, mutant: Mutant, number: int) -> tuple[str, str] | None:
    """The first of the mutant's tests that fails."""
    path = os.pathsep.join((str(ROOT / "rtl/bus/test"), str(ROOT / "tools")))
    for name in mutant.tests:
        file, coroutine = name.split(".")
        code = (
            "from pathlib import Path; from mcpi.hdl import cocotb_run;"
            f"cocotb_run.simulate(Path({str(verilog)!r}), Path({str(HERE / file)!r} + '.py'),"
            f" only={coroutine!r})"
        )
        done = heard(
            [sys.executable, "-c", code],
            env=os.environ | {VARIABLE: str(number), "PYTHONPATH": path},
            timeout=1800,
        )
        if done.returncode:
            lines = [line.strip() for line in done.stdout.splitlines()]
            errors = [line for line in lines if "Error" in line and "**" not in line]
            return f"`{name}`", errors[-1] if errors else "fails"
    return None


@pytest.mark.long
def test_every_mutant_of_the_lance_is_caught(verilog):
    library = verilator.build(verilog, verilator.LANCE)
    program = verilator.build(verilog, verilator.LANCE_BENCH)
    shutil.copy(verilog.with_name("machine.json"), program.parent)
    assert difference(program, 0) is None and of_sheet(library, 0) is None, "without a mistake"
    rows, missed, by_history = [], [], 0
    for number, mutant in enumerate(MUTANTS, 1):
        found = difference(program, number)
        by_history += found is not None
        found = found or of_sheet(library, number) or scenario(verilog, mutant, number)
        print(mutant.title, "→", found, flush=True)
        by, said = found or ("**nobody**", "")
        missed += [] if found else [mutant.title]
        said = said.replace("|", "/")[:100]
        rows.append(f"| {mutant.title} | {mutant.module} | {by} | {said} |\n")
    for mutant in ELSEWHERE:  # test_a_mutant_of_another_machine_is_caught
        verilog, number = elsewhere(mutant)
        by, said = scenario(verilog, mutant, number) or ("**nobody**", "")
        missed += [mutant.title] if by == "**nobody**" else []
        rows.append(f"| {mutant.title} | {mutant.module} | {by} | {said[:100]} |\n")
    text = HEAD.format(seeds=SEEDS) + "".join(rows)
    caught = f"{len(ALL) - len(missed)} of {len(ALL)} caught, {by_history} by histories."
    mutant_page.write("lance", f"{text}\n{caught}\n")
    assert not missed, missed
