# SPDX-License-Identifier: BSD-2-Clause
"""Claims of a paper, each as one figure: the paper's, ours, and the verdict.

A study's ``claims.csv`` lists them. ``figure`` names a function of the study, which gets the
``stack`` as the file has it, and the ``versions``. A claim holds when its figure lies above
``above`` and below ``below``; the paper's own figure lies within the bounds too.
"""

import csv
from collections.abc import Callable
from pathlib import Path

from mcpi.papers.tables import number
from mcpi.studykit.cell import FAILS, Cell, Row
from mcpi.studykit.measured import Measured

Figure = Callable[..., float]  # of the study, the stacks in one string, versions


class Missing(Exception):
    """A version that was not measured; the text says which."""


class Unjudged(Missing):
    """Raised for a claim that this study cannot judge at all; the text says why."""


def rows(path: Path, study: Measured, figures: dict[str, Figure]) -> list[Row]:
    """A row for each claim of the file: claim and verdict, then the cell ``figure``."""
    with path.open(newline="") as stream:
        return [_row(study, claim, figures[claim["figure"]]) for claim in csv.DictReader(stream)]


def _row(study: Measured, claim: dict[str, str], figure: Figure) -> Row:
    theirs, above, below = (number(claim[key]) for key in ("paper", "above", "below"))
    try:
        ours = figure(study, claim["stack"], *claim["versions"].split())
    except Missing as missing:
        said = f"not judged: {missing}" if isinstance(missing, Unjudged) else ""
        return Row((claim["claim"], said), {"figure": Cell(None, theirs, str(missing))})
    holds = (above is None or ours > above) and (below is None or ours < below)
    return Row((claim["claim"], "holds" if holds else FAILS), {"figure": Cell(ours, theirs)})
