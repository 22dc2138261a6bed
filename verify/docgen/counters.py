# SPDX-License-Identifier: BSD-2-Clause
"""``docs/data/counters.csv`` and the tables of counters in the pages, from
``machines/counters.toml``, tested equal.

``python -m verify.docgen.counters`` writes them.
"""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from mcpi.base.blocks import fill, table
from mcpi.base.repo import ROOT
from mcpi.machine import counters
from mcpi.machine.counters import Counter

DATA = ROOT / "docs" / "data" / "counters.csv"
EXPLANATION = ROOT / "docs" / "explanation"
#: Pages of parts that a machine may have, by the parameter of their counters' condition.
PARTS = {
    "core.translation": ("translation.md", "counters"),
    "dcache.policy": ("memory.md", "write-back counters"),
    "victims": ("memory.md", "victim counters"),
    "bcache.private": ("multiprocessor-counters.md", "counters"),
}
_COMMENT = """\
# SPDX-License-Identifier: BSD-2-Clause
# Counters of all machines, from machines/counters.toml, in the order of the registers.
# docs/reference/counters.md explains them.
"""


def render() -> dict[Path, str]:
    """The data file, and each page with its table, as the file of counters has them."""
    rows = counters.table()
    pages = {DATA: _data(row for row in rows if not row.when)}
    for key, (name, block) in PARTS.items():
        own = (row for row in rows if key in row.when and row.of != "owner")
        page = EXPLANATION / name
        pages[page] = fill(pages.get(page) or page.read_text(), {block: _counters(own)})
    return pages


def _data(rows: Iterable[Counter]) -> str:
    """A row for each counter. The owners are one, as core-costs.csv has them."""
    titles: dict[str, str] = {}
    for row in rows:
        if row.of == "owner":
            titles["owner.issue … owner.idle"] = "each tick with that owner, decided at issue"
        elif row.of != "cause":
            titles[row.name] = row.doc
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(("counter", "adds one for"))
    lines.writerows(titles.items())
    return _COMMENT + text.getvalue()


def _counters(rows: Iterable[Counter]) -> str:
    titles = {f"`{row.name}`": row.doc for row in rows if row.of != "cause"}
    return table(("counter", "adds one for"), titles.items())


if __name__ == "__main__":
    for path, page in render().items():
        path.write_text(page)
