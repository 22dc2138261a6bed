# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/core-costs.csv: each row names tests that exist, each owner has a row."""

import ast
import csv
import re
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT
from mcpi.machine import counters

TABLE = ROOT / "docs" / "data" / "core-costs.csv"
TESTS = Path(__file__).parents[1]
NO_STALL = {"issue", "translation"}  # an instruction; a stage that is not there yet


def rows(text: str) -> list[list[str]]:
    """Cells of the table: what, ticks, owner, tests."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [*csv.reader(lines)][1:]


def cocotb_tests(path: Path) -> set[str]:
    """Names of the coroutines in ``path`` that cocotb runs."""
    functions = [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.AsyncFunctionDef)]
    return {
        function.name
        for function in functions
        if any(ast.unparse(d).startswith("cocotb.test") for d in function.decorator_list)
    }


def faults(text: str) -> list[str]:
    """Faults of the table, a sentence each."""
    found = []
    owners = set()
    for row in rows(text):
        if len(row) != 4:
            found.append(f"'{row[0]}' has {len(row)} cells instead of 4")
            continue
        what, _, owner, tests = row
        owners |= set(re.findall(r"\w+", owner))
        named = re.findall(r"(\w+)\.(\w+)", tests)
        if not named:
            found.append(f"'{what}' names no test")
        for module, name in named:
            paths = TESTS.rglob(f"{module}.py")
            if not any(name in cocotb_tests(path) for path in paths):
                found.append(f"'{what}' names {module}.{name}, which is not there")
    found += [f"owner {o} has no row" for o in sorted(counters.owners().keys() - NO_STALL - owners)]
    return found


def test_every_row_has_its_test():
    text = TABLE.read_text()
    assert len(rows(text)) > 30
    wrong = faults(text)
    assert not wrong, f"{TABLE.name}: " + "; ".join(wrong)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("test_stalls.stream_hit", "", "names no test"),
        ("test_stalls.stream_hit", "test_stalls.stream_hot", "stream_hot, which is not there"),
        ("test_stalls.stream_hit", "test_stall.stream_hit", "test_stall.stream_hit, which"),
        (",mispredict,", ",–,", "owner mispredict has no row"),
    ],
)
def test_a_fault_is_found(old, new, said):
    text = TABLE.read_text()
    assert text.count(old) == 1
    assert any(said in fault for fault in faults(text.replace(old, new)))
