# SPDX-License-Identifier: BSD-2-Clause
"""The study by engine ``board``: every version on two boards at serial ports, one after the other.

Real memory and ideal memory of each version, which is what Tables 2 and 7 are made of; a board has
neither times of events nor a cold run nor a trace, and their cells stay empty.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

from mcpi.base.progress import Bar, Update
from mcpi.batch.plan import Experiment
from mcpi.build import graph, run_folder
from mcpi.engines import base as engines
from mcpi.engines.board import session
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD


def chosen(experiments: list[Experiment]) -> list[Experiment]:
    """Experiments of the study that a board can do; UserError for ports that are missing or
    alike."""
    specs = [(e, replace(e.spec, cold=False)) for e in experiments if e.whole]
    found = [replace(e, spec=spec, jobs=tuple(run_jobs.jobs(spec))) for e, spec in specs]
    for experiment in found:
        engines.of(BOARD).check(experiment.spec, experiment.spec.check())
    return found


def words(experiments: list[Experiment]) -> str:
    """Sentence about the runs, before they start."""
    client, server = experiments[0].spec.ports
    runs = sum(len(e.jobs) for e in experiments)
    return f"{runs} runs of {len(experiments)} images, client at {client}, server at {server}"


def perform(experiments: list[Experiment], root: Path, bar: Bar) -> None:
    """Build every image, load and run each on the boards; a folder per experiment below ``root``.

    Nothing is kept from before: what is measured is measured on these boards, now.
    """
    images = graph.build_all([e.spec for e in experiments], [e.machine for e in experiments], bar)
    work = [(e, job) for e in experiments for job in e.jobs]
    with bar.task("runs on boards", len(work)) as update:
        for e, built in zip(experiments, images, strict=True):
            run_folder.prepare(root / e.name, e.spec, e.machine, built)
        for done, (e, job) in enumerate(work):
            phases = run_jobs.phases_of(e.spec.seed, job.sample, e.machine)
            step = partial(_step, update, done, len(work), f"{e.name}, {job.memory} memory")
            session.run(root / e.name, job.folder, e.spec, phases, step)


def _step(update: Update, done: int, runs: int, which: str, now: int, all_: int, what: str) -> None:
    """A step of one run as one of all."""
    update(done, runs, f"{which}: {now} of {all_} {what}")
