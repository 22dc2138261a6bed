# SPDX-License-Identifier: BSD-2-Clause
"""A self-contained HTML page: every table next to the paper's, figures, and their provenance."""

import dataclasses
from typing import TYPE_CHECKING

from mcpi.base import template
from mcpi.machine import calibrated
from mcpi.studykit import claims, verdicts
from mcpi.studykit import figures as drawing
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.figures import Figures
from mcpi.studykit.measured import Measured
from mcpi.studykit.terms import Terms

if TYPE_CHECKING:
    from mcpi.base.drawing import Drawing

WIDE = 7  # columns that fit
WIDE_ON_PAPER = 10  # cells of a row that fit across a page of paper; others have one on its side
OPEN = (verdicts.FAILS, verdicts.UNDECIDED)  # verdicts whose claims are not folded
FAINT = "in situ"  # rows that stand beside another


def page(
    title: str,
    measured: Measured,
    parts: list[tuple[str, list[Table]]],
    *,
    stacks: dict[str, str] | None = None,
    answers: list[str] = (),
    lead: str = "",
    figures: Figures | None = None,
    drawings: dict[str, list["Drawing"]] | None = None,
) -> str:
    """The whole page; nothing in it comes from elsewhere. ``parts``: headings and tables below
    them; the first come after the first figure. ``stacks``: their titles. ``drawings``: by heading,
    in the figures' place."""
    record, stacks = measured.record, stacks or {}
    about = record["provenance"]
    absent = ", ".join(v.upper() for v in record["absent"])
    warnings = [f"Not there yet, so their cells are empty: {absent}."] if absent else []
    return template.render(
        "studykit/html/page.html",
        title=title,
        answers=[*answers, *claims.line(t for _, tables in parts for t in tables)],
        lead=lead,
        about=about,
        fitted=fitted(measured),
        marked={verdicts.FAILS: "no", verdicts.UNDECIDED: "open"},
        figures=figures,
        drawings={name: [one.svg() for one in own] for name, own in (drawings or {}).items()},
        terms=Terms(),
        sorting=drawing.sorting(),
        groups=_groups(figures) if figures else (),
        orders=record["extent"]["shuffles"],
        script=_script(figures) if figures else "",
        warnings=[*warnings, *record.get("remarks", [])],
        parts=[(heading, [_section(t, stacks) for t in tables]) for heading, tables in parts],
    )


def fitted(measured: Measured) -> str:
    """Which constants are fitted, as a sentence."""
    said = calibrated.words(measured.record["provenance"].get("calibration", {}))
    return "; ".join(said) + "." if said else ""


def _groups(figures: Figures) -> list[drawing.Part]:
    """The parts that have a panel: the first of each group, in order."""
    first: dict[str, drawing.Part] = {}
    for part in figures.parts:
        first.setdefault(part.group, part)
    return list(first.values())


def _script(figures: Figures) -> dict[str, str]:
    """Texts of the page's scripts: their data, the figures' language, the library, ours."""
    return {
        "data": template.embedded(figures.record()),
        "specs": template.embedded(drawing.specs()),
        "library": drawing.library(),
        "own": drawing.script(),
    }


def _section(table: Table, stacks: dict[str, str]) -> dict:
    """A table, folded; of claims, a group for each verdict."""
    found = {"key": table.key, "title": table.title, "notes": table.notes}
    groups = claims.by_verdict(table) if table.key == claims.KEY else {}
    found["groups"] = [
        {"title": title, "table": _table(part), "open": part.rows[0].labels[1] in OPEN}
        for title, part in groups.items()
    ]
    found["parts"] = [] if groups else [_table(part) for part in _by_stack(table, stacks)]
    return found


def _by_stack(table: Table, stacks: dict[str, str]) -> list[Table]:
    """A table too wide for a page as one for each stack, if its columns are of either."""
    if len(table.columns) <= WIDE:
        return [table]
    found = []
    for title in stacks.values():
        own = [c for c in table.columns if c.title.startswith(f"{title} ")]
        plain = tuple(dataclasses.replace(c, title=c.title.removeprefix(f"{title} ")) for c in own)
        labels = (f"{title}: {table.labels[0].lower()}", *table.labels[1:])
        found.append(dataclasses.replace(table, columns=plain, labels=labels))
    split = sum(len(part.columns) for part in found) == len(table.columns)
    return found if split else [table]


def _table(table: Table) -> dict:
    """Rows of a table: in each cell our value, then the paper's and the ratio where a column has
    them."""
    kinds = {
        c: ["ours", *(k for k in ("theirs", "ratio") if table.has(k, c))] for c in table.columns
    }
    rows, before = [], None
    for row in table.rows:
        same = len(row.labels) > 1 and row.labels[0] == before
        before = row.labels[0]
        cells = [_cell(c, kind, row) for c, wanted in kinds.items() for kind in wanted]
        labels = [(label, "") for label in row.labels]
        labels[0] = ("", row.labels[0]) if same else labels[0]
        rows.append({"labels": labels, "cells": cells, "faint": row.labels[-1] == FAINT})
    columns = [(c.title, len(wanted)) for c, wanted in kinds.items()]
    wide = len(table.labels) + sum(cells for _, cells in columns) > WIDE_ON_PAPER
    return {"labels": table.labels, "columns": columns, "rows": rows, "wide": wide}


def _cell(column: Column, kind: str, row: Row) -> dict:
    cell = row.cells.get(column.key, Cell(None))
    if kind == "ours" and cell.ours is None:
        return {"kind": "ours none", "text": "–", "sd": "", "why": cell.why}
    text, sd = column.text(getattr(cell, kind), row.digits), ""
    if kind == "ours":
        sd = "" if cell.sd is None else f" ± {cell.sd:.2f}"
    elif kind == "theirs":
        text += "" if cell.theirs_sd is None else f" ± {cell.theirs_sd:g}"
    else:
        text = "" if cell.ratio is None else f"{cell.ratio:.2f}×"
    return {"kind": kind, "text": text, "sd": sd, "why": ""}
