# SPDX-License-Identifier: BSD-2-Clause
"""A drawing of the pipeline: a row for each instruction, a box for each stage, a column a tick."""

from collections.abc import Iterable
from xml.etree import ElementTree

from mcpi.results.summary import OWNERS
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.pipeline import STAGES, Passage

SVG = "http://www.w3.org/2000/svg"
LEFT, TOP, TICK, ROW = 330, 62, 11, 17  # CSS pixels
STEP = 10  # ticks between two numbers of the axis
COLOURS = dict(zip(STAGES, ("#c6dbef", "#9ecae1", "#4c78a8", "#54a24b", "#74c476", "#a1d99b",
                            "#9d9d9d"), strict=True))  # fmt: skip
WAITS = {"F2": "#e45756", "D": "#f2a65a"}
LEGEND = {**COLOURS, "waits in F2": WAITS["F2"], "waits in D": WAITS["D"]}
ElementTree.register_namespace("", SVG)


def svg(title: str, passages: Iterable[Passage], code: Disassembly) -> str:
    """All of ``passages``. A box says in words what it is when pointed at."""
    rows = list(passages)
    first = rows[0].enters["F1"] if rows else 0
    last = max((one.exit_tick for one in rows), default=0)
    width, height = LEFT + (last - first) * TICK + 12, TOP + ROW * len(rows) + 8
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    root = ElementTree.Element(f"{{{SVG}}}svg", size)
    root.set("font-family", "DejaVu Sans, Verdana, sans-serif")
    root.set("font-size", "10")
    box(root, 0, 0, width, height, "#ffffff")
    text(root, 8, 16, title).set("font-weight", "bold")
    at = 8
    for name, colour in LEGEND.items():
        box(root, at, 26, 9, 9, colour)
        text(root, at + 12, 34, name)
        at += 24 + 7 * len(name)
    for tick in range(-(-first // STEP) * STEP, last, STEP):
        x = LEFT + (tick - first) * TICK
        box(root, x, TOP - 4, 1, height - TOP, "#e5e5e5")
        if tick % (2 * STEP) == 0:
            text(root, x + 2, TOP - 6, f"{tick:,}")
    for n, one in enumerate(rows):
        _row(root, TOP + ROW * n, first, one, code)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _row(root: ElementTree.Element, y: int, first: int, one: Passage, code: Disassembly) -> None:
    text(root, 8, y + 11, code.name(one.pc))
    text(root, 170, y + 11, code.text(one.pc)[:26])
    ends = [*list(one.enters.values())[1:], one.exit_tick]
    why = ", ".join(f"{OWNERS.get(owner, owner)} {n}" for owner, n in one.waits.most_common())
    for (stage, start), end in zip(one.enters.items(), ends, strict=True):
        # In D it is decoded in its first tick; F2 has its word in the last.
        own = start if stage != "F2" else end - 1
        for begin, until, colour in (
            (start, own, WAITS.get(stage)),
            (own, own + 1, COLOURS[stage]),
            (own + 1, end, WAITS.get(stage)),
        ):
            if until > begin:
                x, width = LEFT + (begin - first) * TICK, (until - begin) * TICK
                drawn = box(root, x + 0.5, y, width - 1, ROW - 4, colour)
                said = f"{stage}, tick {begin:,}" + (f" to {until - 1:,}" if width > TICK else "")
                waits = colour == WAITS.get(stage) and why
                ElementTree.SubElement(drawn, f"{{{SVG}}}title").text = (
                    f"{said}: {why}" if waits else said
                )


def box(root, x: float, y: float, width: float, height: float, colour: str) -> ElementTree.Element:
    """A rectangle."""
    size = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}"}
    return ElementTree.SubElement(root, f"{{{SVG}}}rect", size | {"fill": colour})


def text(root, x: float, y: float, words: str) -> ElementTree.Element:
    """A line of text whose left end is at ``x``."""
    found = ElementTree.SubElement(root, f"{{{SVG}}}text", {"x": f"{x:g}", "y": f"{y:g}"})
    found.text = words
    return found
