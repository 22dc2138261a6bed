# SPDX-License-Identifier: BSD-2-Clause
"""Repeat a run, on the engine that checks its own or on the same, and compare both, file by
file."""

from collections.abc import Callable
from pathlib import Path

from mcpi.api.single_run import perform
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.engines import base as engines
from mcpi.engines.simulated import alike
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec

AGAIN = "again"  # in the folder of the run that is repeated; a check has its engine's name
SHOWN = 5  # files that differ


def repeated(spec: RunSpec) -> RunSpec:
    """The same on the engine that checks it: the RTL for engine exact, engine exact for boards."""
    return engines.of(spec.engine).again(spec)


def refuse(spec: RunSpec) -> None:
    """UserError, before anything is built, for a run that the other engine cannot repeat."""
    engines.judged(repeated(spec))


def check(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Repeat ``spec`` on the other engine, into the folder of its name in ``place``, and return the
    number of files that both engines left alike. RunError names the first that differ; both folders
    stay."""
    again = repeated(spec)
    other, _ = perform(again, place / again.engine, bar)
    return _alike(place, other, spec, engines.of(spec.engine).compare)


def twice(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Run ``spec`` once more, into ``place/again``, and return the number of files that are the
    same. RunError names the first that differ; both folders stay."""
    again, _ = perform(spec, place / AGAIN, bar)
    return _alike(place, again, spec, alike)


def _alike(
    place: Path, other: Path, spec: RunSpec, compare: Callable[[Path, Path], engines.Compared]
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
