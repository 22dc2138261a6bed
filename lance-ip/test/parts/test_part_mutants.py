# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in what a part has around the chip: the test that the list names finds each, of the
sheet the named row."""

import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run
from mcpi.parts.lance import MACHINE, Wanted
from verify.verilog_mutants import VARIABLE, Mutant, load, planted

HERE = Path(__file__).parent
MUTANTS = load(HERE / "part_mutants.csv")
PARTS = {
    "test_wishbone": Wanted("wishbone", "mii"),
    "test_wishbone_rmii": Wanted("wishbone", "rmii"),
    "test_own_carrier": Wanted("wishbone", "mii", 50, 10),
    "test_part_sheet": Wanted("wishbone", "mii", 10, 10),
}


def of_file(file: str) -> list[Mutant]:
    return [m for m in MUTANTS if m.tests[0].partition(".")[0] == file]


@cache
def faulty(file: str) -> Path:
    """The Verilog that the file's tests run on, with all mistakes that they find."""
    wanted = PARTS[file]
    right = cocotb_run.elaborate(wanted.top, MACHINE, wanted.settings)
    return planted(right, of_file(file), right.parent / f"mutants-{file}")


def fails(file: str, test: str, number: int) -> bool:
    """The test, or of the sheet the row of this name, with a mistake; 0: without one."""
    only, row = ("row", {"ROW": test}) if file == "test_part_sheet" else (test, {})
    # Within pytest cocotb's runner ends without an exception.
    code = (
        "import os; os.environ.pop('PYTEST_CURRENT_TEST', None);"
        "from pathlib import Path; from mcpi.hdl import cocotb_run;"
        f"cocotb_run.simulate(Path({str(faulty(file))!r}), Path({str(HERE / file)!r} + '.py'),"
        f" only={only!r})"
    )
    env = os.environ | {VARIABLE: str(number), "PYTHONPATH": f"{ROOT}:{ROOT / 'tools'}"}
    env |= row
    done = heard([sys.executable, "-c", code], env=env, timeout=1800)
    found = re.search(r"AssertionError: \d+ of \d+ failed", done.stderr)
    assert bool(found) == bool(done.returncode), done.stderr
    return bool(found)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.title)
def test_a_mistake_is_found(mutant) -> None:
    file, _, test = mutant.tests[0].partition(".")
    assert fails(file, test, 1 + of_file(file).index(mutant))


@pytest.mark.long
@pytest.mark.parametrize("test", sorted({m.tests[0] for m in MUTANTS}))
def test_nothing_is_found_without_a_mistake(test) -> None:
    assert not fails(*test.split(".", 1), 0)
