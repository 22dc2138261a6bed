# SPDX-License-Identifier: BSD-2-Clause
"""The table of findings in lance-histories.md is true: its tests and mutants exist, and each mutant
names its test."""

import re
import tomllib
from pathlib import Path

import pytest
from test_transmit_wire import FORGETS

from mcpi.base.repo import ROOT

HERE = Path(__file__).parent
PAGE = (ROOT / "docs/verification/lance-histories.md").read_text()
TABLE = PAGE[PAGE.index("\n## What outsiders found") :]
ROWS = re.findall(r"^\| ([^|]+) \| `(test_\w+)\.(test_\w+)` \| ([^|]*)\|$", TABLE, re.M)
LISTED = tomllib.loads((HERE / "mutants.toml").read_text())
TESTS = {m["title"]: m.get("tests", ()) for m in (*LISTED["mutant"], *LISTED["library"])}
TESTS[FORGETS.title] = FORGETS.tests


def test_the_table_is_read():
    assert len(ROWS) == TABLE.count("\n|") - 2 >= 13


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_finding_has_its_test_and_its_mutant(row):
    _, file, test, mutant = row
    assert f"def {test}(" in (HERE / f"{file}.py").read_text()
    assert f"{file}.{test}" in TESTS[mutant.strip()]
