# SPDX-License-Identifier: BSD-2-Clause
"""A flame graph of a path's calls: the outermost function at the top, as wide as its ticks."""

from collections.abc import Iterator

from mcpi.analysis import calls
from mcpi.analysis.attribution import ISSUE, Cost
from mcpi.analysis.profile import Profile
from mcpi.base.template import render

WIDTH, TOP, ROW = 1200, 40, 17  # CSS pixels
LETTER = 6.2  # of a label, on the average
LEGEND = "Redder: more of the ticks in which nothing issues. Point at a box for its figures."


def svg(profile: Profile, owner: str = "") -> str:
    """The drawing; of one owner's ticks, if it is given."""
    costs, _ = calls.stacks(profile)
    below: dict[calls.Stack, Cost] = {}
    for stack, cost in costs.items():
        for depth in range(len(stack) + 1):
            below.setdefault(stack[:depth], Cost()).add(cost)
    boxes = list(_boxes(profile, below, owner))
    height = TOP + ROW * max((box["depth"] for box in boxes), default=0) + 4
    title = f"{profile.whose}: {owner or 'all'} ticks of an invocation"
    return render(
        "export/flame.svg", width=WIDTH, height=height, title=title, legend=LEGEND, boxes=boxes
    )


def _boxes(profile: Profile, below: dict[calls.Stack, Cost], owner: str) -> Iterator[dict]:
    def ticks(stack: calls.Stack) -> int:
        return below[stack].ticks[owner] if owner else below[stack].total

    scale = WIDTH / ticks(())
    places = {(): 0.0}  # the left edge of what comes next below each stack
    for stack in sorted(below):
        if not stack or not ticks(stack):
            continue
        x, width = places[stack[:-1]], ticks(stack) * scale
        places[stack], places[stack[:-1]] = x, x + width
        fits = int((width - 6) / LETTER)
        stalled = 1 - below[stack].ticks[ISSUE] / below[stack].total
        mean = ticks(stack) / profile.invocations
        yield {
            "depth": len(stack),
            "x": round(x, 2),
            "y": TOP + ROW * (len(stack) - 1),
            "width": round(width, 2),
            "fill": f"hsl(20 {round(90 * stalled)}% {round(88 - 28 * stalled)}%)",
            "label": _label(stack[-1], fits),
            "says": f"{stack[-1]}: {mean:,.1f} ticks of {ticks(()) / profile.invocations:,.1f} "
            f"({100 * ticks(stack) / ticks(()):.1f} %), {100 * stalled:.0f} % without an issue",
        }


def _label(name: str, fits: int) -> str:
    """So many letters of it at most."""
    if len(name) <= fits:
        return name
    return f"{name[: fits - 1]}…" if fits > 3 else ""
