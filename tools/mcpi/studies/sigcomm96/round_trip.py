# SPDX-License-Identifier: BSD-2-Clause
"""The README's figure: who owns the ticks of a whole round trip, for each version; and the study's
figures a column wide.

``mcpi.studykit.charts`` is imported where something is drawn: it brings matplotlib.
"""

from collections import Counter
from typing import TYPE_CHECKING

from mcpi.papers.sigcomm96 import STACKS
from mcpi.papers.sigcomm96 import round_trip as papers
from mcpi.results.causes import TRIP
from mcpi.studies.sigcomm96 import figures as page_figures
from mcpi.studies.sigcomm96.tables.common import VERSIONS
from mcpi.studykit.figures import orders
from mcpi.studykit.measured import Measured

if TYPE_CHECKING:
    from mcpi.base.drawing import Drawing
    from mcpi.studykit.charts import Bar

TITLE = "T_e: each tick of a round trip, by what the frame waits for on either machine"
PAPER = "the paper's T_e"


def drawing(study: Measured) -> str:
    """SVG: a bar for each version, with the paper's time as a mark, a panel for each stack."""
    return _drawing(study, TITLE, tuple(STACKS), 700).svg()


def figures(study: Measured) -> dict[str, list["Drawing"]]:
    """A column wide: each stack's client path, and its round trip."""
    from mcpi.studykit import charts

    of = page_figures.figures(study)
    trips = [_drawing(study, f"{TITLE}, {STACKS[s]}", (s,), 240) for s in of.trip] if of else []
    return {"": [*(charts.paths(of) if of else []), *trips]}


def _drawing(study: Measured, title: str, stacks: tuple[str, ...], width: float) -> "Drawing":
    from mcpi.studykit.charts import Chart, Scale

    panels = {
        STACKS[stack]: [
            _bar(study, stack, version, line, result["round_trip"]["ticks_per_us"])
            for version in VERSIONS
            if (line := (result := study.result(stack, version) or {}).get("time_line"))
        ]
        for stack in stacks
    }
    return Chart(
        title,
        "{:,.1f}",
        inside="{:,.0f}",
        width=width,
        line=17,
        sums=86,
        scale=Scale("µs", PAPER, 50 if width > 500 else 0, "link orders"),
        about=_about(panels),
    ).drawing(panels)


def _bar(study: Measured, stack: str, version: str, line: dict, per_us: int) -> "Bar":
    """Both machines' paths by cause, then the rest in the order of a frame's way."""
    from mcpi.studykit.charts import Bar, Part, by_cause

    trip = line["round_trips"] * per_us
    owned: Counter[str] = Counter()
    for owners in line["legs"].values():
        owned.update(owners)
    rest = [Part(c.title, sum(owned.pop(o, 0) for o in c.owners), c.colour) for c in TRIP]
    parts = [Part(p.title, p.value / trip, p.colour) for p in (*by_cause(owned), *rest) if p.value]
    every = tuple(one["mean_us"] for one in orders(study, stack, version))
    return Bar(version.upper(), parts, papers(stack, version).get("mean_us"), every)


def _about(panels: dict[str, list["Bar"]]) -> str:
    """The sums of the bars in words."""
    said = ["Stacked bars of T_e in µs, with the paper's value in brackets."]
    for title, bars in panels.items():
        sums = (
            f"{bar.name} {bar.total:.1f}" + ("" if bar.mark is None else f" ({bar.mark:.1f})")
            for bar in bars
        )
        said.append(f"{title}: {', '.join(sums)}.")
    return " ".join(said)
