# SPDX-License-Identifier: BSD-2-Clause
"""robustness.toml names tests for every kind of bad packet: each test exists."""

import re
import tomllib
from collections import Counter

from firmware_support.driver_build import ROOM as DRIVER
from firmware_support.host_build import TEST, case_names

from mcpi.base.repo import ROOT

TABLE = tomllib.loads((TEST / "robustness.toml").read_text())
PAGE = ROOT / "docs" / "verification" / "robustness.md"
SHEET = 53  # expectations of docs/sources/xkernel.md 3


def test_every_expectation_of_the_sheet_has_its_row() -> None:
    expected = [row["sheet"] for row in TABLE["event"] if "sheet" in row]
    assert len({*expected}) == len(expected) == SHEET
    assert all(": " in text for text in expected)
    events = [row["event"] for row in TABLE["event"]]
    assert len({*events}) == len(events)


def test_every_row_names_tests_that_exist() -> None:
    known = set(case_names()) | set(case_names(DRIVER))
    for source in TEST.rglob("test_*.py"):
        known |= set(re.findall(r"^def (test_\w+)", source.read_text(), re.M))
    rows = [*TABLE["event"], *TABLE["script"]]
    missing = {name for row in rows for name in row["tests"]} - known
    assert not missing, f"robustness.toml names tests that do not exist: {sorted(missing)}"
    assert all(row["tests"] for row in rows), "rows without a test"
    print(f"{len(rows)} rows, {sum(len(row['tests']) for row in rows)} tests")


def test_every_script_has_its_row_and_its_file() -> None:
    numbers = [n for row in TABLE["script"] for n in row["numbers"]]
    assert sorted(numbers) == [*range(1, 31)], "a script of docs/sources/xkernel.md 4 is missing"
    assert all(len(row["numbers"]) == len(row["files"]) for row in TABLE["script"])


def test_the_page_counts_the_rows() -> None:
    layers = Counter(row["layer"] for row in TABLE["event"])
    sheet = Counter(row["layer"] for row in TABLE["event"] if "sheet" in row)
    lines = [f"| {layer} | {count} | {sheet[layer]} |" for layer, count in layers.items()]
    assert "\n".join(lines) in PAGE.read_text()
