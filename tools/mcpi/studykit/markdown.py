# SPDX-License-Identifier: BSD-2-Clause
"""Tables as blocks of a Markdown page: nobody copies a figure by hand.

A block stands between ``<!-- table4 -->`` and ``<!-- end -->``; ``<!-- provenance -->`` says where
all of them came from. A table longer than a screen is a CSV file in the page's folder below
``docs/data``, and its block links the file. A shorter one is a file too where its block has a link
already. Claims are always a file; their block has the verdicts.
"""

import csv
import re
import textwrap
from collections import Counter
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.progress import counted
from mcpi.machine import calibrated
from mcpi.studykit import claims
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.definition import Study
from mcpi.studykit.measured import Measured

_BLOCK = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end -->", re.S)
_LINK = re.compile(r"^\[\d+ rows\]\((\S+\.csv)\)")
_DIGESTS = re.compile(r"^- digests: (.*)$", re.M)
PROVENANCE = "provenance"
MOST_ROWS = 45  # of a table in a page

Cells = dict[tuple[tuple[str, ...], str], str]


def fill(page: str, measured: Measured, tables: list[Table], data: str = "data") -> str:
    """The page with all its blocks made anew; UserError for one that names no table. ``data``: the
    folder of its long tables, as the page links it."""
    there = {table.key: table for table in tables}

    def replace(match: re.Match) -> str:
        name, before = match.groups()
        if name == PROVENANCE:
            text = provenance(measured)
        elif name in there:
            text = block(there[name], data, linked=bool(_LINK.match(before)))
        else:
            names = ", ".join([*there, PROVENANCE])
            raise UserError(f"no table '{name}'. There are: {names}.")
        return f"<!-- {name} -->\n{text}\n<!-- end -->"

    return _BLOCK.sub(replace, page)


def blocks(page: str) -> dict[str, str]:
    """The table blocks of a page by name, with the Markdown text of each."""
    found = {m[1]: m[2] for m in _BLOCK.finditer(page)}
    return {name: text for name, text in found.items() if name != PROVENANCE}


def published(page: Path) -> dict[str, Cells]:
    """The cells of a page's table blocks by the block's name."""
    return {name: _cells(page, text) for name, text in blocks(page.read_text()).items()}


def made(table: Table) -> Cells:
    """The cells of a table, as its block or its CSV file has them."""
    return _keyed(_rows(table), len(table.labels))


def update(study: Study, measured: Measured, tables: list[Table]) -> None:
    """Fill the study's pages of docs/, write their long tables, and draw the study's drawings."""
    for path in study.pages:
        data = f"../data/{path.stem}"
        text = fill(path.read_text(), measured, tables, data)
        for table in tables:
            if f"]({data}/{table.key}.csv)" in text:
                write_csv(path.parent / data / f"{table.key}.csv", _rows(table))
        path.write_text(text)
    for path, draw in study.drawings.items():
        path.write_text(draw(measured))


def block(table: Table, data: str, linked: bool = False) -> str:
    """Ours, the paper's in brackets; rows without anything of ours are left out and named. A table
    that is ``linked`` or has more than MOST_ROWS rows is a link to its file in the folder ``data``.
    """
    head, *rows = _rows(table)
    if linked or len(rows) > MOST_ROWS or table.key == claims.KEY:
        titles = "; ".join(column.title for column in table.columns)
        link = f"[{len(rows)} rows]({data}/{table.key}.csv)"
        words = f"{link}, each of {' / '.join(table.labels)}: {titles}."
        lines = [textwrap.fill(words, 100, break_long_words=False, break_on_hyphens=False)]
        if table.key == claims.KEY:
            lines += claims.grouped(head, rows)
    else:
        lines = [f"| {' | '.join(head)} |"]
        lines.append("|" + "---|" * len(table.labels) + "--:|" * len(table.columns))
        lines += [f"| {' | '.join(row)} |" for row in rows]
    missing = dict.fromkeys(why for row in table.rows if _empty(row) for why in row.reasons)
    if missing:
        lines.append(f"\nNot measured: {'; '.join(missing)}.")
    return "\n".join(lines)


def write_csv(path: Path, rows: list[list[str]]) -> None:
    """Write rows, the first with the titles, as a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def _empty(row: Row) -> bool:
    return all(cell.ours is None for cell in row.cells.values())


def _rows(table: Table) -> list[list[str]]:
    """The titles, then the texts of each row that has anything of ours."""
    titles = [*table.labels, *(column.title for column in table.columns)]
    return [titles, *([*r.labels, *table.texts(r)] for r in table.rows if not _empty(r))]


def _cells(page: Path, block: str) -> Cells:
    """The cells of a block. A block's label columns are left-aligned; a CSV file's are those which
    the line with its link names."""
    link = _LINK.match(block)
    if link:
        with (page.parent / link[1]).open(newline="") as stream:
            return _keyed(list(csv.reader(stream)), _labels(block))
    lines = [line for line in block.splitlines() if line.startswith("|")]
    rows = [[part.strip() for part in line[1:-1].split(" | ")] for line in lines]
    if len(rows) < 2:
        return {}
    marks = lines[1].strip("|").split("|")
    return _keyed([rows[0], *rows[2:]], sum(not mark.endswith(":") for mark in marks))


def _labels(link: str) -> int:
    """The number of label columns that the line with a table's link names."""
    return " ".join(link.split()).split(", each of ", 1)[1].split(": ", 1)[0].count(" / ") + 1


def _keyed(rows: list[list[str]], first: int) -> Cells:
    """Cells by row labels and column title; ``first``: the number of label columns. A number after
    the labels tells rows of the same labels apart."""
    (titles, *rest), seen, found = rows, Counter(), {}
    for row in rest:
        labels = tuple(row[:first])
        seen[labels] += 1
        if seen[labels] > 1:
            labels += (str(seen[labels]),)
        found |= {(labels, title): text for title, text in zip(titles[first:], row[first:])}
    return found


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
    if found := about.get("digests"):
        said.append(digest_line(found))
    return "\n".join(f"- {line}" for line in said)


def digest_line(found: dict[str, str]) -> str:
    """The digests of what a page comes from, by part (``mcpi.studykit.freshness``)."""
    return "digests: " + ", ".join(f"{part} {digest}" for part, digest in found.items())


def digests(page: Path) -> dict[str, str]:
    """The digests in a page's provenance; none if it has no such line."""
    found = _DIGESTS.search(page.read_text())
    return dict(part.split(" ") for part in found[1].split(", ")) if found else {}
