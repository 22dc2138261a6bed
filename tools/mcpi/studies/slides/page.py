# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: what the gap does to the techniques, then machines, latencies and wires."""

from typing import TYPE_CHECKING

from mcpi.base.progress import counted
from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.slides.figures import ratio
from mcpi.studies.slides.plan import BASE, BEST, MACHINES, NEW, OLD, VERSIONS, at
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.figures import Figures, path_bar
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import tp

if TYPE_CHECKING:
    from mcpi.base.drawing import Drawing

TITLE = "The machine that came next"


def page(study: Measured, tables: list[Table]) -> str:
    """The whole page; what the study was not asked for is not in it."""
    there = {table.key: drawn for table in tables if (drawn := table.drawn()).rows}
    parts = [
        ("", ("claims", "predictions")),
        ("The machines", ("machines", "cpi_owners")),
        ("Latency and wire", ("latency", "settings", "wires")),
    ]
    return common.page(
        TITLE,
        study,
        [(heading, [there[k] for k in keys if k in there]) for heading, keys in parts],
        stacks=STACKS,
        answers=answers(study),
        lead=_lead(study),
        figures=paths(study),
    )


def answers(study: Measured) -> list[str]:
    """For each stack what the best version is worth on both machines."""
    said = []
    for stack, title in STACKS.items():
        try:
            old, new = (ratio(tp)(study, at(m, stack), BASE, BEST) for m in (OLD, NEW))
        except Missing:
            continue
        more = "more" if new > old else "not more"
        said.append(
            f"{title}: {BASE.upper()}'s path takes {old:.2f} times as long as {BEST.upper()}'s on "
            f"{OLD}, {new:.2f} times on {NEW}: the techniques are worth {more}."
        )
    return said


def _lead(study: Measured) -> str:
    extent = study.record["extent"]
    return (
        "The talk on the SIGCOMM '96 paper says that memory falls further behind the processor, "
        "and names the machine that comes next. These are all versions on that machine and its "
        f"neighbours, {', '.join(MACHINES)}; {counted(extent['round_trips'], 'round trip')} each. "
        f"{common.fitted(study)}"
    )


def figures(study: Measured) -> dict[str, list["Drawing"]]:
    """The same a column wide."""
    from mcpi.studykit import charts  # brings matplotlib

    return {"": charts.paths(of) if (of := paths(study)) else []}


def paths(study: Measured) -> Figures | None:
    """The client's path of each stack on each machine; None: nothing was measured."""
    titles, paths = {}, {}
    for stack, machine in ((stack, machine) for stack in STACKS for machine in MACHINES):
        where = at(machine, stack)
        bars = {v: path_bar(study, where, v) for v in VERSIONS[stack] if study.result(where, v)}
        if bars:
            key = where.replace(" ", "-")  # of an element of the page
            titles[key], paths[key] = f"{STACKS[stack]} on {machine}", bars
    if not paths:
        return None
    there = tuple(v for v in VERSIONS["tcp"] if any(v in one for one in paths.values()))
    return Figures(
        stacks=titles,
        versions=there,
        base=BASE if BASE in there else there[0],
        shown=BEST if BEST in there else there[-1],
        path=paths,
    )
