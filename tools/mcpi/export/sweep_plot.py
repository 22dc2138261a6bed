# SPDX-License-Identifier: BSD-2-Clause
"""Median and range of a column of a sweep, against another; SVG."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.results.causes import CAUSES
from mcpi.results.summary import OWNERS

if TYPE_CHECKING:
    import pandas

WIDTH, HEIGHT = 760, 420  # pixels
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 46, 52
COLOURS = [cause.colour for cause in CAUSES]
UNITS = {"t_p_us": "T_p of the client's path, µs", "t_e_us": "round trip, µs"}
UNITS |= {"cpi": "CPI", "icpi": "iCPI", "mcpi": "mCPI", "ticks": "ticks of the client's path"}


@dataclass(frozen=True)
class Plot:
    """A notebook shows it; ``save`` writes it."""

    svg: str

    def save(self, path: Path | str) -> None:
        Path(path).write_text(self.svg)

    def __repr__(self) -> str:
        return f"<a plot, {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg


def of(frame: "pandas.DataFrame", x: str, y: str, by: str, spread: list[str]) -> Plot:
    """``spread``: the columns that the range is over."""
    drawing = Drawing(WIDTH, HEIGHT)
    axes = drawing.axes(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    axes.set_axis_on()
    places = {value: n for n, value in enumerate(_order(frame[x]))}
    ends = []
    groups = list(frame.groupby(by, sort=False)) if by else [("", frame)]
    for number, (name, rows) in enumerate(groups):
        colour = COLOURS[number % len(COLOURS)]
        shift = 0.06 * (number - (len(groups) - 1) / 2)
        ends.append(_line(axes, rows, x, y, places, shift, colour, str(name)))
    _labels(axes, ends, len(places) - 1)
    axes.set_xticks(list(places.values()), [_tick_label(x, value) for value in places])
    axes.set_xlim(-0.3, len(places) - 0.7)
    axes.set_xlabel(x)
    said = f"{UNITS.get(y, y)}{' (ticks)' if y in OWNERS else ''}"
    axes.set_title(f"{said}: median, and range over {_words(frame, spread)}", loc="left", size=9)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    axes.grid(axis="y", color="#d5d9df", linewidth=0.6)
    axes.set_axisbelow(True)
    return Plot(drawing.svg())


def _line(
    axes: Axes,
    rows: "pandas.DataFrame",
    x: str,
    y: str,
    places: dict,
    shift: float,
    colour: str,
    name: str,
) -> tuple[float, str, str]:
    """Draws it; its last value, its name and its colour."""
    spread = rows.groupby(x)[y].agg(["median", "min", "max"])
    at = [places[value] + shift for value in spread.index]
    points = sorted(zip(at, spread["median"], spread["min"], spread["max"]))
    across, middle, low, high = (list(column) for column in zip(*points))
    axes.vlines(across, low, high, color=colour, linewidth=2, alpha=0.6)
    axes.plot(across, middle, "o-", color=colour, markersize=4, linewidth=1.4)
    return float(middle[-1]), name, colour


def _labels(axes: Axes, ends: list[tuple[float, str, str]], last: int) -> None:
    """A name after the end of each line, apart from its neighbours'."""
    low, high = axes.get_ylim()
    least = (high - low) * 12 / (HEIGHT - TOP - BOTTOM)
    before = None
    for value, name, colour in sorted(ends):
        at = value if before is None else max(value, before + least)
        axes.text(last + 0.35, at, name, color=colour, va="center", clip_on=False, weight="bold")
        before = at
    axes.set_ylim(low, high)


def _order(values: "pandas.Series") -> list:
    """Numbers by size, names as they come."""
    found = list(dict.fromkeys(values))
    return sorted(found) if all(isinstance(v, (int, float)) for v in found) else found


def _tick_label(name: str, value: object) -> str:
    """8KB of 8192 bytes."""
    if name.endswith("_size") and isinstance(value, (int, float)) and not value % 1024:
        whole = int(value)
        return f"{whole >> 20}MB" if not whole % (1 << 20) else f"{whole >> 10}KB"
    return str(value)


def _words(frame: "pandas.DataFrame", spread: list[str]) -> str:
    names = {"layout": "link order", "seed": "seed"}
    said = []
    for column in spread:
        count = frame[column].nunique()
        said.append(f"{count} {names.get(column, column)}{'' if count == 1 else 's'}")
    return " and ".join(said) or "one run"
