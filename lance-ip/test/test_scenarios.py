# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/lance-scenario-tests.csv is true: each of the sheet's 44 scenarios has a test of its
number in the file that is named, and each test named there exists."""

import csv
import re
from pathlib import Path

from mcpi.base.repo import ROOT

HERE = Path(__file__).parent
FILES = {path.name: path.read_text() for path in HERE.rglob("*.py")}


def numbers(text: str) -> set[int]:
    """``1 to 10, 12`` and so on."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def rows() -> list[tuple[set[int], str]]:
    lines = (ROOT / "docs/data/lance-scenario-tests.csv").read_text().splitlines()
    table = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [(numbers(row["scenarios"]), row["tests"]) for row in table]


def test_every_scenario_is_in_the_list_once():
    listed = [n for ns, _ in rows() for n in ns]
    assert sorted(listed) == sorted({*listed}), "a scenario stands in two rows"
    assert set(listed) == set(range(1, 45))
    sheet = (ROOT / "docs/sources/lance_scenarios.csv").read_text()
    assert {int(n) for n in re.findall(r"^(\d+),", sheet, re.M)} == set(range(1, 45))


def test_every_scenario_has_its_test():
    for ns, tests in rows():
        files = re.findall(r"\b((?:test|sheet)_\w+\.py)\b", tests)
        assert files, tests
        for file, name in re.findall(r"(test_\w+\.py)::(test_\w+)\b(?!…)", tests):
            assert f"def {name}(" in FILES[file], f"{file} has no {name}"
        for n in ns:
            there = [
                f for f in files if re.search(rf'def test_s{n:02}_|", "[^"]*§5 {n}\b', FILES[f])
            ]
            assert there, f"no test of scenario {n} in {files}"
