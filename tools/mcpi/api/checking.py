# SPDX-License-Identifier: BSD-2-Clause
"""Repeat a run, on the RTL or on its own engine, and compare both, file by file. A run of boards is
repeated on engine exact."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mcpi.api.single_run import perform
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.engines import base as engines
from mcpi.engines.board import against_exact
from mcpi.results import folders
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD, EXACT, RTL, RunSpec

AGAIN = "again"  # in the folder of the run that is repeated; a check has its engine's name
SHOWN = 5  # files that differ


def repeated(spec: RunSpec) -> RunSpec:
    """The same on the engine that checks the run."""
    if spec.engine == BOARD:
        return replace(spec, engine=EXACT, ports=(), baud=0)
    return replace(spec, engine=RTL)


def refuse(spec: RunSpec) -> None:
    """UserError, before anything is built, for a run that the other engine cannot repeat."""
    engines.judged(repeated(spec))


def check(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Repeat ``spec`` into ``place/rtl``, or ``place/exact`` if it ran on boards, and return the
    number of files that both engines left alike. RunError names the first that differ; both folders
    stay."""
    again = repeated(spec)
    other, _ = perform(again, place / again.engine, bar)
    return _alike(place, other, spec, _of_boards if spec.engine == BOARD else _of_part)


def twice(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Run ``spec`` once more, into ``place/again``, and return the number of files that are the
    same. RunError names the first that differ; both folders stay."""
    again, _ = perform(spec, place / AGAIN, bar)
    return _alike(place, again, spec, _of_part)


Compared = tuple[int, dict[str, list[str]]]  # files, and what differs, by file


def _of_part(one: Path, other: Path) -> Compared:
    """Compare the folders of a job."""
    count = sum(path.parent == Path() for path in folders.files(one))
    differ = folders.differences(one, other, below=False)
    return count, {str(path): said for path, said in differ.items()}


def _of_boards(one: Path, other: Path) -> Compared:
    """Compare a job of boards with engine exact's."""
    return len(against_exact.compared(one)), against_exact.differences(one, other)


def _alike(
    place: Path, other: Path, spec: RunSpec, compare: Callable[[Path, Path], Compared]
) -> int:
    found, count = {}, 0
    for part in sorted({"."} | {job.folder for job in run_jobs.jobs(spec)}):
        here, differ = compare(place / part, other / part)
        count += here
        found |= {str(Path(part) / name): said for name, said in differ.items()}
    if found:
        lines = [f"{path}: {'; '.join(said[:SHOWN])}" for path, said in list(found.items())[:SHOWN]]
        head = f"{len(found)} of {count} files differ; {place} first, then {other}:"
        raise RunError("\n  ".join([head, *lines]))
    return count
