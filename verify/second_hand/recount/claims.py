# SPDX-License-Identifier: BSD-2-Clause
"""Claims of a study from its ``claims.csv``: bounds are data, figures are computed here."""

from collections.abc import Callable

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import TOP

STUDIES = TOP / "tools" / "mcpi" / "studies"
# By its name in the file: of stack and versions, our figure; None if a run of it is not there.
Figures = dict[str, Callable[..., float | None]]


class Missing(Exception):
    """A run that is not there."""


def bound(text: str) -> float | None:
    return float(text) if text else None


def claims(study: str, figures: Figures) -> dict:
    rows: dict = {}
    for line in raw.lines(STUDIES / study / "claims.csv"):
        ours = value(line, figures)
        row = {"figure": ours, "figure paper": bound(line["paper"])}
        if ours is not None:
            row["ours"] = verdict(ours, bound(line["above"]), bound(line["below"]))
        rows[numbered((line["claim"],), rows)] = row
    return rows


def predictions(study: str, figures: Figures) -> dict:
    rows: dict = {}
    for line in raw.lines(STUDIES / study / "predictions.csv"):
        ours = value(line, figures)
        if ours is None:
            continue
        least, most = bound(line["least"]), bound(line["most"])
        outside = (least is not None and ours < least) or (most is not None and ours > most)
        row = {"least": least, "most": most, "figure": ours}
        row["came out"] = "not as predicted" if outside else "as predicted"
        row["rule"] = line["rule"]
        rows[numbered((line["prediction"],), rows)] = row
    return rows


def value(line: dict[str, str], figures: Figures) -> float | None:
    """The figure of a line; None if it is not judged, or a run is missing."""
    get = figures.get(line["figure"])
    if line["figure"] == "production_stack":  # nobody can judge it
        return None
    assert get, f"no figure {line['figure']}"
    try:
        return get(line["stack"], *line["versions"].split())
    except Missing:
        return None


def verdict(ours: float, above: float | None, below: float | None) -> str:
    low = above is not None and ours <= above
    high = below is not None and ours >= below
    return "does not hold" if low or high else "holds"


def numbered(labels: tuple[str, ...], rows: dict) -> tuple[str, ...]:
    """The labels, with a number if a row before has them too."""
    same = sum(row[0] == labels[0] for row in rows)
    return (*labels, str(same + 1)) if same else labels
