# SPDX-License-Identifier: BSD-2-Clause
"""Sets of each cache over time: a mark where a block came, in the colour of its miss's class."""

import itertools

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from mcpi.analysis.profile import Profile
from mcpi.analysis.recording import CACHES, CLASSES, Recording
from mcpi.base.drawing import Drawing

WIDTH, LEFT, RIGHT, TOP, HEIGHT, GAP = 720, 62, 34, 62, 132, 44  # CSS pixels
COLUMNS, ROWS = 326, 64  # cells of a panel
COLOURS = dict(zip(CLASSES, ("#4c78a8", "#f2a65a", "#e45756", "#9d9d9d")))
TITLES = {"i": "I-cache", "d": "D-cache", "b": "b-cache"}


def svg(profile: Profile) -> str:
    """A panel for each cache; time is in ticks of the profile, without those in between."""
    recording = Recording(profile)
    whole = sum(tick.count for segment in profile.segments for tick in segment)
    drawing = Drawing(WIDTH, TOP + len(CACHES) * (HEIGHT + GAP))
    head = drawing.axes(0, 0, WIDTH, TOP)
    head.set_xlim(0, WIDTH)
    head.set_ylim(TOP, 0)
    head.text(8, 16, f"Misses of {profile.whose} by set, over {whole:,} ticks", weight="bold")
    for n, (name, colour) in enumerate(COLOURS.items()):
        head.text(LEFT + 90 * n, 34, f"■ {name}", color=colour)
    for n, cache in enumerate(CACHES):
        top = TOP + n * (HEIGHT + GAP)
        axes = drawing.axes(LEFT, top, WIDTH - LEFT - RIGHT, HEIGHT)
        _panel(axes, recording, cache, whole)
    return drawing.svg()


def cells(recording: Recording, cache: str, whole: int) -> dict[str, set[tuple[int, int]]]:
    """Column and row of the cells that have misses, by class."""
    profile = recording.profile
    sets = _sets(profile, cache)
    parts = list(_passed(profile))
    found: dict[str, set[tuple[int, int]]] = {name: set() for name in CLASSES}
    at = 0
    for miss in recording.misses:
        while at + 1 < len(parts) and miss.tick >= parts[at + 1][0]:
            at += 1
        start, before = parts[at]
        column = (before + miss.tick - start) * COLUMNS // whole
        number = miss.address // profile.block % sets
        if miss.cache == cache and miss.class_:
            found[miss.class_].add((column, number * min(sets, ROWS) // sets))
    return found


def _passed(profile: Profile) -> list[tuple[int, int]]:
    """The first tick of each segment, and the ticks of those before it."""
    lengths = (sum(tick.count for tick in segment) for segment in profile.segments)
    sums = itertools.accumulate(lengths, initial=0)
    return [(segment[0].first, before) for segment, before in zip(profile.segments, sums)]


def _sets(profile: Profile, cache: str) -> int:
    return profile.sizes[cache] // profile.block // profile.ways[cache]


def _panel(axes: Axes, recording: Recording, cache: str, whole: int) -> None:
    sets = _sets(recording.profile, cache)
    rows = min(sets, ROWS)
    axes.set_axis_on()
    axes.set_xlim(0, COLUMNS)
    axes.set_ylim(0, rows)
    misses = sum(1 for miss in recording.misses if miss.cache == cache and miss.class_)
    axes.set_title(f"{TITLES[cache]}: {misses:,} misses", loc="left", fontsize=9)
    axes.set_yticks([0, rows], ["0", f"{sets:,}"])
    axes.set_ylabel("set")
    axes.yaxis.set_label_coords(-0.05, 0.5)
    axes.set_xticks([0, COLUMNS], ["0", f"{whole:,}"])
    for name, found in cells(recording, cache, whole).items():
        if found:
            axes.add_patch(_marks(found, COLOURS[name]))


def _marks(found: set[tuple[int, int]], colour: str) -> PathPatch:
    boxes = [
        Path([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)]) for x, y in sorted(found)
    ]
    return PathPatch(Path.make_compound_path(*boxes), facecolor=colour, linewidth=0)
