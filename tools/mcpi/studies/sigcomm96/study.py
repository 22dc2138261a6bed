# SPDX-License-Identifier: BSD-2-Clause
"""Analysis of Techniques to Improve Protocol Processing Latency, SIGCOMM'96."""

from mcpi.base.repo import ROOT
from mcpi.studies.sigcomm96 import maps, page, plan, round_trip, tables
from mcpi.studies.sigcomm96.calibrate import calibrate
from mcpi.studies.sigcomm96.remarks import remarks
from mcpi.studykit.definition import Study

DOCS = ROOT / "docs"
FILLED = ("results", "variants")
STUDY = Study(
    title=page.TITLE,
    full=plan.FULL,
    quick=plan.QUICK,
    plan=plan.plan,
    tables=tables.of,
    page=page.page,
    paper="sigcomm96",
    base=plan.BASE,
    numbers=tuple(str(n) for n in range(1, len(tables.PAPERS) + 1)),
    shown=("4", "7"),
    absent=plan.absent,
    remarks=remarks,
    maps=maps.of,
    pages=(*(DOCS / "explanation" / f"{name}.md" for name in FILLED), ROOT / "README.md"),
    drawings={DOCS / "round-trip.svg": round_trip.drawing},
    figures=round_trip.figures,
    calibrate=calibrate,
)
