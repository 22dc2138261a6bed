# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: the claims, then histograms, tables and what each probe's ticks were."""

from mcpi.base.drawing import Drawing
from mcpi.base.progress import counted
from mcpi.studies.tr9304 import figure1, footprint, histograms, values
from mcpi.studies.tr9304.left_open import queues
from mcpi.studies.tr9304.plan import MACHINE, TITLES
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

TITLE = "UDP receive, caches and TLBs"
PARTS = [
    ("", ("claims",)),
    ("The paper's tables", ("table1", "table2", "table3", "table4")),
    (
        "Where the ticks went",
        ("causes", "evicted", "steps", "saturation", "footprint", "entries", "page_sizes", "forces")
        + ("spread",),
    ),
    ("What the report leaves open", ("mixtures", "queues", "layers", "domains")),
    ("Every configuration", ("others", "drops", "messages", "owners", "places", "distances")),
]


def page(study: Measured, tables: list[Table]) -> str:
    there = {table.key: drawn for table in tables if (drawn := table.drawn()).rows}
    return common.page(
        TITLE,
        study,
        [(heading, [there[k] for k in keys if k in there]) for heading, keys in PARTS],
        answers=answers(study),
        lead=_lead(study),
        drawings=figures(study),
    )


def figures(study: Measured) -> dict[str, list[Drawing]]:
    """Drawings by heading, each a column wide."""
    found = {
        "Footprint of Mach's server": [footprint.panel(study).drawing()],
        "The queue's length": [queues.panel(study).drawing()],
        figure1.TITLE: figure1.drawings(),
    }
    for title, panels in histograms.panels(study).items():
        found[title] = [panel.drawing() for panel in panels]
    return found


def answers(study: Measured) -> list[str]:
    """For each gap, what a word of an mbuf costs in each system."""
    said = []
    for gap in (20, 0):
        parts = []
        for system, title in TITLES.items():
            try:
                own = values.cycles_a_word(values.of(study, f"{system}-{gap}"))
            except Missing:
                continue
            parts.append(f"{title} {own:.2f}")
        if parts:
            said.append(f"Overhead in ticks a word, {gap} ms between messages: {', '.join(parts)}.")
    return said


def _lead(study: Measured) -> str:
    extent = study.record["extent"]
    return (
        "TR 93-04 asks where the bytes of a received UDP message are when the reader copies them. "
        f"These are its three systems and the x-kernel on {MACHINE}: "
        f"{counted(extent['samples']['udp'], 'run')} of {extent['round_trips']} messages each."
    )
