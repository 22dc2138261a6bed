# SPDX-License-Identifier: BSD-2-Clause
"""TR 93-04: cache and TLB effectiveness in the processing of network data."""

from mcpi.base.repo import ROOT
from mcpi.studies.tr9304 import collect, footprint, page, plan, saturation, tables
from mcpi.studykit.definition import Study

STUDY = Study(
    title=page.TITLE,
    full=plan.FULL,
    quick=plan.QUICK,
    plan=plan.plan,
    collect=collect.collect,
    further=saturation.further,
    pairs=plan.pairs,
    tables=tables.of,
    page=page.page,
    paper="tr9304",
    numbers=("claims", "1", "2", "3", "4", *(table for _, own in page.PARTS[2:] for table in own)),
    shown=("claims", "2"),
    pages=(ROOT / "docs/explanation/tr9304.md",),
    figures=page.figures,
    drawings={ROOT / "docs/tr9304-footprint.svg": footprint.drawn},
)
