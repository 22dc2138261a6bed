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
    lines = page.splitlines()
    heads = {n - 1 for n, line in enumerate(lines) if line.startswith("|---")}
    rows = [r.split("|")[1:-1] for n, r in enumerate(lines) if r[:2] == "| " and n not in heads]
    named = {row[0].strip(): re.findall(r"`(\w+)`", row[2]) for row in rows}
    missing = {name for names in named.values() for name in names} - known
    assert not missing, f"docs/robustness.md names what isn't there: {sorted(missing)}"
    empty = [row for row, names in named.items() if not names]
    assert not empty, f"rows without a test: {empty}"
    scripts = {int(n) for row in rows for n in re.findall(r"\d+", row[0]) if row[0][1].isdigit()}
    assert scripts == set(range(1, 31)), "a script of facts/xkernel.md 8 is missing"
    print(f"{len(named)} rows, {sum(map(len, named.values()))} tests")
