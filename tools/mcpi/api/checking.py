# SPDX-License-Identifier: BSD-2-Clause
"""Repeat a run of the exact engine on the RTL, and compare both, file by file."""

from dataclasses import replace
from pathlib import Path

from mcpi.api.single_run import perform
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.engines import base as engines
from mcpi.results import folders
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RTL, RunSpec

FOLDER = "rtl"  # in the folder of the run that is checked
SHOWN = 5  # files that differ


def refuse(spec: RunSpec) -> None:
    """UserError, before anything is built, for a run that the RTL cannot repeat."""
    engines.judged(replace(spec, engine=RTL))


def check(place: Path, spec: RunSpec, bar: Bar | None = None) -> int:
    """Run ``spec`` on the RTL into ``place/rtl`` and return the number of files that both engines
    left alike. RunError names the first files that differ; both folders stay."""
    rtl, _ = perform(replace(spec, engine=RTL), place / FOLDER, bar)
    parts = {"."} | {job.folder for job in run_jobs.jobs(spec)}
    found, count = {}, 0
    for part in sorted(parts):
        pair = (place / part, rtl / part)
        count += sum(path.parent == Path() for path in folders.files(pair[0]))
        found |= {
            str(Path(part) / path): said
            for path, said in folders.differences(*pair, below=False).items()
        }
    if found:
        lines = [f"{path}: {'; '.join(said)}" for path, said in list(found.items())[:SHOWN]]
        head = f"{len(found)} of {count} files differ; {place} first, then {rtl}:"
        raise RunError("\n  ".join([head, *lines]))
    return count
