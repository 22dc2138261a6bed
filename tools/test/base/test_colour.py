# SPDX-License-Identifier: BSD-2-Clause
"""Colours of drawings differ for every reader, and text on them can be read."""

from itertools import combinations

import pytest

from mcpi.base import colour
from mcpi.results.causes import CAUSES, OTHER, TRIP
from mcpi.studies.osdi94.drawings import BUS
from mcpi.studies.sigcomm96.figures import COLOURS
from mcpi.studies.tr9304 import figure1, footprint, histograms
from mcpi.studykit.panels import CURVES, MARK

CHART = [cause.colour for cause in (*CAUSES, OTHER)] + [BUS]
ROUND_TRIP = [cause.colour for cause in (*CAUSES, OTHER, *TRIP)]
HISTOGRAM = [histograms.BLUE, MARK, colour.BLACK]
WAYS = [figure1.BLUE, figure1.GREY, MARK, colour.BLACK]
FOOTPRINT = [footprint.OURS, footprint.REPORT]
ON_WHITE = {*CURVES, *HISTOGRAM, *WAYS, *FOOTPRINT}  # lines, marks and text without a ground
ENOUGH = 12  # ΔE of CIE76
READABLE = 4.5  # contrast


def alike(colours: list[str], vision: str) -> list[tuple[str, str]]:
    """Pairs that a reader with this vision takes for the same."""
    pairs = combinations(colours, 2)
    return [pair for pair in pairs if colour.difference(*pair, vision) < ENOUGH]


def test_the_rules() -> None:
    assert colour.difference("#000000", "#ffffff") == pytest.approx(100, abs=0.1)
    assert colour.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colour.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    for vision in colour.VISION:
        light = colour.seen("#808080", vision)
        assert light == pytest.approx((light[0],) * 3, abs=1e-4), "grey stays grey"
    blue_and_purple = ["#2563a8", "#7c5aa6"]
    assert not alike(blue_and_purple, "usual") and alike(blue_and_purple, "protan")


@pytest.mark.parametrize("vision", colour.VISION)
@pytest.mark.parametrize(
    "colours",
    [CHART, ROUND_TRIP, list(COLOURS.values()), CURVES, HISTOGRAM, WAYS, FOOTPRINT],
    ids=["causes", "round trip", "its legs", "curves", "histogram", "ways", "footprint"],
)
def test_any_two_colours_of_a_chart_differ(colours: list[str], vision: str) -> None:
    assert alike(colours, vision) == []


def test_text_in_a_part_can_be_read() -> None:
    low = {c: colour.contrast(c, colour.readable(c)) for c in CHART + ROUND_TRIP}
    assert min(low.values()) >= READABLE, low


def test_lines_and_text_on_white_can_be_read() -> None:
    low = {c: colour.contrast(c, colour.WHITE) for c in ON_WHITE}
    assert min(low.values()) >= READABLE, low
    assert colour.contrast("#888888", colour.WHITE) < READABLE
