# SPDX-License-Identifier: BSD-2-Clause
"""Claims of a study from its ``claims.csv``: bounds are data, figures and verdicts are computed
here (docs/how-to/paper.md, "Verdicts")."""

from collections.abc import Callable
from dataclasses import dataclass, field

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import TOP

STUDIES = TOP / "tools" / "mcpi" / "studies"
NOT_JUDGED = ("production_stack", "unwired")  # figures that nobody can judge
# By its name in the file: of stack and versions, our figure; None if a run of it is not there.
Figures = dict[str, Callable[..., float | None]]


class Missing(Exception):
    """A run that is not there."""


@dataclass(frozen=True)
class Samples:
    """Figures of each sample, and what differs between samples. ``other``: samples of another
    choice, by the word that claims.csv has for it."""

    title: str
    each: list[Figures] = field(default_factory=list)
    other: dict[str, list[Figures]] = field(default_factory=dict)


def bound(text: str) -> float | None:
    return float(text) if text else None


def claims(study: str, figures: Figures, samples: Samples) -> dict:
    rows: dict = {}
    for line in raw.lines(STUDIES / study / "claims.csv"):
        row = {"figure paper": bound(line["paper"])}
        if (ours := value(line, figures)) is not None:
            row |= {"figure": ours} | judged(line, ours, samples)
        rows[numbered((line["claim"],), rows)] = row
    return rows


def judged(line: dict[str, str], ours: float, samples: Samples) -> dict:
    """The row of a claim; empty if some samples have no figure."""
    each = samples.other.get(line["over"], samples.each)
    if line["over"].startswith("one: "):
        over, values = line["over"], [ours]
    elif not each:
        over, values = "one: not varied here", [ours]
    else:
        over, values = samples.title, [value(line, one) for one in each]
    if None in values:
        return {"figure": None}
    values.sort()
    half = len(values) // 2
    median = (values[half] + values[-1 - half]) / 2
    low, high = bound(line["above"]), bound(line["below"])

    def where(number: float) -> int:
        return (low is None or number > low) + 2 * (high is None or number < high)

    inside = [where(number) == 3 for number in values]
    verdict = "undecided" if len({where(number) for number in values}) > 1 else "does not hold"
    if all(inside):
        verdict = "holds"
    turned = sum(where(number) != where(median) for number in values)
    row = {"ours": verdict, "over": over, "median": median, "low": values[0], "high": values[-1]}
    return row | {"n": len(values), "turned": 100 * turned / len(values)}


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
    if line["figure"] in NOT_JUDGED:
        return None
    get = figures.get(line["figure"])
    assert get, f"no figure {line['figure']}"
    try:
        return get(line["stack"], *line["versions"].split())
    except Missing:
        return None


def numbered(labels: tuple[str, ...], rows: dict) -> tuple[str, ...]:
    """The labels, with a number if a row before has them too."""
    same = sum(row[0] == labels[0] for row in rows)
    return (*labels, str(same + 1)) if same else labels
