# SPDX-License-Identifier: BSD-2-Clause
"""A table: rows of cells, each with our value, the paper's, their ratio, or why there is none."""

import csv
import dataclasses
import io
from dataclasses import dataclass, field

# The ends of reasons that say: this study was not to measure it.
UNASKED = ("not asked for", "not measured", "not predicted", "were not kept")


@dataclass(frozen=True)
class Cell:
    """``ours``, ``theirs``: None where there is none; ``why`` says it of ours. ``sd``: of ours."""

    ours: float | None
    theirs: float | None = None
    why: str = ""
    sd: float | None = None
    theirs_sd: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over the paper's; none of it where the paper has 0 or either is missing."""
        return self.ours / self.theirs if self.ours is not None and self.theirs else None

    @property
    def requested(self) -> bool:
        """Return true if there is something to draw: a value of ours, or the reason for its
        absence."""
        unasked = not self.why or all(p.endswith(UNASKED) for p in self.why.split("; "))
        return self.ours is not None or not unasked


@dataclass(frozen=True)
class Column:
    """``key`` in the CSV, ``title`` for people; ``digits`` behind the point."""

    key: str
    title: str
    digits: int = 2
    signed: bool = False  # +8.1

    def text(self, value: float | None, digits: int | None = None) -> str:
        """A value as this column prints it; nothing for none. ``digits``: instead of its own."""
        if value is None:
            return ""
        digits = self.digits if digits is None else digits
        value = round(value, digits) + 0.0  # never -0.0
        return f"{value:{'+' if self.signed else ''}.{digits}f}"


@dataclass(frozen=True)
class Row:
    """``labels``: what the row is of, by the table's label columns. ``digits``: of its cells."""

    labels: tuple[str, ...]
    cells: dict[str, Cell]
    digits: int | None = None

    @property
    def reasons(self) -> list[str]:
        """Why cells are empty, each reason once."""
        said = (part for cell in self.cells.values() if cell.why for part in cell.why.split("; "))
        return list(dict.fromkeys(said))


@dataclass(frozen=True)
class Table:
    """``key`` names the CSV file; ``labels`` are the titles of the first columns."""

    key: str
    title: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = field(default=())

    def drawn(self) -> "Table":
        """Without the rows and columns that the study was not asked for."""
        rows = tuple(row for row in self.rows if any(c.requested for c in row.cells.values()))
        columns = tuple(
            column
            for column in self.columns
            if any(row.cells.get(column.key, Cell(None)).requested for row in rows)
        )
        return dataclasses.replace(self, rows=rows, columns=columns)

    def texts(self, row: Row) -> list[str]:
        """The row's cells as printed: ours, the paper's in brackets."""
        found = []
        for column in self.columns:
            cell = row.cells.get(column.key, Cell(None))
            ours = column.text(cell.ours, row.digits) or "–"
            theirs = column.text(cell.theirs, row.digits)
            found.append(f"{ours} ({theirs})" if theirs else ours)
        return found

    def has(self, kind: str, column: Column) -> bool:
        """Return true if any cell of a column has ``sd``, ``theirs`` or ``ratio``."""
        cells = (row.cells.get(column.key) for row in self.rows)
        return any(cell and getattr(cell, kind) is not None for cell in cells)

    def csv(self) -> str:
        """Text of the table as CSV: a line for each row; each column has our value, then the
        others."""
        kinds = [
            (column, [k for k in ("sd", "theirs", "theirs_sd", "ratio") if self.has(k, column)])
            for column in self.columns
        ]
        names = {"theirs": "paper", "theirs_sd": "paper_sd"}
        head = [label.lower() for label in self.labels]
        for column, more in kinds:
            head += [column.key, *(f"{column.key}_{names.get(k, k)}" for k in more)]
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow([*head, "not_measured"])
        for row in self.rows:
            line = list(row.labels)
            for column, more in kinds:
                cell = row.cells.get(column.key, Cell(None))
                line.append(column.text(cell.ours, row.digits))
                line += [_companion(column, k, cell) for k in more]
            out.writerow([*line, "; ".join(row.reasons)])
        return text.getvalue()


def _companion(column: Column, kind: str, cell: Cell) -> str:
    value = getattr(cell, kind)
    if value is None:
        return ""
    return (
        f"{value:.3f}" if kind == "ratio" else f"{value:g}" if "theirs" in kind else f"{value:.4f}"
    )
