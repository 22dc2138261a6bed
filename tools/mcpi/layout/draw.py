# SPDX-License-Identifier: BSD-2-Clause
"""Draws a map of a cache (``mcpi.layout.cache_map``)."""

from matplotlib.collections import PolyCollection

from mcpi.base.drawing import Drawing
from mcpi.layout.cache_map import CLASH, CODE, GAP, Map

CELL, ROW, LEFT, BAR, FOOT = 2.5, 12, 74, 36, 20  # pixels: a set, a row, labels, bars, sets
GREY, RED = "#e0e0e0", "#b03030"


def draw(map_: Map, colour: dict[str, str]) -> str:
    """SVG. Each function is a group with its name, so that a page can make it stand out."""
    width, height = CELL * map_.sets, ROW * len(map_.rows)
    under = BAR + 8 if map_.misses else 0
    drawing = Drawing(LEFT + width + 10, height + under + FOOT)
    axes = drawing.axes(LEFT, 4, width, height)
    axes.set(xlim=(0, map_.sets), ylim=(len(map_.rows), 0))
    for row, address in enumerate(map_.rows):
        axes.text(-2, row + 0.5, address, ha="right", va="center", family="monospace")
    groups: dict[tuple[str, str], list] = {}
    for row, at, sets, kind, name, said in map_.spans:
        key = (kind, name if kind == CODE else "")
        groups.setdefault(key, []).append((_box(at, row, sets, 1 - 1 / ROW), said))
    kinds = [GAP, CODE, CLASH]
    for (kind, name), boxes in sorted(groups.items(), key=lambda one: kinds.index(one[0][0])):
        face = {CODE: colour.get(name, "#999999"), GAP: GREY, CLASH: "none"}[kind]
        axes.add_collection(_boxes(drawing, boxes, face, kind, name), autolim=False)
    if map_.misses:
        _misses(drawing, map_, width, height + 8)
    for at in range(0, map_.sets + 1, map_.sets // 4):
        axes.annotate(
            str(at),
            (at / map_.sets, 0),
            (0, -under - 6),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            va="top",
        )
    return drawing.svg()


def _misses(drawing: Drawing, map_: Map, width: float, top: float) -> None:
    axes = drawing.axes(LEFT, top, width, BAR)
    most = max(n for _, n in map_.misses)
    axes.set(xlim=(0, map_.sets), ylim=(0, most))
    axes.text(-2, most, f"{most:.0f} misses", ha="right", va="top")
    boxes = [
        (_box(at, 0, 1, n), f"set {at}: {n:.1f} misses an invocation") for at, n in map_.misses
    ]
    axes.add_collection(_boxes(drawing, boxes, RED, "misses", ""), autolim=False)


def _box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _boxes(drawing: Drawing, boxes: list, face: str, kind: str, name: str) -> PolyCollection:
    return PolyCollection(
        [box for box, _ in boxes],
        facecolor=face,
        edgecolor="#d00000" if kind == CLASH else "none",
        linewidth=1.2 if kind == CLASH else 0,
        clip_on=False,
        gid=drawing.says([said for _, said in boxes], kind, name),
    )
