# SPDX-License-Identifier: BSD-2-Clause
"""Names and order of the counters: CounterNames.scala, the bench, contracts.md and counters.md."""

import re

from counters_bench import NAMES, OWNERS

from mcpi.base.repo import ROOT

DOCS = ROOT / "docs" / "reference"


def in_scala() -> list[str]:
    """As CounterNames.scala lists them; the three replacement misses of its first list too."""
    text = (ROOT / "rtl/counters/CounterNames.scala").read_text().partition("val all")[2]
    first, _, rest = text.partition("++ owners ++")
    owners = re.findall(r'newElement\("(\w+)"\)', (ROOT / "rtl/counters/Owner.scala").read_text())
    quoted = re.compile(r'"([\w.]+)"')
    return [*quoted.findall(first), *(f"owner.{o}" for o in owners), *quoted.findall(rest)]


def without_owners(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("owner.")]


def test_the_bench_has_the_same_names_in_the_same_order():
    assert NAMES == in_scala()
    assert len(OWNERS) == len(NAMES) - len(without_owners(NAMES))


def test_the_contract_lists_them_in_order():
    text = (DOCS / "contracts.md").read_text()
    listed = re.search(r"^The counters, in order: (.*?)\.\n", text, re.M | re.S)[1]
    assert without_owners(re.findall(r"`([\w.<>]+)`", listed)) == without_owners(in_scala())


def test_each_has_a_row():
    """In the first cell; `.loads` after `bcache.fetches` is `bcache.loads`."""
    text = (DOCS / "counters.md").read_text().partition("## What each counts")[2]
    cells = re.findall(r"^\| (`[^|]*`) \|", text.partition("\n## ")[0], re.M)
    rows = set()
    for cell in cells:
        names = re.findall(r"`([\w.]+)`", cell)
        group = names[0].partition(".")[0]
        rows |= {group + name if name.startswith(".") else name for name in names}
    assert not set(without_owners(in_scala())) - rows
    assert not set(without_owners(sorted(rows))) - set(in_scala())
