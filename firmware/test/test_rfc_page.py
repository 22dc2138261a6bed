# SPDX-License-Identifier: BSD-2-Clause
"""rfcs.md says of each row of the RFCs that it holds, and names a test, or that it departs, and
says why."""

import re

from host_build import TEST, case_names

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "reference" / "protocols" / "rfcs.md"


def rows(text: str) -> list[list[str]]:
    """The cells of each row: which rows of the RFC, what, holds or departs, test or why."""
    lines = [line for line in text.splitlines() if re.match(r"\| (?!row |rows )", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def known() -> set[str]:
    names = set(case_names())
    for source in TEST.glob("test_*.py"):
        names |= set(re.findall(r"^def (test_\w+)", source.read_text(), re.M))
    return names


def faults(text: str) -> list[str]:
    found, tests = [], known()
    for row, _, verdict, why in rows(text):
        named = re.findall(r"`((?:test|tcp|ip|icmp|udp)_\w+)`", why)
        found += [f"{row}: no test {name}" for name in named if name not in tests]
        if verdict not in ("holds", "departs"):
            found.append(f"{row}: {verdict!r}")
        elif verdict == "holds" and not named:
            found.append(f"{row}: holds by no test")
        elif verdict == "departs" and len(why) < 3:
            found.append(f"{row}: departs, and nobody says why")
    return found


def test_each_row_names_a_test_or_says_why() -> None:
    text = PAGE.read_text()
    assert not faults(text)
    verdicts = [verdict for _, _, verdict, _ in rows(text)]
    print(f"{verdicts.count('holds')} rows hold, {verdicts.count('departs')} depart")
    assert len(verdicts) > 50


def test_what_is_wrong_with_a_row_is_found() -> None:
    wrong = ["holds | because", "holds | `tcp_no_such_case`", "departs |  ", "maybe | `tcp_nagle`"]
    for row in wrong:
        assert faults(f"| MUST-1 | a row | {row} |"), row


def test_every_must_of_rfc_9293_is_there() -> None:
    """MUST-1 to 69, but for 70 and later, which no row of the RFC has."""
    first = "\n".join(row[0] for row in rows(PAGE.read_text().partition("## RFC 1122")[0]))
    there: set[int] = set()
    for words in re.findall(r"MUST-([\d, to]+)", first):
        for low, high in re.findall(r"(\d+)(?: to (\d+))?", words):
            there |= set(range(int(low), int(high or low) + 1))
    assert there >= set(range(1, 70)), sorted(set(range(1, 70)) - there)
