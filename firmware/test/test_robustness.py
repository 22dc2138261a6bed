# SPDX-License-Identifier: BSD-2-Clause
"""robustness.md names a test for every kind of bad packet: each of them exists."""

import re

from host_build import TEST, case_names

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "verification" / "robustness.md"
# Rows of the page that the list does not have, or has in the row before.
MORE = {
    "CRC, framing, overflow, no next buffer",
    "longer than a buffer",
    "MISS, MERR, receiver or transmitter off",
    "BABL; CERR",
    "transmit UFLO, BUFF",
    "the chip does not answer",
    "silent peer",
    "into a shut window, room not told",
    "text with the answer to our SYN",
    "over early data",
    "NACKs without end",
    "window shut or smaller over data under way",
    "user closes in an upcall, or keeps no session",
    "listener goes",
    "to our address in a broadcast frame",
    "FIN within early data, data beyond an early FIN",
}


def first_cells(text: str) -> list[str]:
    return [line.split("|")[1].strip() for line in text.splitlines() if line[:2] == "| "][1:]


def entries(text: str) -> dict[str, str]:
    """Of a list: what stands in bold, and the text after it."""
    found = re.findall(r"^- \*\*(.+?)\*\*:(.*?)(?=\n(?! )|\Z)", text, re.M | re.S)
    return {" ".join(event.split()): rest for event, rest in found}


def words(row: str) -> set[str]:
    return set(re.findall(r"\w+", row.lower()))


def test_every_row_of_the_list_is_on_the_page() -> None:
    """In the list's order, so that one that is missing is between two that match."""
    facts = (ROOT / "docs" / "sources" / "xkernel.md").read_text()
    listed = first_cells(facts.partition("## 6. Robustness")[2].partition("\n## ")[0])
    here = list(entries(PAGE.read_text().partition("\n## ")[0]))
    assert set(here) >= MORE
    here = [row for row in here if row not in MORE]
    different = [
        f"{theirs!r}: {ours!r}"
        for theirs, ours in zip(listed, here, strict=True)
        if not words(theirs) & words(ours)
    ]
    assert not different, f"not about the same: {different}"
    print(f"{len(listed)} rows of the list, each on the page")


def test_every_row_names_tests_that_exist() -> None:
    known = set(case_names()) | set(case_names(TEST / "driver"))
    for source in TEST.glob("test_*.py"):
        known |= set(re.findall(r"^def (test_\w+)", source.read_text(), re.M))
    named = {e: re.findall(r"`(\w+)`", rest) for e, rest in entries(PAGE.read_text()).items()}
    missing = {name for names in named.values() for name in names} - known
    assert not missing, f"docs/verification/robustness.md names what isn't there: {sorted(missing)}"
    empty = [row for row, names in named.items() if not names]
    assert not empty, f"rows without a test: {empty}"
    scripts = {int(n) for row in named for n in re.findall(r"\d+", row) if row[0].isdigit()}
    assert scripts == set(range(1, 31)), "a script of sources/xkernel.md 8 is missing"
    print(f"{len(named)} rows, {sum(map(len, named.values()))} tests")
