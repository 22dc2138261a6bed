# SPDX-License-Identifier: BSD-2-Clause
"""Stacked bars: ticks of every version by what the processor waited for."""

from dataclasses import dataclass

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.results import causes
from mcpi.results.causes import CAUSES, OTHER

LINE, NAME, SUM, HEAD, LEGEND = 22, 66, 52, 20, 18  # pixels
DIGIT = 5.5  # pixels, of a figure inside its part


@dataclass(frozen=True)
class Part:
    """``value`` in the chart's unit."""

    title: str
    value: float
    colour: str


@dataclass(frozen=True)
class Bar:
    name: str
    parts: list[Part]

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


def by_cause(ticks: dict[str, float]) -> list[Part]:
    """A part for each cause whose owners own anything."""
    found = []
    for cause in (*CAUSES, OTHER):
        if value := sum(n for owner, n in ticks.items() if causes.of(owner) is cause):
            found.append(Part(cause.title, value, cause.colour))
    return found


def chart(
    panels: dict[str, list[Bar]], form: str, title: str, width: float = 900, columns: int = 1
) -> str:
    """SVG. ``form``: how a value is printed; panels stand in so many ``columns``."""
    every = [bar for one in panels.values() for bar in one]
    full = max((bar.total for bar in every), default=0) * 1.02 or 1
    heights = [HEAD + LINE * len(one) for one in panels.values()]
    rows = [max(heights[i : i + columns]) for i in range(0, len(heights), columns)]
    top = LEGEND + 6 + HEAD
    drawing = Drawing(width, top + sum(rows) + 6)
    head = drawing.axes(0, 0, width, top)
    head.set(xlim=(0, width), ylim=(top, 0))
    head.text(8, HEAD / 2, title, va="center", weight="bold", size=11)
    _legend(head, every, top - LEGEND / 2 - 4)
    for number, (name, own) in enumerate(panels.items()):
        row, column = divmod(number, columns)
        left = column * width / columns
        place = (left + NAME, top + sum(rows[:row]), width / columns - NAME - SUM)
        axes = drawing.axes(*place, HEAD + LINE * len(own))
        axes.set(xlim=(0, full), ylim=(len(own), -HEAD / LINE))
        axes.text(0, -HEAD / LINE / 2, name, va="center", weight="bold", size=10)
        for at, bar in enumerate(own):
            _bar(drawing, axes, at, bar, form, f"{name} {bar.name}")
    return drawing.svg()


def _legend(axes: Axes, every: list[Bar], y: float) -> None:
    there = {part.title: part.colour for bar in every for part in bar.parts}
    x = 8.0
    order = [cause.title for cause in (*CAUSES, OTHER)]
    for title in sorted(there, key=lambda t: order.index(t) if t in order else len(order)):
        axes.barh(y, 9, left=x, height=9, color=there[title])
        axes.text(x + 13, y, title, va="center_baseline")
        x += 13 + 4.7 * len(title) + 16


def _bar(drawing: Drawing, axes: Axes, at: int, bar: Bar, form: str, name: str) -> None:
    full, width = axes.get_xlim()[1], axes.get_position().width * drawing.width
    middle, left = at + 0.5, 0.0
    axes.text(-0.008 * full, middle, bar.name, ha="right", va="center", weight="bold")
    for part in bar.parts:
        said = f"{part.title}: {form.format(part.value)} ({100 * part.value / bar.total:.0f} %)"
        gid = drawing.says([said], "part", name)
        axes.barh(middle, part.value, 0.8, left, color=part.colour, clip_on=False, gid=gid)
        shown = form.format(part.value).split()[0]
        if part.value / full * width > DIGIT * len(shown):
            x = left + part.value / 2
            axes.text(x, middle, shown, ha="center", va="center", color="white", size=7)
        left += part.value
    axes.text(left + 0.01 * full, middle, form.format(bar.total), va="center")
