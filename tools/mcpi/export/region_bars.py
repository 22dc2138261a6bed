# SPDX-License-Identifier: BSD-2-Clause
"""Costs of a program's regions as bars of ticks by owner."""

from mcpi.base.drawing import Drawing
from mcpi.results.program_summary import GROUPS
from mcpi.results.types import Result

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 720, 130, 90, 62, 30, 20  # CSS pixels
COLOURS = {
    "issue": "#4c78a8",
    "fetch": "#e45756",
    "branch": "#f2a65a",
    "load": "#b279a2",
    "store": "#72b7b2",
    "operand": "#9d9d9d",
    "device": "#54a24b",
    "idle": "#dddddd",
}
WORDS = {"operand": "operand of an instruction", "device": "device register"}


def svg(result: Result) -> str:
    """The client's regions, each a bar: ticks of a passage, in groups of owners that have one
    cause. The groups sum to the ticks."""
    regions = result.regions.client
    longest = max(one.ticks for one in regions.values())
    drawing = Drawing(WIDTH, TOP + ROW * len(regions) + 8)
    axes = drawing.axes(0, 0, WIDTH, TOP + ROW * len(regions) + 8)
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(TOP + ROW * len(regions) + 8, 0)
    axes.text(8, 18, f"{result.provenance.program}: ticks of a passage by owner", weight="bold")
    used = [g for g in GROUPS if any(_ticks(one.owners, g) for one in regions.values())]
    at = 8
    for group in used:
        axes.add_patch(_box(at, 32, 10, 10, group))
        axes.text(at + 14, 41, WORDS.get(group, group))
        at += 34 + 6 * len(WORDS.get(group, group))
    scale = (WIDTH - LEFT - RIGHT) / longest
    for n, (name, one) in enumerate(regions.items()):
        y, x = TOP + ROW * n, float(LEFT)
        axes.text(LEFT - 8, y + 14, name, ha="right")
        for group in used:
            width = _ticks(one.owners, group) * scale
            axes.add_patch(_box(x, y, width, BAR, group))
            x += width
        axes.text(x + 6, y + 14, f"{one.ticks:,.0f}")
    return drawing.svg()


def _ticks(owners: dict[str, float], group: str) -> float:
    return sum(owners.get(owner, 0) for owner in GROUPS[group])


def _box(x: float, y: float, width: float, height: float, group: str):
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, color=COLOURS[group], linewidth=0)
