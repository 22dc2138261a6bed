# SPDX-License-Identifier: BSD-2-Clause
"""Stacked bars: ticks of every version by owner, a round trip by part."""

from dataclasses import dataclass

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.results import causes
from mcpi.results.causes import CAUSES, OTHER
from mcpi.results.summary import OWNERS
from mcpi.study.cell import Table

LINE, NAME, SUM, HEAD, LEGEND = 22, 66, 52, 20, 18  # pixels
DIGIT = 5.5  # pixels, of a figure inside its part


@dataclass(frozen=True)
class Part:
    """``value`` in the chart's unit; ``group``: of the legend."""

    title: str
    value: float
    group: str
    colour: str


@dataclass(frozen=True)
class Bar:
    """``marks``: the paper's values, by name. ``why`` there are no parts."""

    name: str
    parts: list[Part]
    marks: dict[str, float]
    why: str = ""

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


def by_owner(ticks: dict[str, float]) -> list[Part]:
    """A part for each owner that owns anything, owners of a group side by side."""
    order = [o for cause in CAUSES for o in cause.owners]
    order += [o for o in OWNERS if o not in order]
    return [
        Part(f"{o}: {OWNERS.get(o, '')}", ticks[o], causes.of(o).title, causes.colour(o))
        for o in order
        if ticks.get(o)
    ]


def by_group(ticks: dict[str, float]) -> list[Part]:
    """The same with one part for each group."""
    parts: dict[str, Part] = {}
    for part in by_owner(ticks):
        one = parts.setdefault(part.group, Part(part.group, 0, part.group, part.colour))
        parts[part.group] = Part(one.title, one.value + part.value, one.group, one.colour)
    return list(parts.values())


def bars(table: Table, parts, marks) -> dict[str, list[Bar]]:
    """Of a table with stack and version as labels: the bars of each stack. ``parts`` of a row's
    values by column; ``marks`` of its labels."""
    panels: dict[str, list[Bar]] = {}
    for row in table.rows:
        values = {key: cell.ours for key, cell in row.cells.items() if cell.ours is not None}
        why = (row.reasons or ["not measured"])[0]
        bar = Bar(row.labels[-1], parts(values), marks(*row.labels), why)
        panels.setdefault(row.labels[0], []).append(bar)
    return panels


def chart(
    panels: dict[str, list[Bar]], form: str, width: float = 900, columns: int = 1, title: str = ""
) -> str:
    """SVG. ``form``: how a value is printed; panels stand in so many ``columns``."""
    every = [bar for one in panels.values() for bar in one]
    full = max((max(bar.total, *bar.marks.values(), 0) for bar in every), default=0) * 1.02 or 1
    heights = [HEAD + LINE * len(one) for one in panels.values()]
    rows = [max(heights[i : i + columns]) for i in range(0, len(heights), columns)]
    top = LEGEND + 6 + (HEAD if title else 0)
    drawing = Drawing(width, top + sum(rows) + 6)
    head = drawing.axes(0, 0, width, top)
    head.set(xlim=(0, width), ylim=(top, 0))
    if title:
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
    groups: dict[str, str] = {}
    for part in (part for bar in every for part in bar.parts):
        groups.setdefault(part.group, part.colour)
    marks = list(dict.fromkeys(name for bar in every for name in bar.marks))
    order = [cause.title for cause in (*CAUSES, OTHER) if cause.title in groups]
    x = 8.0
    for title in order or groups:
        axes.barh(y, 9, left=x, height=9, color=groups[title])
        axes.text(x + 13, y, title, va="center_baseline")
        x += 13 + 4.7 * len(title) + 16
    if marks:
        axes.barh(y, 2, left=x, height=12, color="black")
        axes.text(x + 8, y, f"the paper's {' and '.join(marks)}", va="center_baseline")


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
    for what, value in bar.marks.items():
        gid = drawing.says([f"the paper's {what}: {value:g}"], "mark", name)
        axes.barh(middle, 0.002 * full, 1.0, value, color="black", clip_on=False, gid=gid)
    if bar.parts:
        end = full if bar.marks else left
        axes.text(end + 0.01 * full, middle, form.format(bar.total), va="center")
    else:
        axes.text(0, middle, bar.why, va="center", style="italic")
