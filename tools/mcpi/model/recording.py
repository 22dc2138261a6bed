# SPDX-License-Identifier: BSD-2-Clause
"""Recordings: short runs on the RTL of which every step is kept, one for each code."""

import concurrent.futures
import hashlib
import os
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi import graph, keep, run, simulate
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import MODELLED, Record

PLACE = BUILD / "recordings"


@dataclass(frozen=True)
class Recording:
    """``folder`` holds the run's files and ``steps.N.bin``; ``images``: where the client's and the
    server's image were linked."""

    record: Record
    folder: Path
    images: tuple[Path, Path]


def of(record: Record) -> Record:
    """The run to record for ``record``: its code in the usual layout, on the profile's machine."""
    return replace(
        record,
        layout="default",
        settings={},
        engine="rtl",
        cold=False,
        **MODELLED,
    )


def make(records: list[Record], cores: int, bar: Bar, cold: bool = False) -> list[Recording]:
    """What is not there yet is run, ``cores`` side by side. ^C keeps what has ended.

    ``cold``: the same simulation also makes the run whose first measured invocation is cold.
    """
    machine = records[0].check()
    built = graph.build_all(records, machine, bar)
    places = [_place(b, machine.to_json(), record) for b, record in zip(built, records)]
    missing = [n for n, place in enumerate(places) if not place.is_dir()]
    stop = simulate.Stop()

    def one(n: int) -> None:
        _run(records[n], built[n], places[n], stop, cold)

    with bar.task("recordings", max(len(missing), 1)) as update:
        with concurrent.futures.ThreadPoolExecutor(cores) as pool:
            waiting = [pool.submit(one, n) for n in missing]
            try:
                for done, future in enumerate(concurrent.futures.as_completed(waiting), 1):
                    future.result()
                    update(done, len(missing), "")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                stop.now()
                raise
    return [
        Recording(record, place, (b.image.parent, (b.peer or b.image).parent))
        for record, place, b in zip(records, places, built)
    ]


def _place(built: graph.Built, machine: str, record: Record) -> Path:
    digest = hashlib.sha256(machine.encode())
    for file in (built.simulator, built.image, built.peer or built.image, built.pal):
        digest.update(file.read_bytes())
    digest.update(f"{record.seed} {record.warmup} {record.round_trips}".encode())
    return PLACE / f"{record.title}-{digest.hexdigest()[:16]}"


def _run(record: Record, built: graph.Built, place: Path, stop: simulate.Stop, cold: bool) -> None:
    stage = place.with_name(f"{place.name}.{os.getpid()}.new")
    shutil.rmtree(stage, ignore_errors=True)
    jobs = {run.Job(1, run.REAL): [], **({run.Job(1, run.COLD): ["--cold"]} if cold else {})}
    run.prepare(stage, record, built, list(jobs))
    phases = run.phases_of(record.seed, 1, record.check())
    options = ["--record", *(["--cold-beside", run.COLD] if cold else [])]
    words = (built.simulator, stage, ".", record, phases, options)
    if not simulate.simulate(*words, stop, lambda *_: None):
        raise KeyboardInterrupt
    # Writing down what happens changes nothing of it, so these are also the runs without it.
    for job, own in jobs.items():
        alone = simulate.command(built.simulator, stage, job.folder, record, phases, own)
        (stage / job.folder / "command.txt").write_text(shlex.join(alone) + "\n")
        keep.put(alone, stage, job.folder)
    stage.rename(place)
