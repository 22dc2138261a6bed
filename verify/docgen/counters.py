# SPDX-License-Identifier: BSD-2-Clause
"""Tables of counters in the pages, from ``machines/counters.toml``, tested equal.

``python -m verify.docgen.counters`` writes them.
"""

from collections.abc import Iterable
from pathlib import Path

from mcpi.base.blocks import fill, table
from mcpi.base.repo import ROOT
from mcpi.machine import counters
from mcpi.machine.counters import Counter

REFERENCE = ROOT / "docs" / "reference" / "counters.md"
EXPLANATION = ROOT / "docs" / "explanation"
#: Pages of parts that a machine may have, by the parameter of their counters' condition.
PARTS = {
    "core.translation": ("translation.md", "counters"),
    "dcache.policy": ("memory.md", "write-back counters"),
    "victims": ("memory.md", "victim counters"),
    "bcache.private": ("multiprocessor-counters.md", "counters"),
}


def render() -> dict[Path, str]:
    """Each page with its tables as the file has them."""
    rows = counters.table()
    texts = {
        (REFERENCE, "counters"): _counters(row for row in rows if not row.when),
    }
    for key, (page, block) in PARTS.items():
        own = (row for row in rows if key in row.when and row.of != "owner")
        texts[EXPLANATION / page, block] = _counters(own)
    pages = {page: page.read_text() for page, _ in texts}
    for (page, block), text in texts.items():
        pages[page] = fill(pages[page], {block: text})
    return pages


def _counters(rows: Iterable[Counter]) -> str:
    """The owners are one line, as core.md has a table of them."""
    titles: dict[str, str] = {}
    for row in rows:
        if row.of == "owner":
            titles["`owner.issue` … `owner.idle`"] = "each tick with that owner, decided at issue"
        elif row.of != "cause":
            titles[f"`{row.name}`"] = row.doc
    return table(("counter", "adds one for"), titles.items())


if __name__ == "__main__":
    for path, page in render().items():
        path.write_text(page)
