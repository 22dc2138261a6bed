# SPDX-License-Identifier: BSD-2-Clause
"""The figures' CSV of TR 93-04 agree with its tables, and with the arithmetic of Table 1."""

import csv

import pytest

from mcpi.base.repo import ROOT

PAPER = ROOT / "papers/tr9304"
BYTES, LINE = 1460, 32
LINES = (46, 47)  # BYTES / LINE, whole, by the place of the first byte


def rows(name: str) -> list[dict[str, str]]:
    (path,) = PAPER.glob(f"{name}_*.csv")
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def cycles() -> dict[str, int]:
    return {row["event"]: int(row["cycles"]) for row in rows("table1")}


def test_lines_of_a_large_mbuf() -> None:
    spans = {(place + BYTES - 1) // LINE - place // LINE + 1 for place in range(0, LINE, 4)}
    assert spans == set(LINES)


# A peak: per line, and once for all.
CLEAN, DIRTY = "Cache line fill not requiring writeback", "Cache line fill requiring writeback"
MACH = "Mach TLB entry load"
PEAKS = {
    **dict.fromkeys(["E", "H", "O", "R", "X"], (CLEAN, None)),
    **dict.fromkeys(["C", "F", "I", "M", "P", "S"], (DIRTY, None)),
    "J": (DIRTY, MACH),
}


def test_peaks_are_at_their_computed_places(cycles: dict[str, int]) -> None:
    found = {r["label"]: r for n in range(2, 6) for r in rows(f"figure{n}") if r["label"]}
    for letter, (fill, once) in PEAKS.items():
        low, high = (n * cycles[fill] + (cycles[once] if once else 0) for n in LINES)
        row = found[letter]
        there = (int(row["overhead_low_cycles"]), int(row["overhead_high_cycles"]))
        assert there == (low, high), letter
    # B is a bin of ten cycles, in which 47 clean lines lie.
    row = found["B"]
    assert int(row["overhead_low_cycles"]) <= 47 * cycles[CLEAN] <= int(row["overhead_high_cycles"])


# Figure, its system and gap: table, column.
SAME = {
    **{(2, os, "20"): ("table2", f"large_gap_{os.lower()}") for os in ("Mach", "BSD", "HPUX")},
    **{(3, os, "0"): ("table2", f"small_gap_{os.lower()}") for os in ("Mach", "BSD", "HPUX")},
    (4, "Mach", "20"): ("table3", "no_cksum_large_gap"),
    (4, "Mach", "0"): ("table3", "no_cksum_small_gap"),
    (5, "Mach", "20"): ("table3", "cksum_large_gap"),
    (5, "Mach", "0"): ("table3", "cksum_small_gap"),
}
WORDS = {
    "totally within": "totally within cache",
    "100% clean": "less than 100% clean miss",
    "less than 100% dirty": "less than 100% dirty miss",
    "greater": "greater than 100% dirty miss",
    "cycles per word": "average overhead",
}


@pytest.mark.parametrize("key", SAME, ids=str)
def test_fractions_are_the_tables(key: tuple[int, str, str]) -> None:
    figure, system, gap = key
    table, column = SAME[key]
    by_label = {
        r["label"]: r["value"]
        for r in rows(f"figure{figure}")
        if (r["os"], r["gap_ms"]) == (system, gap) and r["item"] in ("fraction", "mean")
    }
    for row in rows(table):
        (label,) = (label for word, label in WORDS.items() if word in row["observation"])
        assert float(by_label[label]) == float(row[column]), (label, row)


@pytest.mark.parametrize("load", [23, 24, 25])
def test_loads_are_table_4s(load: int) -> None:
    here = [r for r in rows("figure8") if r["label"].endswith(f"load {load} bytes/word")]
    there = [float(row[f"{load}_bytes_per_word"]) for row in rows("table4")]
    assert [float(r["value"]) for r in here] == there
