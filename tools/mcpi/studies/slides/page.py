# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: what the gap does to the techniques, then machines, latencies and wires."""

from mcpi.base.progress import counted
from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.slides.figures import ratio, tp
from mcpi.studies.slides.plan import BASE, BEST, MACHINES, NEW, OLD, at
from mcpi.study import page as common
from mcpi.study.cell import Table
from mcpi.study.claims import Missing
from mcpi.study.measured import Measured

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
        figures={t.title: _cpi(t) for key, t in there.items() if key == "cpi_owners"},
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


def _cpi(table: Table) -> str:
    from mcpi.study import charts

    return charts.chart(charts.bars(table, charts.by_owner, lambda *_: {}), "{:.2f}")
