# SPDX-License-Identifier: BSD-2-Clause
"""``findings.csv`` is true: its tests and mutants exist, and each mutant names its test."""

import csv
import re
import tomllib
from pathlib import Path

import pytest
from test_transmit_wire import FORGETS

from mcpi.base.repo import ROOT

HERE = Path(__file__).parent
LINES = (HERE / "findings.csv").read_text().splitlines()
ROWS = [*csv.DictReader(line for line in LINES if not line.startswith("#"))]
TESTED = [row for row in ROWS if row["test"]]
PAGE = (ROOT / "docs/verification/lance-histories.md").read_text()
LISTED = tomllib.loads((HERE / "mutants.toml").read_text())
TESTS = {m["title"]: m.get("tests", ()) for m in (*LISTED["mutant"], *LISTED["library"])}
TESTS[FORGETS.title] = FORGETS.tests


def test_the_page_counts_the_findings():
    said = re.search(r"has (\d+) rows", PAGE)
    assert int(said[1]) == len(ROWS) and len(TESTED) >= 24


@pytest.mark.parametrize("row", TESTED, ids=[row["test"] for row in TESTED])
def test_a_finding_has_its_test_and_its_mutant(row):
    file, _, test = row["test"].partition(".")
    [path] = [*HERE.rglob(f"{file}.py"), *(ROOT / "sim/test").rglob(f"{file}.py")]
    assert f"def {test}(" in path.read_text()
    assert bool(row["mutant"]) != bool(row["bin"])
    if row["mutant"]:
        assert row["test"] in TESTS[row["mutant"]]
