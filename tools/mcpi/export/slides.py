# SPDX-License-Identifier: BSD-2-Clause
"""Your packet, tick by tick: two pages for a projector, made by a traced round trip.

The first page is the time line of the round trip on both machines and the wire, the second the
instructions with which it begins, in the pipeline. Both are SVG in one HTML file, which prints as
two pages.
"""

import html
from collections import Counter
from collections.abc import Iterable
from xml.etree import ElementTree

from mcpi.export import pipeline_drawing
from mcpi.export.pipeline_drawing import SVG, box, text
from mcpi.results import causes, trip_table
from mcpi.results.round_trip_owners import LEGS, Legs, Stretch
from mcpi.results.summary import OWNERS
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.pipeline import Passage

WIDTH, HEIGHT, MARGIN = 1280, 720, 40  # CSS pixels of a page
LEFT, LANE, TALL, TOP = 130, 104, 60, 96
LANES = ("client", "wire", "server")
STEP = 50  # µs between two numbers of the axis
LARGEST = 12  # owners that the table has by name
TICKS = 84  # of the second page
SAID = {
    "client_send": "client: down the stack",
    "request": "the request travels",
    "server": "server: up and down",
    "reply": "the reply travels",
    "client_receive": "client: up the stack",
}
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
@page {{ size: 1280px 720px; margin: 0 }}
body {{ margin: 0; background: #ffffff; color: #101418; font-family: "DejaVu Sans", sans-serif }}
section {{ width: 100vw; max-width: calc(100vh * 16 / 9); margin: auto; break-after: page }}
section svg {{ display: block; width: 100%; height: auto }}
</style>
</head>
<body>
{pages}
</body>
</html>
"""


def page(title: str, trip: Legs, ticks_per_us: int, rows: Iterable[Passage], code: Disassembly,
         command: str) -> str:  # fmt: skip
    """Both pages. ``trip``: the time line; ``rows``: instructions of the client, in order;
    ``command``: the words that make the pages again."""
    first = _time_line(title, trip, ticks_per_us, command)
    second = _pipeline(rows, code, command)
    pages = "\n".join(f"<section>\n{one}</section>" for one in (first, second))
    return PAGE.format(title=html.escape(title), pages=pages)


def _page(title: str, about: str, command: str) -> ElementTree.Element:
    root = ElementTree.Element(f"{{{SVG}}}svg", {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img"})
    root.set("aria-label", about)
    root.set("font-family", "DejaVu Sans, Verdana, sans-serif")
    root.set("font-size", "15")
    box(root, 0, 0, WIDTH, HEIGHT, "#ffffff")
    head = text(root, MARGIN, 46, title)
    head.set("font-size", "26")
    head.set("font-weight", "bold")
    text(root, MARGIN, HEIGHT - 18, command).set("font-size", "12")
    return root


def _time_line(title: str, trip: Legs, per_us: int, command: str) -> str:
    stretches = [one for _, leg in trip for one in leg if one.end > one.start]
    start, end = stretches[0].start, stretches[-1].end
    scale = (WIDTH - LEFT - MARGIN) / (end - start)
    about = f"{(end - start) / per_us:.1f} µs by owner, on both machines and the wire."
    root = _page(title, about, command)
    for n, lane in enumerate(LANES):
        y = TOP + LANE * n
        text(root, MARGIN, y + TALL / 2 + 6, lane).set("font-weight", "bold")
        box(root, LEFT, y, WIDTH - LEFT - MARGIN, TALL, "#f3f4f6")
    for us in range(0, int((end - start) / per_us) + 1, STEP):
        x = LEFT + us * per_us * scale
        box(root, x, TOP - 8, 1, LANE * len(LANES) - 8, "#c9ced6")
        text(root, x + 4, TOP - 12, f"{us} µs")
    for one in stretches:
        _stretch(root, one, start, scale)
    _legs(root, trip, start, scale, per_us)
    _owners(root, stretches, per_us)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _stretch(root: ElementTree.Element, one: Stretch, start: int, scale: float) -> None:
    """The ticks of a stretch, owner by owner, where it is; they sum to its length."""
    x, y = LEFT + (one.start - start) * scale, TOP + LANE * LANES.index(one.where)
    for owner, ticks in sorted(one.owners.items()):
        drawn = box(root, x, y, ticks * scale, TALL, causes.colour(owner))
        ElementTree.SubElement(drawn, f"{{{SVG}}}title").text = f"{_words(owner)}: {ticks:,} ticks"
        x += ticks * scale


def _legs(root: ElementTree.Element, trip: Legs, start: int, scale: float, per_us: int) -> None:
    """A bracket below the lanes for each leg, with its µs."""
    y = TOP + LANE * len(LANES) - 8
    for name in LEGS:
        leg = [one for one in dict(trip)[name] if one.end > one.start]
        low, high = leg[0].start, leg[-1].end
        x, width = LEFT + (low - start) * scale, (high - low) * scale
        box(root, x + 1, y, max(width - 2, 1), 3, "#101418")
        number = text(root, x + width / 2, y + 24, f"{(high - low) / per_us:.1f} µs")
        number.set("font-weight", "bold")
        said = text(root, x + width / 2, y + 42, SAID[name])
        said.set("font-size", "12")
        for one in (number, said):
            one.set("text-anchor", "middle")


def _owners(root: ElementTree.Element, stretches: list[Stretch], per_us: int) -> None:
    """The largest owners, in two columns, and the rest as one; they sum to the round trip."""
    owned: Counter[str] = Counter()
    for one in stretches:
        owned.update(one.owners)
    whole, largest = owned.total(), owned.most_common(LARGEST - 1)
    rows = [(causes.colour(owner), owner, _words(owner), ticks) for owner, ticks in largest]
    rest = whole - sum(ticks for _, ticks in largest)
    rows += [("#ffffff", "others", "all other owners", rest)] if rest else []
    top, lines = TOP + LANE * len(LANES) + 72, LARGEST // 2
    for n, (fill, name, words, ticks) in enumerate(rows):
        x, y = MARGIN + n // lines * 610, top + n % lines * 26
        box(root, x, y - 14, 16, 16, fill).set("stroke", "#6b7280")
        text(root, x + 26, y, name).set("font-weight", "bold")
        text(root, x + 212, y, words).set("font-size", "13")
        for at, value in ((535, f"{ticks / per_us:.1f} µs"), (585, f"{ticks / whole:.0%}")):
            text(root, x + at, y, value).set("text-anchor", "end")
    sums = f"Every tick has one owner: {whole:,} ticks, {whole / per_us:.1f} µs in all."
    sums += " Owners of a piece of code stand side by side in it."
    text(root, MARGIN, top + lines * 26 + 10, sums).set("font-weight", "bold")


def _pipeline(rows: Iterable[Passage], code: Disassembly, command: str) -> str:
    chosen: list[Passage] = []
    for row in rows:
        if chosen and row.exit_tick - chosen[0].enters["F1"] > TICKS:
            break
        chosen.append(row)
    root = _page("Its first instructions, tick by tick", "The pipeline of the client.", command)
    drawing = ElementTree.fromstring(pipeline_drawing.svg("", chosen, code))
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    scale = min((WIDTH - MARGIN) / width, (HEIGHT - 350) / height)
    drawing.set("x", str(MARGIN // 2))
    drawing.set("y", "64")
    drawing.set("width", f"{width * scale:g}")
    drawing.set("height", f"{height * scale:g}")
    root.append(drawing)
    waits: Counter[str] = Counter()
    for row in chosen:
        waits.update(row.waits)
    ticks = chosen[-1].exit_tick - chosen[0].enters["F1"] if chosen else 0
    said = [
        "Each row is an instruction, each column a tick: one instruction leaves D a tick, at best.",
        f"Here {len(chosen)} instructions take {ticks} ticks. The ticks without one belong to",
        *(f"    {_words(owner)}: {n}" for owner, n in waits.most_common(5)),
    ]
    for n, line in enumerate(said):
        text(root, MARGIN, 64 + height * scale + 44 + 30 * n, line).set("font-size", "20")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _words(owner: str) -> str:
    return OWNERS.get(owner) or trip_table.WORDS[owner]
