# SPDX-License-Identifier: BSD-2-Clause
"""OSDI'94: performance issues in parallelized network protocols."""

from mcpi.base.repo import ROOT
from mcpi.studies.osdi94 import collect, drawings, page, plan, tables
from mcpi.studykit.definition import Study

STUDY = Study(
    title=page.TITLE,
    full=plan.FULL,
    quick=plan.QUICK,
    plan=plan.plan,
    collect=collect.collect,
    pairs=plan.pairs,
    tables=tables.of,
    page=page.page,
    paper="osdi94",
    numbers=tuple(table for _, own in page.PARTS for table in own),
    shown=("claims", "throughput", "disorder", "locks"),
    pages=(ROOT / "docs/explanation/osdi94.md",),
    figures=drawings.figures,
    drawings={
        ROOT / "docs/osdi94-figures.svg": drawings.curves,
        ROOT / "docs/osdi94-ticks.svg": drawings.stacks,
    },
)
