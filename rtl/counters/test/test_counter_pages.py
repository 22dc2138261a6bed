# SPDX-License-Identifier: BSD-2-Clause
"""Names and order of the counters: CounterNames.scala, the bench and counters.md."""

import re

import pytest
from counters_bench import NAMES, OWNERS

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "reference" / "counters.md"
TRANSLATION = ROOT / "docs" / "explanation" / "translation.md"
WRITE_BACK = ROOT / "docs" / "explanation" / "memory.md"
SCALA = ROOT / "rtl/counters/CounterNames.scala"


def in_scala() -> list[str]:
    """As CounterNames.scala lists those of each machine."""
    text = SCALA.read_text().partition("val usual")[2]
    text = text.partition("val translation")[0]
    first, _, rest = text.partition("++ owners ++")
    owners = re.findall(r'newElement\("(\w+)"\)', (ROOT / "rtl/counters/Owner.scala").read_text())
    quoted = re.compile(r'"([\w.]+)"')
    assert rest
    return [*quoted.findall(first), *(f"owner.{o}" for o in owners), *quoted.findall(rest)]


def without_owners(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("owner.")]


def test_the_bench_has_the_same_names_in_the_same_order():
    assert NAMES == in_scala()
    assert len(OWNERS) == len(NAMES) - len(without_owners(NAMES))


def test_the_page_has_a_row_for_each_in_the_same_order():
    """In the first cell; `.loads` after `bcache.fetches` is `bcache.loads`."""
    text = PAGE.read_text().partition("## What each counts")[2].partition("\n## ")[0]
    rows = []
    for cell in re.findall(r"^\| (`[^|]*`)[^|]*\|", text, re.M):
        names = re.findall(r"`([\w.]+)`", cell)
        group = names[0].partition(".")[0]
        rows += [group + name if name.startswith(".") else name for name in names]
    assert without_owners(rows) == without_owners(in_scala())


@pytest.mark.parametrize(
    ("value", "page", "heading"),
    [
        ("translation", TRANSLATION, "\n## Counters\n"),
        ("writeBack", WRITE_BACK, "\nCounters, after all others of the machine:\n"),
    ],
)
def test_the_page_of_a_part_has_a_row_for_each_of_its_own(value, page, heading):
    listed = SCALA.read_text().partition(f"val {value}:")[2].partition(")")[0]
    table = page.read_text().partition(heading)[2].partition("\n## ")[0]
    table = table.partition("| test |")[0]
    rows = re.findall(r"^\| `([\w.]+)` \|", table, re.M)
    assert rows and rows == re.findall(r'"([\w.]+)"', listed)
