# SPDX-License-Identifier: BSD-2-Clause
"""The README's figure: what the processor spends a round trip's path on, for each version.

``mcpi.studykit.charts`` is imported where something is drawn: it brings matplotlib.
"""

from typing import TYPE_CHECKING

from mcpi.papers.sigcomm96 import STACKS, path
from mcpi.studies.sigcomm96.tables.common import VERSIONS
from mcpi.studykit.measured import Measured

if TYPE_CHECKING:
    from mcpi.studykit.charts import Bar

TITLE = "T_p: time of the client's processor for one round trip, by what it is spent on"
PAPER = "the paper's T_p"


def drawing(study: Measured) -> str:
    """SVG: a bar for each version, with the paper's time as a mark, a panel for each stack."""
    from mcpi.studykit.charts import Chart, Scale

    panels = {
        title: [
            _bar(stack, version, steady["client"])
            for version in VERSIONS
            if (steady := (study.result(stack, version) or {}).get("steady"))
        ]
        for stack, title in STACKS.items()
    }
    return Chart(
        TITLE,
        "{:,.1f}",
        inside="{:,.0f}",
        width=700,
        line=17,
        sums=86,
        scale=Scale(20, "µs", PAPER),
        about=_about(panels),
    ).draw(panels)


def _bar(stack: str, version: str, client: dict) -> "Bar":
    from mcpi.studykit.charts import Bar, Part, by_cause

    per_us = client["ticks"] / client["time_us"]
    parts = [Part(p.title, p.value / per_us, p.colour) for p in by_cause(client["owners"])]
    return Bar(version.upper(), parts, path(stack, version).get("time_us"))


def _about(panels: dict[str, list["Bar"]]) -> str:
    """The sums of the bars in words."""
    said = ["Stacked bars of T_p in µs, with the paper's value in brackets."]
    for title, bars in panels.items():
        sums = (
            f"{bar.name} {bar.total:.1f}" + ("" if bar.mark is None else f" ({bar.mark:.1f})")
            for bar in bars
        )
        said.append(f"{title}: {', '.join(sums)}.")
    return " ".join(said)
