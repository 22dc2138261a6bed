# SPDX-License-Identifier: BSD-2-Clause
"""Stacked bars: ticks of every version by what the processor waited for."""

from dataclasses import dataclass
from math import ceil

from matplotlib.axes import Axes

from mcpi.base.colour import readable
from mcpi.base.drawing import Drawing
from mcpi.results import causes
from mcpi.results.causes import CAUSES, OTHER

LINE, NAME, SUM, HEAD, LEGEND, SCALE = 22, 66, 52, 20, 18, 26  # pixels
DIGIT = 5.5  # pixels, of a figure inside its part
MARK, GRID = "#000000", "#d5d9df"


@dataclass(frozen=True)
class Part:
    """``value`` in the chart's unit."""

    title: str
    value: float
    colour: str


@dataclass(frozen=True)
class Bar:
    """``mark``: a value of somebody else's to compare with the bar's."""

    name: str
    parts: list[Part]
    mark: float | None = None

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)

    @property
    def end(self) -> float:
        return max(self.total, self.mark or 0)


@dataclass(frozen=True)
class Scale:
    """An axis below each panel. ``step``: from one tick of it to the next; ``unit``: its label;
    ``mark``: what a mark is, for the legend and the parts' titles."""

    step: float
    unit: str
    mark: str


@dataclass(frozen=True)
class Chart:
    """``form``: how a value is printed; ``inside``: within a part. Panels stand in so many
    ``columns``. ``about``: a sentence for those who cannot see the drawing."""

    title: str
    form: str
    inside: str = ""
    width: float = 900
    columns: int = 1
    line: float = LINE
    sums: float = SUM
    scale: Scale | None = None
    about: str = ""

    def draw(self, panels: dict[str, list[Bar]]) -> str:
        """SVG."""
        every = [bar for one in panels.values() for bar in one]
        full = max((bar.end for bar in every), default=0) * 1.02 or 1
        below = SCALE if self.scale else 0
        heights = [HEAD + self.line * len(one) + below for one in panels.values()]
        steps = range(0, len(heights), self.columns)
        rows = [max(heights[i : i + self.columns]) for i in steps]
        legend = self._legend(every)
        top = LEGEND * len(legend) + 6 + HEAD
        drawing = Drawing(self.width, top + sum(rows) + 6)
        head = drawing.axes(0, 0, self.width, top)
        head.set(xlim=(0, self.width), ylim=(top, 0))
        head.text(8, HEAD / 2, self.title, va="center", weight="bold", size=11)
        for line, entries in enumerate(reversed(legend)):
            self._draw(head, entries, top - LEGEND * (line + 0.5) - 4)
        for number, (name, own) in enumerate(panels.items()):
            row, column = divmod(number, self.columns)
            left = column * self.width / self.columns
            wide = self.width / self.columns - NAME - self.sums
            high = HEAD + self.line * len(own) + below
            axes = drawing.axes(left + NAME, top + sum(rows[:row]), wide, high)
            axes.set(xlim=(0, full), ylim=(len(own) + below / self.line, -HEAD / self.line))
            axes.text(0, -HEAD / self.line / 2, name, va="center", weight="bold", size=10)
            if self.scale:
                self._axis(axes, len(own), full)
            for at, bar in enumerate(own):
                self._bar(drawing, axes, at, bar, f"{name} {bar.name}")
        return drawing.svg(self.title, self.about) if self.about else drawing.svg()

    def _legend(self, every: list[Bar]) -> list[list[tuple[float, str, str]]]:
        """Lines of places, titles and colours; the mark has no colour."""
        there = {part.title: part.colour for bar in every for part in bar.parts}
        order = [cause.title for cause in (*CAUSES, OTHER)]
        titles = sorted(there, key=lambda t: order.index(t) if t in order else len(order))
        if self.scale and any(bar.mark for bar in every):
            titles.append(self.scale.mark)
        lines, x = [[]], 8.0
        for title in titles:
            wide = 13 + 4.7 * len(title) + 16
            if x + wide - 16 > self.width and lines[-1]:
                lines.append([])
                x = 8.0
            lines[-1].append((x, title, there.get(title, "")))
            x += wide
        return lines

    def _draw(self, axes: Axes, entries: list[tuple[float, str, str]], y: float) -> None:
        """A line of the legend."""
        for x, title, colour in entries:
            if colour:
                axes.barh(y, 9, left=x, height=9, color=colour)
            else:
                axes.plot([x + 4, x + 4], [y - 6, y + 6], color=MARK, linewidth=2)
            axes.text(x + 13, y, title, va="center_baseline")

    def _axis(self, axes: Axes, bars: int, full: float) -> None:
        """Lines across the panel at each step, and the values below."""
        for n in range(ceil(full / self.scale.step)):
            at = n * self.scale.step
            axes.plot([at, at], [0, bars + 0.15], color=GRID, linewidth=0.8, zorder=0)
            axes.text(at, bars + 0.55, f"{at:,.0f}", ha="center", va="center", size=8)
        axes.text(full, bars + 0.55, self.scale.unit, va="center", size=8)

    def _bar(self, drawing: Drawing, axes: Axes, at: int, bar: Bar, name: str) -> None:
        full, width = axes.get_xlim()[1], axes.get_position().width * drawing.width
        middle, left = at + 0.5, 0.0
        axes.text(-0.008 * full, middle, bar.name, ha="right", va="center", weight="bold")
        for part in bar.parts:
            share = 100 * part.value / bar.total
            said = f"{part.title}: {self.form.format(part.value)} ({share:.0f} %)"
            gid = drawing.says([said], "part", name)
            axes.barh(middle, part.value, 0.8, left, color=part.colour, clip_on=False, gid=gid)
            label = (self.inside or self.form).format(part.value).split()[0]
            if part.value / full * width > DIGIT * len(label):
                x, colour = left + part.value / 2, readable(part.colour)
                axes.text(x, middle, label, ha="center", va="center", color=colour, size=7)
            left += part.value
        words = self.form.format(bar.total)
        if self.scale and bar.mark is not None:
            self._mark(drawing, axes, middle, bar, name)
            words += f" ({self.form.format(bar.mark)})"
        axes.text(bar.end + 0.01 * full, middle, words, va="center")

    def _mark(self, drawing: Drawing, axes: Axes, middle: float, bar: Bar, name: str) -> None:
        """A line across the bar's row; beyond the bar a thin one joins them."""
        if bar.mark > bar.total:
            axes.plot([bar.total, bar.mark], [middle, middle], color=MARK, linewidth=0.6)
        gid = drawing.says([f"{self.scale.mark}: {self.form.format(bar.mark)}"], "mark", name)
        across = [middle - 0.42, middle + 0.42]
        axes.plot([bar.mark, bar.mark], across, color=MARK, linewidth=2, zorder=4, gid=gid)


def by_cause(ticks: dict[str, float]) -> list[Part]:
    """A part for each cause whose owners own anything."""
    found = []
    for cause in (*CAUSES, OTHER):
        if value := sum(n for owner, n in ticks.items() if causes.of(owner) is cause):
            found.append(Part(cause.title, value, cause.colour))
    return found
