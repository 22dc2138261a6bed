# SPDX-License-Identifier: BSD-2-Clause
"""Extensions that the paper names and did not measure: clones made when a connection opens."""

from mcpi.base.repo import ROOT
from mcpi.studies.extensions import collect, page, plan, tables
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
    base=plan.SHARED,
    numbers=tuple(tables.WORDS.about),
    shown=("claims", "predictions", "copies"),
    pages=(ROOT / "docs/explanation/extensions.md",),
)
