# SPDX-License-Identifier: BSD-2-Clause
"""A cell of the study's tables, and the words around them."""

from collections.abc import Callable
from pathlib import Path

from mcpi.papers.tables import number
from mcpi.studykit.cell import Cell
from mcpi.studykit.claims import Missing
from mcpi.studykit.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", {})


def cell(get: Callable[[], float], theirs: str | None = None) -> Cell:
    """Its value beside the paper's; why there is none."""
    try:
        return Cell(get(), number(theirs))
    except Missing as missing:
        return Cell(None, number(theirs), str(missing))
