# SPDX-License-Identifier: BSD-2-Clause
"""The stall table of core.md: each row names tests that exist, each owner has a row."""

import ast
import re
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT
from mcpi.machine import counters

PAGE = ROOT / "docs" / "explanation" / "core.md"
TESTS = Path(__file__).parents[1]
NO_STALL = {"issue", "translation"}  # an instruction; a stage that is not there yet


def rows(text: str) -> list[list[str]]:
    """Cells of the table under `What costs what`: what, ticks, owner, tests."""
    section = text.split("\n## What costs what\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


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
        named = re.findall(r"`(\w+)\.(\w+)`", tests)
        if not named:
            found.append(f"'{what}' names no test")
        for module, name in named:
            paths = TESTS.rglob(f"{module}.py")
            if not any(name in cocotb_tests(path) for path in paths):
                found.append(f"'{what}' names {module}.{name}, which is not there")
    found += [f"owner {o} has no row" for o in sorted(counters.owners().keys() - NO_STALL - owners)]
    return found


def test_every_row_has_its_test():
    text = PAGE.read_text()
    assert len(rows(text)) > 30
    wrong = faults(text)
    assert not wrong, f"{PAGE.name}: " + "; ".join(wrong)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("`test_stalls.stream_hit`", "", "names no test"),
        ("`test_stalls.stream_hit`", "`test_stalls.stream_hot`", "stream_hot, which is not there"),
        ("`test_stalls.stream_hit`", "`test_stall.stream_hit`", "test_stall.stream_hit, which"),
        ("| mispredict |", "| – |", "owner mispredict has no row"),
    ],
)
def test_a_fault_is_found(old, new, said):
    text = PAGE.read_text()
    assert text.count(old) == 1
    assert any(said in fault for fault in faults(text.replace(old, new)))
