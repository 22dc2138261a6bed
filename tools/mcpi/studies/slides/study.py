# SPDX-License-Identifier: BSD-2-Clause
"""The slides of the talk at SIGCOMM'96: the techniques on the machine that came next."""

from mcpi.base.repo import ROOT
from mcpi.studies.slides import page, plan, tables
from mcpi.studykit.definition import Study

STUDY = Study(
    title=page.TITLE,
    full=plan.FULL,
    quick=plan.QUICK,
    plan=plan.plan,
    tables=tables.of,
    page=page.page,
    paper="slides96",
    base=plan.BASE,
    numbers=tuple(tables.WORDS.about),
    shown=("claims", "predictions"),
    figures=page.figures,
    pages=(ROOT / "docs/explanation/slides.md",),
)
