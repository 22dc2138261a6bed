# SPDX-License-Identifier: BSD-2-Clause
"""Acceptance (b), and (a) of refills: on hp720, round after round, 76 pages need no refill and 77
need one each, for round robin always takes the entry that is wanted next. Each lasts its floor."""

import csv
from pathlib import Path

import pytest
from firmware_support import simulated

from mcpi.firmware import images
from mcpi.machine import profile

ENTRIES = 76


def last_round(pages: int, folder: Path, **settings: str) -> dict[str, int]:
    """Counters of window 4."""
    machine = profile.load("hp720", {f"tlb.{k}": v for k, v in settings.items()})
    made = images.build(images.plan(machine, "std", "pages-bsd", (f"PAGES={pages}",)))
    options = ("--max-ticks", 60_000_000, "--passages", "--passages-of", 4)
    simulated.run(machine, (made, simulated.silent(machine)), folder, *options)
    assert "pages: touched" in (folder / "console.0.txt").read_text()
    with (folder / "passages.0.csv").open() as file:
        [row] = csv.DictReader(file)
    return {k: int(v) for k, v in row.items() if k not in ("open", "close")}


@pytest.mark.parametrize("floor", [91, 170])
@pytest.mark.parametrize(("pages", "misses"), [(ENTRIES, 0), (ENTRIES + 1, ENTRIES + 1)])
def test_as_many_pages_as_entries(pages: int, misses: int, floor: int, tmp_path: Path) -> None:
    found = last_round(pages, tmp_path, refill_floor=str(floor))
    assert found.get("dtb.misses", 0) == misses
    assert found.get("dtb.refill_ticks", 0) == misses * floor


def test_fewer_entries_hold_fewer_pages(tmp_path: Path) -> None:
    """The test above sees the parameter: with 75 entries 76 pages miss."""
    assert last_round(ENTRIES, tmp_path, data_entries="75")["dtb.misses"] == ENTRIES
