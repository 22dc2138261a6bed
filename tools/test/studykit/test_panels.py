# SPDX-License-Identifier: BSD-2-Clause
"""Panels: the figure standard's check finds what breaks it."""

import dataclasses

import pytest
from tools_support import figure_standard

from mcpi.studykit.panels import Panel, grid

PANEL = Panel(
    "Figure 1: a line",
    "pages",
    "ticks",
    "n = 3 boots",
    "Ticks by pages: 1: 2, 2: 3.",
    lambda axes: axes.plot([1, 2], [2, 3]),
)


def test_a_panel_keeps_the_standard() -> None:
    figure_standard.check([PANEL.drawing()])
    figure_standard.check_axes([PANEL.drawing()], "ticks")
    assert PANEL.drawing().svg() == PANEL.drawing().svg()
    assert PANEL.drawing().pdf() == PANEL.drawing().pdf(), "the same bytes"


@pytest.mark.parametrize(
    "more",
    [{"about": ""}, {"title": "Figure 1: " + "long " * 20}, {"across": "pages " * 12}],
)
def test_what_breaks_the_standard_is_found(more: dict[str, str]) -> None:
    with pytest.raises((AssertionError, AttributeError)):
        figure_standard.check([dataclasses.replace(PANEL, **more).drawing()])


def test_an_axis_without_n_is_found() -> None:
    with pytest.raises(AssertionError):
        figure_standard.check_axes([dataclasses.replace(PANEL, sample="").drawing()], "ticks")


def test_two_figures_of_one_title_are_found() -> None:
    with pytest.raises(AssertionError):
        figure_standard.check([PANEL.drawing(), PANEL.drawing()])


def test_a_grid_has_all_panels() -> None:
    other = dataclasses.replace(PANEL, title="Figure 2: another")
    drawing = grid([PANEL, other, PANEL], 2, "Both", "Three panels.")
    assert (drawing.width, drawing.height) == (480, 2 * PANEL.height)
    assert drawing.svg().count("Figure 1: a line") == 2 and "Figure 2: another" in drawing.svg()
