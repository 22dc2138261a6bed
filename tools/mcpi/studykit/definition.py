# SPDX-License-Identifier: BSD-2-Clause
"""Definition of a study, which each folder of ``mcpi/studies/`` gives."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.base.progress import Bar
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

if TYPE_CHECKING:
    from mcpi.base.drawing import Drawing


def _nothing(*_) -> dict:
    return {}


def _no_more(*_) -> list[Experiment]:
    return []


@dataclass(frozen=True)
class Study:
    """``full`` and ``quick``: how much is measured. ``base``: the variant that others are compared
    with. ``numbers``: what ``--table`` takes, keys of tables, N for ``tableN``; ``shown``: those
    printed without it. ``absent``: variants that cannot be measured, with the reason. ``remarks``:
    of the results, what a reader must know first. ``maps``: what the page shows of traces.
    ``collect``: of a study of nodes, the parts of ``study.json`` that are its own, by the folder of
    all runs. ``further``: runs that are chosen by what others of them have left: those come before
    all other runs, and it is called until it has none. ``pairs``: short runs that both engines
    make, in the place of a part of the study's. ``made``: parts of ``study.json`` that come of no
    planned run, such as a search; it has a folder of its own. ``pages``: of docs/, with tables to
    fill; ``drawings``: SVG files that the study makes; ``figures``: drawings a column wide, by
    heading, which become PDF files. ``paper``: the folder of papers/ that has the numbers in the
    paper's text.
    """

    title: str
    full: Extent
    quick: Extent
    plan: Callable[[Wanted, Extent], list[Experiment]]
    tables: Callable[[Measured], list[Table]]
    page: Callable[[Measured, list[Table]], str]
    base: str = ""
    paper: str = ""
    numbers: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    absent: Callable[[], dict[str, str]] = _nothing
    remarks: Callable[[dict], list[str]] = _nothing
    maps: Callable[[list[Experiment], Bar], dict] = _nothing
    pages: tuple[Path, ...] = ()
    drawings: dict[Path, Callable[[Measured], str]] = field(default_factory=dict)
    figures: Callable[[Measured], dict[str, list["Drawing"]]] = _nothing
    calibrate: Callable | None = None
    collect: Callable[[Path, list[Experiment], Extent], dict] | None = None
    further: Callable[[Path, list[Experiment], Wanted, Extent], list[Experiment]] = _no_more
    pairs: Callable[[Wanted, Extent], list[Experiment]] | None = None
    made: Callable[[Wanted, Extent, Path, Bar], dict] | None = None
