# SPDX-License-Identifier: BSD-2-Clause
"""Stacked bars: ticks of every version by what the processor waited for."""

import textwrap
from dataclasses import dataclass
from math import ceil, floor, log10

from matplotlib.axes import Axes

from mcpi.base.colour import readable
from mcpi.base.drawing import Drawing
from mcpi.results import causes
from mcpi.results.causes import CAUSES, OTHER
from mcpi.studykit.figures import Figures
from mcpi.studykit.panels import COLUMN

LINE, NAME, SUM, HEAD, LEGEND, SCALE = 22, 66, 52, 20, 18, 26  # pixels
LETTER = 6.6  # pixels, of the title
DIGIT = 5.5  # pixels, of a figure inside its part
MARK, GRID = "#000000", "#d5d9df"
WHISKER = "|-|"  # in the place of a colour


@dataclass(frozen=True)
class Part:
    """``value`` in the chart's unit."""

    title: str
    value: float
    colour: str


@dataclass(frozen=True)
class Bar:
    """``mark``: a value of somebody else's to compare with the bar's. ``every``: sums of the same
    bar in other orders, for its whisker."""

    name: str
    parts: list[Part]
    mark: float | None = None
    every: tuple[float, ...] = ()

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)

    @property
    def end(self) -> float:
        return max(self.total, self.mark or 0, *self.every)


@dataclass(frozen=True)
class Scale:
    """An axis below each panel. ``unit``: its label; ``mark``: what a mark is, for the legend and
    the parts' titles; ``step``: from one tick of it to the next, 0 for about five in all;
    ``orders``: what a whisker is over."""

    unit: str
    mark: str = ""
    step: float = 0
    orders: str = ""

    def steps(self, full: float) -> list[float]:
        """The ticks below ``full``."""
        step = self.step
        if not step:
            power = 10 ** floor(log10(full / 5))
            step = next(power * n for n in (1, 2, 5, 10) if power * n >= full / 5)
        return [n * step for n in range(ceil(full / step))]


