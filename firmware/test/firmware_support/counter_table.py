# SPDX-License-Identifier: BSD-2-Clause
"""The meanings of the firmware's counters, docs/data/firmware-counters.csv."""

import csv

from mcpi.base.repo import ROOT

TABLE = ROOT / "docs" / "data" / "firmware-counters.csv"


def rows() -> list[list[str]]:
    """Struct, counter and meaning of each row."""
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    header, *found = csv.reader(lines)
    assert header == ["struct", "counter", "counts"] and {len(row) for row in found} == {3}
    return found


def described(struct: str) -> list[str]:
    """The counters of a struct that the table has."""
    return [counter for one, counter, meaning in rows() if one == struct and meaning]
