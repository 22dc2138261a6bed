# SPDX-License-Identifier: BSD-2-Clause
"""``findings.csv`` is true: its tests and mutants exist, and each mutant names its test."""

import csv
import re
from pathlib import Path

import pytest
import test_library
from lance_support.wire_mutant import FORGETS

from mcpi.base.repo import ROOT
from verify.verilog_mutants import load

HERE = Path(__file__).parent
LINES = (HERE / "findings.csv").read_text().splitlines()
ROWS = [*csv.DictReader(line for line in LINES if not line.startswith("#"))]
TESTED = [row for row in ROWS if row["test"]]
PAGE = (ROOT / "docs/verification/lance-histories.md").read_text()
TESTS = {m.title: m.tests for m in (*load(HERE / "mutants.csv"), FORGETS)}
TESTS |= {
    m["title"]: ("test_library.test_what_has_no_room_in_the_chips_inputs_is_refused",)
    for m in test_library.MUTANTS
}


def test_the_page_counts_the_findings():
    said = re.search(r"has (\d+) rows", PAGE)
    assert int(said[1]) == len(ROWS) and len(TESTED) >= 24


@pytest.mark.parametrize("row", TESTED, ids=[row["test"] for row in TESTED])
def test_a_finding_has_its_test_and_its_mutant(row):
    file, _, test = row["test"].partition(".")
    [path] = [p for folder in (HERE, ROOT / "sim/test") for p in folder.rglob(f"{file}.py")]
    assert f"def {test}(" in path.read_text()
    assert bool(row["mutant"]) != bool(row["bin"])
    if row["mutant"]:
        assert row["test"] in TESTS[row["mutant"]]
