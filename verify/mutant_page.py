# SPDX-License-Identifier: BSD-2-Clause
"""The record of planted mistakes: a CSV file for each design, written by the test of its mutants,
and a block of counts in ``docs/verification/mutants.md`` that is made from it."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcpi.base.blocks import fill, table
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "verification" / "mutants.md"
SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
# The record of each block of the page, next to the list of its mistakes.
RECORDS = {
    "core": ROOT / "cores" / "alpha-lite" / "test" / "found.csv",
    "counters": ROOT / "sim" / "test" / "check" / "counter_found.csv",
    "lance": ROOT / "lance-ip" / "test" / "found.csv",
}


def read(path: Path) -> list[dict[str, str]]:
    """Rows of a record."""
    return [*csv.DictReader(io.StringIO(path.read_text().removeprefix(SPDX)))]


def record(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a record: the SPDX line, the columns of the first row, then the rows."""
    text = io.StringIO()
    out = csv.DictWriter(text, [*rows[0]], lineterminator="\n")
    out.writeheader()
    out.writerows(rows)
    path.write_text(SPDX + text.getvalue())


def counts(rows: Sequence[Mapping[str, str]]) -> str:
    """A row of counts: mistakes planted, found by each kind of test, and lost. A lost mistake has
    an empty ``found_by``."""
    found = Counter(row["found_by"] for row in rows)
    kinds = [kind for kind, _ in found.most_common() if kind]
    head = ["planted", *kinds, "lost"]
    return table(head, [[len(rows), *(found[kind] for kind in kinds), found[""]]]) + "\n"


def write(part: str, rows: Sequence[Mapping[str, object]], page: Path = PAGE) -> None:
    """Write the record of a design, and its block of the page."""
    record(RECORDS[part], rows)
    page.write_text(fill(page.read_text(), {part: counts(read(RECORDS[part]))}))
