# SPDX-License-Identifier: BSD-2-Clause
"""The numbers in a paper's text, and what judges each: the column ``judged_by`` of
``papers/PAPER/text_numbers.csv``.

It is ``claim KEY``, of the study's claims.csv; ``cell TABLE[ROW].COLUMN``, where ROW is the labels
with `` / `` between them; ``input``, a number that the machine, the firmware or the plan takes
over; or ``not judged: WHY``. A number may have several claims or cells, with ``; `` between them.
Those of another study have its name before them: ``claim STUDY/KEY``.
"""

import csv
import re
from collections import Counter
from dataclasses import dataclass

from mcpi.base.repo import ROOT

CLAIM, CELL, INPUT, NOT = "claim", "cell", "input", "not judged"
REFERENCE = re.compile(r"(claim|cell) (?:(\w+)/)?(?:([\w-]+)$|(\w+)\[(.+)\]\.(\w+)$)")
FILE = "text_numbers.csv"


@dataclass(frozen=True)
class Reference:
    """A claim by its ``key``, or a cell by ``table``, ``row`` and ``column``. ``study``: its name,
    empty for the paper's own study."""

    study: str
    key: str = ""
    table: str = ""
    row: tuple[str, ...] = ()
    column: str = ""


@dataclass(frozen=True)
class Number:
    """A number in a paper's text. ``why``: the reason that it is not judged, if it is not."""

    id: str
    quantity: str
    kind: str
    references: tuple[Reference, ...] = ()
    why: str = ""


def numbers(paper: str) -> list[Number]:
    """The numbers in the text of a paper, by its folder in ``papers/``. ValueError for one whose
    ``judged_by`` is none of the four."""
    with (ROOT / "papers" / paper / FILE).open(newline="") as stream:
        return [_number(line) for line in csv.DictReader(stream)]


def papers() -> list[str]:
    """The folders of papers with numbers in their text."""
    return sorted(path.parent.name for path in (ROOT / "papers").glob(f"*/{FILE}"))


def _number(line: dict[str, str]) -> Number:
    said, about = line["judged_by"], (line["id"], line["quantity"])
    if said == INPUT:
        return Number(*about, INPUT)
    if said.startswith(f"{NOT}: "):
        return Number(*about, NOT, why=said.removeprefix(f"{NOT}: "))
    found = tuple(reference(part) for part in said.split("; "))
    return Number(*about, CLAIM if any(one.key for one in found) else CELL, found)


def reference(text: str) -> Reference:
    """A claim or cell that a text names; ValueError for another text."""
    known = REFERENCE.fullmatch(text)
    if known and known[1] == CLAIM and known[3]:
        return Reference(known[2] or "", key=known[3])
    if known and known[1] == CELL and known[4]:
        row = tuple(known[5].split(" / "))
        return Reference(known[2] or "", table=known[4], row=row, column=known[6])
    raise ValueError(
        f"judged_by: '{text}' is none of: claim KEY, cell TABLE[ROW].COLUMN, input, not judged: WHY"
    )


def line(paper: str) -> str:
    """How many numbers of a paper's text are judged by what."""
    counts = Counter(number.kind for number in numbers(paper))
    kinds = f"{counts[CLAIM]} by a claim, {counts[CELL]} by a cell, {counts[INPUT]} inputs"
    return f"Numbers in the text: {kinds}, {counts[NOT]} not judged."
