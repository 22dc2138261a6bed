# SPDX-License-Identifier: BSD-2-Clause
"""A comparison as CSV, as plain values for JSON, and as a drawing (SVG)."""

import csv
import io
import textwrap
from collections.abc import Sequence
from fractions import Fraction

from matplotlib.axes import Axes

from mcpi.analysis.comparison import Change, Comparison
from mcpi.analysis.explanation import sentence
from mcpi.base.drawing import Drawing
from mcpi.results import causes

WIDTH, NAME, VALUE, LINE, HEAD = 860, 150, 130, 17, 26  # pixels
LETTERS = 118  # of a line of the title
SHOWN = 15  # functions
FASTER, SLOWER = "#2e7d5b", "#b4451f"  # of functions: fewer ticks, more ticks


def plain(found: Comparison) -> dict:
    """Lists and numbers; differences are B − A, ticks those of one invocation."""
    return {
        "a": found.a.title,
        "b": found.b.title,
        "side": found.side,
        "layouts": list(found.names),
        "sentence": sentence(found),
        "figures": [_plain(change) for change in found.figures()],
        "ticks": _plain(found.ticks),
        "owners": [_plain(change) for change in found.owners()],
        "functions": [_plain(change) for change in found.functions()],
    }


def _plain(change: Change) -> dict:
    row = {"name": change.name, "a": float(change.a), "b": float(change.b)}
    row |= {"difference": float(change.difference)}
    if change.orders:
        row |= {"low": float(change.low), "high": float(change.high)}
    if change.causes:
        row |= {"causes": {name: float(ticks) for name, ticks in change.causes}}
    return row


def text(found: Comparison) -> str:
    """CSV: a line for each figure, owner and function."""
    page = io.StringIO()
    columns = ("name", "a", "b", "difference", "low", "high")
    lines = csv.DictWriter(page, ("kind", *columns), lineterminator="\n", extrasaction="ignore")
    lines.writeheader()
    kinds = {
        "figure": [*found.figures(), found.ticks],
        "owner": found.owners(),
        "function": found.functions(),
    }
    for kind, changes in kinds.items():
        lines.writerows({"kind": kind, **_plain(change)} for change in changes)
    return page.getvalue()


def svg(found: Comparison) -> str:
    """Owners and the functions that differ most: bars of B − A, a line over link orders."""
    title = textwrap.wrap(sentence(found), LETTERS)
    owners = [change for change in found.owners() if change.difference or any(change.orders)]
    panels = [("by owner", owners), ("by function", found.functions()[:SHOWN])]
    panels = [(name, changes) for name, changes in panels if changes]
    top = 8 + 14 * len(title)
    height = top + sum(HEAD + LINE * len(changes) for _, changes in panels) + 22
    drawing = Drawing(WIDTH, height)
    head = drawing.axes(0, 0, WIDTH, top)
    head.set(xlim=(0, WIDTH), ylim=(top, 0))
    for number, line in enumerate(title):
        head.text(8, 10 + 14 * number, line, va="center")
    every = [float(v) for _, changes in panels for c in changes for v in (c.difference, *c.orders)]
    limits = min(0, *every, 0), max(0, *every, 0)
    for name, changes in panels:
        place = NAME, top, WIDTH - NAME - VALUE, HEAD + LINE * len(changes)
        _panel(drawing.axes(*place), name, changes, limits)
        top += place[3]
    foot = drawing.axes(0, top, WIDTH, 22)
    foot.set(xlim=(0, WIDTH), ylim=(22, 0))
    foot.text(8, 11, _foot(found), va="center", size=8)
    return drawing.svg()


def _panel(axes: Axes, name: str, changes: Sequence[Change], limits: tuple[float, float]) -> None:
    low, high = limits
    full = high - low or 1
    axes.set(xlim=(low, high if high > low else low + 1), ylim=(len(changes), -HEAD / LINE))
    axes.text(low - 0.01 * full, -0.6, name, ha="right", va="center", weight="bold")
    axes.plot([0, 0], [0, len(changes)], color="#8b93a1", linewidth=0.8, clip_on=False)
    for at, change in enumerate(changes):
        middle, value = at + 0.5, float(change.difference)
        colour = causes.colour(change.name) if name == "by owner" else _way(value)
        axes.barh(middle, value, 0.7, color=colour, clip_on=False)
        if change.orders:
            ends = [float(change.low), float(change.high)]
            axes.plot(ends, [middle] * 2, color="black", linewidth=1.2, clip_on=False)
        axes.text(low - 0.01 * full, middle, change.name, ha="right", va="center", size=8)
        axes.text(low + 1.01 * full, middle, _value(change), va="center", size=8)


def _way(value: float) -> str:
    return SLOWER if value > 0 else FASTER


def _value(change: Change) -> str:
    said = _signed(change.difference)
    if change.orders:
        said += f"  [{_signed(change.low)}, {_signed(change.high)}]"
    return said


def _signed(ticks: Fraction | float) -> str:
    return f"{round(ticks):+,}".replace("-", "−") if round(ticks) else "0"


def _foot(found: Comparison) -> str:
    said = f"Ticks of one invocation of the {found.side}'s path, {found.b.title} − {found.a.title}."
    if found.names:
        said += f" Black: the range over {len(found.names)} link orders, {_seeds(found.names)}."
    return said


def _seeds(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
