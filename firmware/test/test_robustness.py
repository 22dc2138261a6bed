# SPDX-License-Identifier: BSD-2-Clause
"""docs/robustness.md names a test for every kind of bad packet: each of them exists."""

import re

from host_build import TEST, case_names
from test_driver_errors import names

from mcpi.paths import ROOT


def test_every_row_names_tests_that_exist() -> None:
    known = set(case_names()) | set(names())
    for source in TEST.glob("test_*.py"):
        known |= set(re.findall(r"^def (test_\w+)", source.read_text(), re.M))
    page = (ROOT / "docs" / "robustness.md").read_text()
    rows = [r.split("|")[1:-1] for r in page.splitlines() if r.startswith("| ")][1:]
    named = {row[0].strip(): re.findall(r"`(\w+)`", row[2]) for row in rows}
    missing = {name for names in named.values() for name in names} - known
    assert not missing, f"docs/robustness.md names what isn't there: {sorted(missing)}"
    empty = [row for row, names in named.items() if not names]
    assert not empty, f"rows without a test: {empty}"
    print(f"{len(named)} rows, {sum(map(len, named.values()))} tests")
