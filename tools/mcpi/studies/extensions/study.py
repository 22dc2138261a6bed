# SPDX-License-Identifier: BSD-2-Clause
"""Extensions that the paper names and did not measure: clones made when a connection opens,
outlining by profiles, layouts that are searched, and a classifier in the controller."""

from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.studies.extensions import blocks, collect, page, places, plan, recognised, tables
from mcpi.studykit.definition import Study

PARTS = (plan, blocks, recognised)  # each with runs


def planned(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments; UserError for what the study has not."""
    versions = dict.fromkeys((*plan.VERSIONS, *blocks.VERSIONS, *places.VERSIONS))
    plan.check(wanted, blocks.STACKS, versions)
    return [e for part in PARTS for e in part.plan(wanted, extent)]


def pairs(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Short runs that both engines make: every file must be the same."""
    return [e for part in (plan, blocks) for e in part.pairs(wanted, extent)]


def made(wanted: Wanted, extent: Extent, out: Path, bar: Bar) -> dict:
    """Parts of ``study.json`` that are not of the planned runs."""
    layouts = places.searched(wanted, extent, out / "layouts", bar)
    prices = blocks.prices(wanted, out / blocks.PRICES, bar)
    return {blocks.PRICES: prices, places.PLACES: layouts}


STUDY = Study(
    title=page.TITLE,
    full=plan.FULL,
    quick=plan.QUICK,
    plan=planned,
    collect=collect.collect,
    pairs=pairs,
    made=made,
    tables=tables.of,
    page=page.page,
    base=plan.SHARED,
    numbers=tuple(tables.WORDS.about),
    shown=("claims", "predictions", "copies", "blocks", "places", "classifier"),
    pages=(ROOT / "docs/explanation/extensions.md",),
)
