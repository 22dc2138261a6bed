# SPDX-License-Identifier: BSD-2-Clause
"""Variants in the caches as data for pages; ``maps.html`` prints it."""

from mcpi.layout import cache_map
from mcpi.layout.cache_map import Geometry
from mcpi.layout.replay import Replay
from mcpi.layout.symbols import Traced


def of(traced: list[Traced], replayed: list[tuple[Replay, Replay]], g: Geometry, most: int) -> dict:
    """``colours``, ``library``; of each variant the maps, and ``most`` pairs of functions that
    drive each other out. ``replayed``: I-cache and b-cache of each."""
    names = list(dict.fromkeys(name for t in traced for name in t.called()))
    library = sorted(frozenset().union(*(t.library for t in traced)) & set(names))
    found = {"colours": cache_map.colours(names), "library": library, "variants": []}
    for t, (icache, bcache) in zip(traced, replayed, strict=True):
        both = cache_map.both(t, g)
        one = {
            "variant": t.variant,
            "layout": t.layout,
            "instructions": len(t.invocations[-1]),
            "blocks": len({s.pc // g.block for s in t.invocations[-1]}),
            "i_misses": round(icache.misses, 1),
            "b_misses": round(bcache.misses, 1),
            "meet": _pairs(icache, most),
            "meet_b": _pairs(bcache, most),
            "code": cache_map.code(t, icache, g).record(),
            "both": both and both.record(),
        }
        found["variants"].append(one)
    return found


def _pairs(replay: Replay, most: int) -> list[list]:
    return [[a, b, round(n, 1)] for (a, b), n in replay.pairs.most_common(most)]


def drawn(maps: dict) -> dict:
    """The same with SVG in the place of the maps."""
    from mcpi.layout.draw import draw

    def svg(map_: dict | None) -> str:
        return draw(cache_map.Map(**map_), maps["colours"]) if map_ else ""

    variants = [one | {k: svg(one[k]) for k in ("code", "both")} for one in maps["variants"]]
    return maps | {"variants": variants}
