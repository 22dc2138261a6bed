# SPDX-License-Identifier: BSD-2-Clause
"""Repeat a run, on the RTL or on its own engine, and compare both, file by file."""

from dataclasses import replace
from pathlib import Path

from mcpi.api.single_run import perform
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.engines import base as engines
from mcpi.results import folders
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RTL, RunSpec

FOLDER, AGAIN = "rtl", "again"  # in the folder of the run that is checked
SHOWN = 5  # files that differ


def refuse(spec: RunSpec) -> None:
    """UserError, before anything is built, for a run that the RTL cannot repeat."""
    engines.judged(replace(spec, engine=RTL))


def check(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Run ``spec`` on the RTL into ``place/rtl`` and return the number of files that both engines
    left alike. RunError names the first files that differ; both folders stay."""
    rtl, _ = perform(replace(spec, engine=RTL), place / FOLDER, bar)
    return _alike(place, rtl, spec)


def twice(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Run ``spec`` once more, into ``place/again``, and return the number of files that are the
    same. RunError names the first that differ; both folders stay."""
    again, _ = perform(spec, place / AGAIN, bar)
    return _alike(place, again, spec)


def _alike(place: Path, other: Path, spec: RunSpec) -> int:
    parts = {"."} | {job.folder for job in run_jobs.jobs(spec)}
    found, count = {}, 0
    for part in sorted(parts):
        pair = (place / part, other / part)
        count += sum(path.parent == Path() for path in folders.files(pair[0]))
        found |= {
            str(Path(part) / path): said
            for path, said in folders.differences(*pair, below=False).items()
        }
    if found:
        lines = [f"{path}: {'; '.join(said)}" for path, said in list(found.items())[:SHOWN]]
        head = f"{len(found)} of {count} files differ; {place} first, then {other}:"
        raise RunError("\n  ".join([head, *lines]))
    return count
