# SPDX-License-Identifier: BSD-2-Clause
"""Tables as blocks of a Markdown page: nobody copies a figure by hand.

A block stands between ``<!-- table4 -->`` and ``<!-- end -->``; ``<!-- provenance -->`` says where
all of them came from.
"""

import re
from pathlib import Path

from mcpi import fitted
from mcpi.errors import UserError
from mcpi.paper.cell import Cell, Table
from mcpi.paper.study import Study
from mcpi.paths import ROOT
from mcpi.progress import counted

PAGES = tuple(ROOT / "docs" / name for name in ("results.md", "variants.md", "cloning.md"))
PAGES += (ROOT / "docs" / "model.md",)
_BLOCK = re.compile(r"<!-- (\w+) -->\n.*?<!-- end -->", re.S)
PROVENANCE = "provenance"


def fill(page: str, study: Study, tables: list[Table]) -> str:
    """The page with all its blocks made anew; UserError for one that names no table."""
    texts = {table.key: block(table) for table in tables} | {PROVENANCE: provenance(study)}

    def replace(match: re.Match) -> str:
        name = match[1]
        if name not in texts:
            raise UserError(f"no table '{name}'. There are: {', '.join(texts)}.")
        return f"<!-- {name} -->\n{texts[name]}\n<!-- end -->"

    return _BLOCK.sub(replace, page)


def update(study: Study, tables: list[Table], pages: tuple[Path, ...] = PAGES) -> None:
    for path in pages:
        path.write_text(fill(path.read_text(), study, tables))


def block(table: Table) -> str:
    """Ours, the paper's in brackets; rows without anything of ours are left out and named."""
    head = [*table.labels, *(column.title for column in table.columns)]
    lines = [f"| {' | '.join(head)} |"]
    lines.append("|" + "---|" * len(table.labels) + "--:|" * len(table.columns))
    missing: dict[str, None] = {}
    for row in table.rows:
        if all(cell.ours is None for cell in row.cells.values()):
            missing |= dict.fromkeys(row.reasons)
            continue
        cells = [_text(table, row, column) for column in table.columns]
        lines.append(f"| {' | '.join([*row.labels, *cells])} |")
    if missing:
        lines.append(f"\nNot measured: {'; '.join(missing)}.")
    return "\n".join(lines)


def _text(table: Table, row, column) -> str:
    cell = row.cells.get(column.key, Cell(None))
    ours = "–" if cell.ours is None else column.text(cell.ours, row.digits)
    if cell.theirs is None:
        return ours
    return f"{ours} ({column.text(cell.theirs, row.digits)})"


def provenance(study: Study) -> str:
    about, extent = study.record["provenance"], study.record["extent"]
    constants = "; ".join(fitted.words(about["calibration"]))
    samples = ", ".join(
        f"{counted(n, 'sample')} of {s.upper()}" for s, n in extent["samples"].items()
    )
    changes = " with uncommitted changes" if about["dirty"] else ""
    said = [
        f"`{about['reproduce']}` at {about['commit'][:12]}{changes}",
        f"{samples}, {extent['round_trips']} round trips each, seed {about['seed']}, "
        f"{extent['shuffles']} shuffled link orders; {about['machine']}, {constants}",
        *study.record["remarks"],
    ]
    return "\n".join(f"- {line}" for line in said)
