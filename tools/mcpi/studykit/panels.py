# SPDX-License-Identifier: BSD-2-Clause
"""Panels of figures: as wide as a column of a printed page, and several in one drawing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing

COLUMN = 240  # pixels, points on paper: 84.7 mm, one of two columns
# Colours of curves: apart for each kind of colour vision, dark enough to be read as text.
CURVES = ("#000000", "#a06000", "#2e7d5b", "#6b3fa0")
MARK = "#b4451f"  # of places that a figure names
GRID = "#d5d9df"
LEFT, TOP, BELOW, RIGHT = 32, 34, 40, 10  # pixels around the axes


@dataclass(frozen=True)
class Panel:
    """``title``: above the axes. ``across``, ``up``: the axes' labels, with units. ``sample``: what
    the values are of, with n, and what whiskers are. ``about``: a sentence for those who cannot see
    it. ``draw``: puts the values there."""

    title: str
    across: str
    up: str
    sample: str
    about: str
    draw: Callable[[Axes], None]
    height: float = 190

    def drawing(self) -> Drawing:
        """The panel alone."""
        drawing = Drawing(COLUMN, self.height, self.title, self.about)
        self.put(drawing, 0, 0)
        return drawing

    def put(self, drawing: Drawing, left: float, top: float) -> None:
        """Draw it at a place in pixels."""
        wide, high = COLUMN - LEFT - RIGHT, self.height - TOP - BELOW
        axes = drawing.axes(left + LEFT, top + TOP, wide, high)
        axes.set_axis_on()
        self.draw(axes)
        outer = -(LEFT - 4) / wide
        axes.text(outer, 1 + 20 / high, self.title, transform=axes.transAxes, size=8.5)
        axes.text(outer, 1 + 7 / high, self.up, transform=axes.transAxes, size=7)
        axes.set_xlabel(f"{self.across}\n{self.sample}", size=7, labelpad=2)
        axes.tick_params(labelsize=7, length=2, pad=2)
        for edge in ("top", "right"):
            axes.spines[edge].set_visible(False)


def grid(panels: Sequence[Panel], across: int, title: str, about: str) -> Drawing:
    """Panels of one height in rows of so many."""
    high = panels[0].height
    drawing = Drawing(across * COLUMN, -(-len(panels) // across) * high, title, about)
    for n, panel in enumerate(panels):
        panel.put(drawing, n % across * COLUMN, n // across * high)
    return drawing
