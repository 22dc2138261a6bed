# SPDX-License-Identifier: BSD-2-Clause
"""Tables as blocks of a Markdown page: nobody copies a figure by hand.

A block stands between ``<!-- table4 -->`` and ``<!-- end -->``; ``<!-- provenance -->`` says where
all of them came from.
"""

import re
from collections import Counter

from mcpi.base.errors import UserError
from mcpi.base.progress import counted
from mcpi.machine import calibrated
from mcpi.studykit.cell import Table
from mcpi.studykit.definition import Study
from mcpi.studykit.measured import Measured

_BLOCK = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end -->", re.S)
PROVENANCE = "provenance"


def fill(page: str, measured: Measured, tables: list[Table]) -> str:
    """The page with all its blocks made anew; UserError for one that names no table."""
    texts = {table.key: block(table) for table in tables} | {PROVENANCE: provenance(measured)}

    def replace(match: re.Match) -> str:
        name = match[1]
        if name not in texts:
            raise UserError(f"no table '{name}'. There are: {', '.join(texts)}.")
        return f"<!-- {name} -->\n{texts[name]}\n<!-- end -->"

    return _BLOCK.sub(replace, page)


def blocks(page: str) -> dict[str, str]:
    """The table blocks of a page by name, with the Markdown text of each."""
    found = {m[1]: m[2] for m in _BLOCK.finditer(page)}
    return {name: text for name, text in found.items() if name != PROVENANCE}


def cells(block: str) -> dict[tuple[tuple[str, ...], str], str]:
    """The cells of a table block, by row labels and column title. Columns are right-aligned, labels
    are not; a number after the labels tells rows of the same labels apart."""
    lines = [line for line in block.splitlines() if line.startswith("|")]
    rows = [[part.strip() for part in line[1:-1].split(" | ")] for line in lines]
    if len(rows) < 2:
        return {}
    titles, marks, seen, found = rows[0], lines[1].strip("|").split("|"), Counter(), {}
    first = sum(not mark.endswith(":") for mark in marks)
    for row in rows[2:]:
        labels = tuple(row[:first])
        seen[labels] += 1
        if seen[labels] > 1:
            labels += (str(seen[labels]),)
        found |= {(labels, title): text for title, text in zip(titles[first:], row[first:])}
    return found


def update(study: Study, measured: Measured, tables: list[Table]) -> None:
    """Fill the study's pages of docs/ and draw its drawings."""
    for path in study.pages:
        path.write_text(fill(path.read_text(), measured, tables))
    for path, draw in study.drawings.items():
        path.write_text(draw(measured))


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
        lines.append(f"| {' | '.join([*row.labels, *table.texts(row)])} |")
    if missing:
        lines.append(f"\nNot measured: {'; '.join(missing)}.")
    return "\n".join(lines)


def provenance(measured: Measured) -> str:
    about, extent = measured.record["provenance"], measured.record["extent"]
    constants = "; ".join(calibrated.words(about["calibration"]))
    samples = ", ".join(
        f"{counted(n, 'sample')} of {s.upper()}" for s, n in extent["samples"].items()
    )
    unit = measured.record.get("unit", "round trips")
    orders = f", {extent['shuffles']} shuffled link orders" if extent["shuffles"] else ""
    changes = " with uncommitted changes" if about["dirty"] else ""
    said = [
        f"`{about['reproduce']}` at {about['commit'][:12]}{changes}",
        f"{samples}, {extent['round_trips']} {unit} each, seed {about['seed']}"
        f"{orders}; {about['machine']}, {constants}",
        *measured.record["remarks"],
    ]
    return "\n".join(f"- {line}" for line in said)
