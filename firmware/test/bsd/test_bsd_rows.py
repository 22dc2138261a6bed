# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the RFCs, and kinds of bad packets, by stack: a case that is evidence for the x-kernel's
TCP is one for the production stack, or other_cases.toml says why it answers otherwise."""

import csv
import re
import tomllib

from firmware_support.host_build import BSD, BSD_CASES, TEST, case_names

from mcpi.base.repo import ROOT

CASES = set(case_names(files=BSD_CASES))
OTHERS = tomllib.loads((BSD / "other_cases.toml").read_text())
RFCS, EVENTS = 40, 40  # rows at least that have a case of both stacks


def evidence() -> dict[str, set[str]]:
    """The tests that each row of the RFCs names."""
    lines = (ROOT / "docs/data/tcp-rfcs.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {
        f"{r['rfc']} {r['row']} {r['subject']}": set(re.findall(r"\w+", r["evidence"]))
        for r in rows
    }


def test_rows_of_the_rfcs_by_stack() -> None:
    rows = evidence()
    both = {row for row, tests in rows.items() if tests & CASES}
    otherwise = {row for row in both if rows[row] & CASES <= OTHERS.keys()}
    print(f"{len(rows)} rows, {len(both)} by cases of both stacks, {len(otherwise)} otherwise")
    print("otherwise:", sorted(otherwise))
    assert len(both) >= RFCS and len(otherwise) <= 3


def test_bad_packets_by_stack() -> None:
    table = tomllib.loads((TEST / "robustness.toml").read_text())
    rows = {row["event"]: set(row["tests"]) for row in table["event"]}
    both = {event for event, tests in rows.items() if tests & CASES}
    otherwise = {event for event in both if rows[event] & CASES <= OTHERS.keys()}
    print(f"{len(rows)} events, {len(both)} by cases of both stacks, {len(otherwise)} otherwise")
    print("otherwise:", sorted(otherwise))
    assert len(both) >= EVENTS and len(otherwise) <= 3
