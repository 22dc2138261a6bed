# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/tcp-rfcs.csv says of each row of the RFCs that it holds, and names a test, or that it
departs, and says why; rfcs.md has the number of both."""

import csv
import re

from firmware_support.host_build import TEST, case_names

from mcpi.base.repo import ROOT

DATA = ROOT / "docs" / "data" / "tcp-rfcs.csv"
PAGE = ROOT / "docs" / "reference" / "protocols" / "rfcs.md"
HEADER = ["rfc", "row", "subject", "verdict", "evidence"]


def rows() -> list[list[str]]:
    """The rows of the file after its comments and its header."""
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    header, *found = csv.reader(lines)
    assert header == HEADER and {len(row) for row in found} == {len(HEADER)}
    return found


def known() -> set[str]:
    names = set(case_names())
    for source in TEST.rglob("test_*.py"):
        names |= set(re.findall(r"^def (test_\w+)", source.read_text(), re.M))
    return names


def faults(table: list[list[str]]) -> list[str]:
    found, tests = [], known()
    for rfc, number, _, verdict, evidence in table:
        row = f"{rfc} {number}"
        named = re.findall(r"\b((?:test|tcp|ip|icmp|udp)_\w+)", evidence)
        found += [f"{row}: no test {name}" for name in named if name not in tests]
        if verdict not in ("holds", "departs"):
            found.append(f"{row}: {verdict!r}")
        elif verdict == "holds" and not named:
            found.append(f"{row}: holds by no test")
        elif verdict == "departs" and len(evidence) < 3:
            found.append(f"{row}: departs, and nobody says why")
    return found


def test_each_row_names_a_test_or_says_why() -> None:
    assert not faults(rows())
    verdicts = [row[3] for row in rows()]
    for verdict in ("holds", "departs"):
        assert f"| `{verdict}` | {verdicts.count(verdict)} |" in PAGE.read_text()
    assert len(verdicts) > 50


def test_what_is_wrong_with_a_row_is_found() -> None:
    wrong = [("holds", "because"), ("holds", "tcp_no_such_case"), ("departs", "")]
    for verdict, evidence in [*wrong, ("maybe", "tcp_nagle")]:
        assert faults([["RFC 9293", "MUST-1", "a row", verdict, evidence]]), (verdict, evidence)


def test_every_must_of_rfc_9293_is_there() -> None:
    """MUST-1 to 69, but for 70 and later, which no row of the RFC has."""
    first = "\n".join(row[1] for row in rows() if row[0] == "RFC 9293")
    there: set[int] = set()
    for words in re.findall(r"MUST-([\d, to]+)", first):
        for low, high in re.findall(r"(\d+)(?: to (\d+))?", words):
            there |= set(range(int(low), int(high or low) + 1))
    assert there >= set(range(1, 70)), sorted(set(range(1, 70)) - there)
