# SPDX-License-Identifier: BSD-2-Clause
"""Names and order of the counters: CounterNames.scala, the bench and counters.md."""

import re

import pytest
from counters_bench import NAMES, OWNERS

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "reference" / "counters.md"
TRANSLATION = ROOT / "docs" / "explanation" / "translation.md"
COHERENT = ROOT / "docs" / "explanation" / "multiprocessor-counters.md"
VICTIMS = ROOT / "docs" / "explanation" / "memory.md"
WRITE_BACK = ROOT / "docs" / "explanation" / "memory.md"
SCALA = ROOT / "rtl/counters/CounterNames.scala"


QUOTED = re.compile(r'"([\w.]+)"')


def in_scala() -> list[str]:
    """As CounterNames.scala lists those of each machine."""
    text = SCALA.read_text()
    first = QUOTED.findall(text.partition("    (Seq(")[2].partition(")")[0])
    owners = re.findall(r'newElement\("(\w+)"\)', (ROOT / "rtl/counters/Owner.scala").read_text())
    assert first and owners
    return [*first, *(f"owner.{o}" for o in owners), *listed("usual")]


def listed(value: str) -> list[str]:
    """Of the Scala value."""
    found = SCALA.read_text().partition(f"val {value}:")[2]
    return QUOTED.findall(re.split(r"\n  \)\n|\n\n|\n  val ", found)[0])


def in_rows(table: str) -> list[str]:
    """Of first cells; `.loads` after `bcache.fetches` is `bcache.loads`."""
    rows = []
    for cell in re.findall(r"^\| (`[^|]*`)[^|]*\|", table, re.M):
        names = re.findall(r"`([\w.]+)`", cell)
        group = names[0].partition(".")[0]
        rows += [group + name if name.startswith(".") else name for name in names]
    return rows


def without_owners(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("owner.")]


def test_the_bench_has_the_same_names_in_the_same_order():
    assert NAMES == in_scala()
    assert len(OWNERS) == len(NAMES) - len(without_owners(NAMES))


def test_the_page_has_a_row_for_each_in_the_same_order():
    text = PAGE.read_text().partition("## What each counts")[2].partition("\n## ")[0]
    assert without_owners(in_rows(text)) == without_owners(in_scala())


@pytest.mark.parametrize(
    ("values", "page", "heading", "end"),
    [
        (["translation"], TRANSLATION, "\n## Counters\n", "| test |"),
        (["writeBack"], WRITE_BACK, "\nCounters, after all others of the machine:\n", "| test |"),
        (
            ["victims"],
            VICTIMS,
            "\nvictim caches have these counters, after all others:\n",
            "| test |",
        ),
        (["coherenceMisses", "coherent"], COHERENT, "\n| new counter, per core |", "\n\n"),
    ],
)
def test_the_page_of_a_part_has_a_row_for_each_of_its_own(values, page, heading, end):
    table = page.read_text().partition(heading)[2].partition("\n## ")[0].partition(end)[0]
    assert in_rows(table) == [name for value in values for name in listed(value)] != []
