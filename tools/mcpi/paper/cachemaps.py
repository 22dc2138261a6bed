# SPDX-License-Identifier: BSD-2-Clause
"""The paper's Figure 2 from the images of the study: caches as maps of sets, by function."""

from collections import Counter
from xml.etree import ElementTree

from mcpi.layout import maps, replay
from mcpi.layout.placed import DATA
from mcpi.machine import Machine
from mcpi.model import traced
from mcpi.model.recording import Recording
from mcpi.paper.html import Element, e
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

PAIRS = (("std", "out"), ("clo", "bad"), ("pin", "all"))
SHOWN = 5  # pairs of functions that meet


def of(recordings: list[Recording], machine: Machine) -> dict[str, dict]:
    """By stack: ``names``, ``library``, ``colours``; by variant the maps and what they show."""
    caches = machine.parameters
    g = maps.Geometry(caches["icache.size"], caches["bcache.size"], caches["cache.block"])
    found: dict[str, dict] = {}
    paths: dict[str, list] = {}
    for made in recordings:
        paths.setdefault(made.record.stack, []).append(traced.traced(made))
    for stack, all_ in paths.items():
        wanted = [t for t in all_ if any(t.variant in pair for pair in PAIRS)]
        names = list(dict.fromkeys(name for t in wanted for name in t.called()))
        colour = maps.colours(names) | {DATA: "#8a8a8a"}
        library = sorted(frozenset().union(*(t.library for t in wanted)) & set(names))
        own = found.setdefault(stack, {"colours": colour, "library": library, "variants": {}})
        for t in wanted:
            icache, bcache = replay.replay(t, g.icache, g.bcache, g.block)
            own["variants"][t.variant] = {
                "layout": t.layout,
                "instructions": len(t.invocations[-1]),
                "blocks": len({s.pc // g.block for s in t.invocations[-1]}),
                "i_misses": round(icache.misses, 1),
                "b_misses": round(bcache.misses, 1),
                "meet": _most(icache.pairs),
                "code": maps.code(t, icache, g, colour),
                "both": maps.both(t, g, colour),
            }
    return found


def _most(pairs: Counter) -> list[list]:
    return [[a, b, round(n, 1)] for (a, b), n in pairs.most_common(SHOWN)]


def sections(study: Study) -> list[Element]:
    """What the page shows of ``study.record["maps"]``."""
    return [
        _stack(STACKS[stack], own) for stack, own in study.record.get("maps", {}).items() if own
    ]


def _stack(title: str, own: dict) -> Element:
    shown = []
    for pair in PAIRS:
        there = [v for v in pair if v in own["variants"]]
        if there:
            columns = [_one(v.upper(), own["variants"][v]) for v in there]
            shown.append(e("div", *columns, class_="two"))
    swatches = [
        e(
            "li",
            e("i", style=f"background:{colour}"),
            e("b", name) if name in own["library"] else name,
        )
        for name, colour in own["colours"].items()
        if name != DATA
    ]
    legend = e(
        "details",
        e("summary", "Functions in call order; bold: library, called more than once"),
        e("ol", *swatches, class_="functions"),
    )
    return e("section", e("h3", f"{title}: the path in the caches"), *shown, legend)


def _one(name: str, one: dict) -> Element:
    said = (
        f"{one['instructions']:,} instructions in {one['blocks']} blocks; "
        f"{one['i_misses']:.0f} i-cache and {one['b_misses']:.0f} b-cache misses an invocation"
    )
    meet = ", ".join(f"{a} by {b} ({n:g})" for a, b, n in one["meet"])
    return e(
        "div",
        e("h4", f"{name} ({one['layout']})"),
        e("p", said),
        e("p", "i-cache", class_="which"),
        _svg(one["code"]),
        e("p", "b-cache: code and data (grey); framed: a set that two blocks want", class_="which"),
        _svg(one["both"]),
        e("p", f"Driven out: {meet}.", class_="meet") if meet else None,
    )


def _svg(text: str) -> Element:
    if not text.startswith("<svg"):
        return ElementTree.fromstring(text)
    return ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
