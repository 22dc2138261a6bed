# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the RFCs, and kinds of bad packets, by stack: a case that is evidence for the x-kernel's
TCP is one for the production stack, or other_events.toml says why there is none."""

import csv
import re
import tomllib

from firmware_support.host_build import BSD, BSD_CASES, FIRMWARE, TEST, case_names

from mcpi.base.repo import ROOT

CASES = set(case_names(files=BSD_CASES))
OTHERS = tomllib.loads((BSD / "other_cases.toml").read_text()).keys()
TABLE = tomllib.loads((TEST / "robustness.toml").read_text())
REASONS = tomllib.loads((BSD / "other_events.toml").read_text())


def listed(what: str) -> list[str]:
    """``events`` or ``rows`` that have a reason."""
    return sorted(name for reason in REASONS.values() for name in reason.get(what, []))


def without_case(by_row: dict[str, set[str]]) -> list[str]:
    """Rows that no case of both stacks shows."""
    left = sorted(row for row, tests in by_row.items() if not (tests & CASES) - OTHERS)
    print(f"{len(by_row)} rows, {len(by_row) - len(left)} by cases of both stacks")
    return left


def test_each_row_of_the_rfcs_has_a_case_or_a_reason() -> None:
    """A row that departs says itself why; TCP's reasons are those of both stacks."""
    lines = (ROOT / "docs/data/tcp-rfcs.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    tests = {
        f"{r['rfc']} {r['row']} {r['subject']}": set(re.findall(r"\w+", r["evidence"]))
        for r in rows
        if r["verdict"] == "holds"
    }
    assert without_case(tests) == listed("rows")


def test_each_kind_of_bad_packet_has_a_case_or_a_reason() -> None:
    events = {row["event"]: set(row["tests"]) for row in TABLE["event"]}
    assert without_case(events) == listed("events")


def test_each_script_has_a_case() -> None:
    scripts = {", ".join(row["files"]): set(row["tests"]) for row in TABLE["script"]}
    assert not without_case(scripts)


def test_reasons_are_true() -> None:
    """The driver is the x-kernel's; what is done instead is shown by cases of this stack."""
    assert "\nlance\nbsd       lance\n" in (FIRMWARE / "graphs" / "bsd.graph").read_text()
    for name, reason in REASONS.items():
        assert reason["why"] and (reason.get("instead") or name == "driver")
        assert set(reason.get("instead", [])) <= CASES - OTHERS, name
