# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/renamed-names.csv: sorted, each old name once, and no module that still has it."""

import csv

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs/data/renamed-names.csv"


def rows() -> list[tuple[str, str, str]]:
    with PAGE.open(newline="") as stream:
        head, *found = csv.reader(stream)
    assert head == ["room", "old", "new"]
    return [tuple(row) for row in found]


def test_the_table_is_sorted_and_no_name_is_two() -> None:
    assert rows() == sorted(set(rows()))
    assert all(old != new and old and new for _, old, new in rows())


def test_a_module_that_was_renamed_is_gone_and_its_successor_is_there() -> None:
    for room, old, new in rows():
        if old.endswith(".py"):
            folder = ROOT / ("tools/mcpi" if room == "tools" else room)
            assert not (folder / old).exists() and (folder / new).exists(), old