@dataclass(frozen=True)
class Chart:
    """``form``: how a value is printed; ``inside``: within a part. Panels stand in so many
    ``columns``. ``name``, ``sums``: pixels on both sides of the bars. ``about``: a sentence for
    those who cannot see the drawing."""

    title: str
    form: str
    inside: str = ""
    width: float = 900
    columns: int = 1
    line: float = LINE
    name: float = NAME
    sums: float = SUM
    scale: Scale | None = None
    about: str = ""

    def drawing(self, panels: dict[str, list[Bar]]) -> Drawing:
        """Bars by the panel's name."""
        every = [bar for one in panels.values() for bar in one]
        full = max((bar.end for bar in every), default=0) * 1.02 or 1
        below = SCALE if self.scale else 0
        heights = [HEAD + self.line * len(one) + below for one in panels.values()]
        steps = range(0, len(heights), self.columns)
        rows = [max(heights[i : i + self.columns]) for i in steps]
        legend = self._legend(every)
        title = textwrap.wrap(self.title, int((self.width - 16) / LETTER))
        above = HEAD * len(title)
        top = LEGEND * len(legend) + 6 + above
        drawing = Drawing(self.width, top + sum(rows) + 6, self.title, self.about)
        head = drawing.axes(0, 0, self.width, top)
        head.set(xlim=(0, self.width), ylim=(top, 0))
        for line, words in enumerate(title):
            head.text(8, HEAD * (line + 0.5), words, va="center", weight="bold", size=10)
        for line, entries in enumerate(reversed(legend)):
            self._draw(head, entries, top - LEGEND * (line + 0.5) - 4)
        for number, (name, own) in enumerate(panels.items()):
            row, column = divmod(number, self.columns)
            left = column * self.width / self.columns
            wide = self.width / self.columns - self.name - self.sums
            high = HEAD + self.line * len(own) + below
            axes = drawing.axes(left + self.name, top + sum(rows[:row]), wide, high)
            axes.set(xlim=(0, full), ylim=(len(own) + below / self.line, -HEAD / self.line))
            axes.text(0, -HEAD / self.line / 2, name, va="center", weight="bold", size=10)
            if self.scale:
                self._axis(axes, len(own), full)
            for at, bar in enumerate(own):
                self._bar(drawing, axes, at, bar, f"{name} {bar.name}")
        return drawing

    def _legend(self, every: list[Bar]) -> list[list[tuple[float, str, str]]]:
        """Lines of places, titles and colours; mark and whisker have none."""
        there = {part.title: part.colour for bar in every for part in bar.parts}
        order = [cause.title for cause in (*CAUSES, OTHER)]
        titles = sorted(there, key=lambda t: order.index(t) if t in order else len(order))
        if self.scale and any(bar.mark for bar in every):
            titles.append(self.scale.mark)
        if counts := sorted({len(bar.every) for bar in every if bar.every}):
            n = " or ".join(map(str, counts))
            titles.append(f"{WHISKER}lowest to highest of {n} {self.scale.orders}")
        lines, x = [[]], 8.0
        for title in titles:
            wide = 13 + 5.4 * len(title.removeprefix(WHISKER)) + 14
            if x + wide - 14 > self.width and lines[-1]:
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
            elif title.startswith(WHISKER):
                _whisker(axes, x, x + 9, y, 3)
            else:
                axes.plot([x + 4, x + 4], [y - 6, y + 6], color=MARK, linewidth=2)
            axes.text(x + 13, y, title.removeprefix(WHISKER), va="center_baseline")

    def _axis(self, axes: Axes, bars: int, full: float) -> None:
        """Lines across the panel at each step, and the values below."""
        unit = 14 / (axes.get_position().width * axes.figure.get_figwidth() * 72) * full
        for at in self.scale.steps(full):
            axes.plot([at, at], [0, bars + 0.15], color=GRID, linewidth=0.8, zorder=0)
            axes.text(at, bars + 0.55, f"{at:,.0f}", ha="center", va="center", size=8)
        axes.text(max(full, at + unit), bars + 0.55, self.scale.unit, va="center", size=8)

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
        if bar.every:
            _whisker(axes, min(bar.every), max(bar.every), middle, 0.16)
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


def _whisker(axes: Axes, low: float, high: float, y: float, half: float) -> None:
    """A line with ends, light around, so that it is seen on any part."""
    for colour, width in (("#ffffff", 2.8), (MARK, 1.0)):
        across = {"color": colour, "linewidth": width, "zorder": 5, "solid_capstyle": "butt"}
        axes.plot([low, high], [y, y], **across)
        for x in (low, high):
            axes.plot([x, x], [y - half, y + half], **across)


def by_cause(ticks: dict[str, float]) -> list[Part]:
    """A part for each cause whose owners own anything."""
    found = []
    for cause in (*CAUSES, OTHER):
        if value := sum(n for owner, n in ticks.items() if causes.of(owner) is cause):
            found.append(Part(cause.title, value, cause.colour))
    return found


def paths(of: Figures) -> list[Drawing]:
    """The client's path of each stack by cause, a column wide, with the paper's T_p where it has
    one."""
    found = []
    for stack, versions in of.path.items():
        bars = [
            Bar(version.upper(), by_cause(bar.parts), bar.paper, tuple(map(_sum, bar.orders)))
            for version, bar in versions.items()
        ]
        title = f"T_p by what the processor waits for, {of.stacks[stack]}"
        sums = (f"{bar.name} {bar.total:.1f}" for bar in bars)
        about = f"Stacked bars in µs: {', '.join(sums)}."
        scale = Scale("µs", "the paper's T_p", orders="link orders")
        chart = Chart(
            title, "{:,.1f}", "{:,.0f}", COLUMN, line=17, sums=78, scale=scale, about=about
        )
        found.append(chart.drawing({"client": bars}))
    return found


def _sum(parts: dict[str, float]) -> float:
    return sum(parts.values())
