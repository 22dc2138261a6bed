# SPDX-License-Identifier: BSD-2-Clause
"""Reports of grades: words on a terminal, a file for each hand-in, a table of a class."""

import csv
import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import UserError
from mcpi.grading.grade import Grade

WIDTH = 78
TABLE = "grades.csv"


def text(grade: Grade, whole: bool) -> str:
    """The points of a hand-in; ``whole``: and those of each part, with words."""
    head = f"{grade.name}: {grade.points:g} of {grade.lab.points:g}"
    if not whole:
        return head
    lines = [head, *(f"  {line}" for line in grade.words.splitlines())]
    for one in grade.parts:
        lines.append(f"  {one.points:g} of {one.part.points:g}  {one.part.name}")
        lines += textwrap.wrap(one.words, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


@dataclass(frozen=True)
class Places:
    """Where reports go: ``file`` of one hand-in, or ``folder`` of several."""

    file: Path | None = None
    folder: Path | None = None

    @classmethod
    def of(cls, hand_ins: Sequence[Path], out: Path | None) -> "Places":
        """UserError for a place that cannot be written, and for a name that is there twice."""
        if out is None:
            return cls()
        if len(hand_ins) == 1:
            if out.is_dir() or not out.resolve().parent.is_dir():
                raise UserError(f"--out {out}: a file in a folder that is there is wanted.")
            return cls(file=out)
        names = [hand_in.resolve().name for hand_in in hand_ins]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise UserError(f"--out {out}: two hand-ins are named {twice}; grade them apart.")
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise UserError(f"--out {out}: a new or an empty folder is wanted.")
        out.mkdir(parents=True, exist_ok=True)
        return cls(folder=out)

    def write(self, name: str, report: str) -> None:
        if place := self.file or self.folder and self.folder / f"{name}.json":
            staging.write(place, report)

    def end(self, grades: Sequence[Grade]) -> None:
        """Write the table of all hand-ins, if they have a folder."""
        if not self.folder:
            return
        table = io.StringIO()
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow(["hand-in", "points", *(part.name for part in grades[0].lab.part)])
        for grade in grades:
            points = (f"{part.points:g}" for part in grade.parts)
            rows.writerow([grade.name, f"{grade.points:g}", *points])
        staging.write(self.folder / TABLE, table.getvalue())
