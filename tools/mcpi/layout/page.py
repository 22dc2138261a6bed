# SPDX-License-Identifier: BSD-2-Clause
"""A self-contained HTML page: two variants' cache maps side by side (the paper's Figure 2)."""

from mcpi.base import template
from mcpi.layout import map_data
from mcpi.layout.cache_map import Geometry
from mcpi.layout.replay import Replay
from mcpi.layout.symbols import Traced

SHOWN = 12  # pairs of functions in a table


def page(stack: str, pair: list[tuple[Traced, Replay, Replay]], g: Geometry, command: str) -> str:
    """The whole page as text."""
    maps = map_data.of([t for t, _, _ in pair], [(i, b) for _, i, b in pair], g, SHOWN)
    titles = " and ".join(traced.variant.upper() for traced, _, _ in pair)
    title = f"{stack.upper()}: {titles} in the caches"
    return template.render(
        "layout/page.html", title=title, shown=map_data.drawn(maps), g=g, command=command
    )
