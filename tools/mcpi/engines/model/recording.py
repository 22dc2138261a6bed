# SPDX-License-Identifier: BSD-2-Clause
"""Recordings: short runs on the RTL of which every step is kept, one for each code."""

import hashlib
import os
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import MODELLED, RunSpec

PLACE = BUILD / "recordings"


@dataclass(frozen=True)
class Recording:
    """``folder`` holds the run's files and ``steps.N.bin``; ``images``: where the client's and the
    server's image were linked."""

    record: RunSpec
    folder: Path
    images: tuple[Path, Path]


def of(record: RunSpec) -> RunSpec:
    """The run to record for ``record``: its code in the usual layout, on the profile's machine."""
    return replace(
        record,
        layout="default",
        settings={},
        engine="rtl",
        cold=False,
        **MODELLED,
    )


def make(records: list[RunSpec], cores: int, bar: Bar, cold: bool = False) -> list[Recording]:
    """What is not there yet is run, ``cores`` side by side. ^C keeps what has ended.

    ``cold``: the same simulation also makes the run whose first measured invocation is cold.
    """
    machine = records[0].check()
    built = graph.build_all(records, machine, bar)
    places = [_place(b, machine.to_json(), record) for b, record in zip(built, records)]
    missing = [n for n, place in enumerate(places) if not place.is_dir()]
    stop = Stop()

    def one(n: int) -> None:
        _run(records[n], built[n], places[n], stop, cold)

    with bar.task("recordings", max(len(missing), 1)) as update:
        side_by_side(one, missing, cores, stop, lambda done: update(done, len(missing), ""))
    return [
        Recording(record, place, (b.image.parent, (b.peer or b.image).parent))
        for record, place, b in zip(records, places, built)
    ]


def _place(built: graph.Built, machine: str, record: RunSpec) -> Path:
    digest = hashlib.sha256(machine.encode())
    for file in (built.simulator, built.image, built.peer or built.image, built.pal):
        digest.update(file.read_bytes())
    digest.update(f"{record.seed} {record.warmup} {record.round_trips}".encode())
    return PLACE / f"{record.title}-{digest.hexdigest()[:16]}"


def _run(record: RunSpec, built: graph.Built, place: Path, stop: Stop, cold: bool) -> None:
    stage = place.with_name(f"{place.name}.{os.getpid()}.new")
    shutil.rmtree(stage, ignore_errors=True)
    jobs = {
        run_jobs.Job(1, run_jobs.REAL): [],
        **({run_jobs.Job(1, run_jobs.COLD): ["--cold"]} if cold else {}),
    }
    run_folder.prepare(stage, record, built, list(jobs))
    phases = run_jobs.phases_of(record.seed, 1, record.check())
    options = ["--trace-steps", *(["--fork-cold", run_jobs.COLD] if cold else [])]
    words = (built.simulator, stage, ".", record, phases, options)
    if not simulate.simulate(*words, stop, lambda *_: None):
        raise KeyboardInterrupt
    # Writing down what happens changes nothing of it, so these are also the runs without it.
    for job, own in jobs.items():
        alone = simulate.command(built.simulator, stage, job.folder, record, phases, own)
        (stage / job.folder / "command.txt").write_text(shlex.join(alone) + "\n")
        run_store.put(alone, stage, job.folder)
    stage.rename(place)
