# SPDX-License-Identifier: BSD-2-Clause
"""One run from its record to its directory of plain files and its table."""

import concurrent.futures
import dataclasses
import datetime
import hashlib
import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from mcpi import board_result, cold_trace, doctor, graph, measure, pcap, simulate, staging, watching
from mcpi.errors import RunError
from mcpi.machine import Machine, load
from mcpi.paths import RESULTS
from mcpi.progress import Bar
from mcpi.record import BOARD, MODEL, MODELLED, Record
from mcpi.result import check, provenance

REAL, IDEAL, COLD, LOGGED = "real", "ideal", "cold", "logged"
# What a kind of job asks of the simulator; LOGGED: each tick of the client's path in a file.
OPTIONS = {COLD: ["--cold"], LOGGED: ["--tick-log", "0"]}
COLD_WARMUP = 20  # round trips at least, so that all code and data have been in use
WORKERS = 2


@dataclass(frozen=True)
class Job:
    """One simulator run: sample number, and whether memory is ideal or the path starts cold.

    ``short``: a cold run with as many round trips as the sample's own run, from which it parts.
    """

    sample: int
    memory: str
    short: bool = False

    @property
    def folder(self) -> str:
        """The first sample's files lie in the run's folder itself."""
        if self.memory != REAL:
            return self.memory
        return "." if self.sample == 1 else f"sample-{self.sample}"


def run(record: Record, out: Path | None, as_json: bool) -> None:
    """Build, simulate, measure, write ``result.json``, print the table (or the record)."""
    if record.engine == MODEL:
        record = dataclasses.replace(record, **MODELLED)
    machine = judged(record)
    place = _place(record, out)
    with staging.staged(place) as stage:
        do = _predict if record.engine == MODEL else _measure
        result = do(record, machine, stage)
        check(result)
        (stage / "result.json").write_text(json.dumps(result, indent=1) + "\n")
        _report(stage, result)
    _show(place, result, as_json)


def judged(record: Record) -> Machine:
    """Everything that can be wrong with a record, before anything is built; returns its machine."""
    machine = record.check()
    if record.engine == BOARD:
        from mcpi import board_engine

        board_engine.check(record)
    if record.engine == MODEL:
        from mcpi.model import engine

        engine.check(machine)
    graph.check_tools()
    return machine


def _measure(record: Record, machine: Machine, place: Path) -> dict:
    """By the simulator or on boards."""
    began = datetime.datetime.now(datetime.UTC)
    with Bar() as bar:
        built = graph.build(record, machine, bar)
        clock = time.monotonic()
        prepare(place, record, built)
        if record.engine == BOARD:
            seconds = _on_boards(place, record, machine, bar)
        else:
            seconds = _simulate(place, record, machine, built.simulator, bar)
    result = result_of(place, record, machine)
    result["time"] = {
        "started": began.isoformat(timespec="seconds"),
        "wall_seconds": round(time.monotonic() - clock, 3),
        "ticks_per_second": seconds,
    }
    return result


def _predict(record: Record, machine: Machine, place: Path) -> dict:
    """By the model (docs/model.md)."""
    from mcpi.model import engine

    graph.write(place / "record.json", json.dumps(dataclasses.asdict(record), indent=1) + "\n")
    with Bar() as bar:
        return engine.run(record, place, bar)


def _report(place: Path, result: dict) -> None:
    from rich.console import Console

    from mcpi import report

    with (place / "report.txt").open("w") as text:
        report.show(result, Console(file=text, width=100, highlight=False))


def _show(place: Path, result: dict, as_json: bool) -> None:
    from rich.console import Console

    from mcpi import report

    people = Console(stderr=as_json, highlight=False)
    report.show(result, people)
    shown = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    people.print(f"files: {shown}   again: {result['provenance']['command']}", soft_wrap=True)
    if as_json:
        print(json.dumps(result, indent=1))


def _place(record: Record, out: Path | None) -> Path:
    """The run's folder: a new one below results/, or the user's own."""
    if out is None:
        stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
        return RESULTS / f"{record.title}-{stamp}"
    return out.resolve()


def prepare(
    place: Path, record: Record, built: graph.Built, wanted: list[Job] | None = None
) -> None:
    """Everything the run depends on, so that a later build cannot change it.

    ``wanted``: the simulator runs that need a folder; all of the record's, if not given.
    """
    sources = {"Node.json": built.node_json, "image.elf": built.image, "pal.elf": built.pal}
    if built.peer:
        sources["peer.elf"] = built.peer
    # Read before the folder is emptied: the image may be the one of an earlier run in it.
    kept = {name: file.read_bytes() for name, file in sources.items()}
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(parents=True)
    graph.write(place / "record.json", json.dumps(dataclasses.asdict(record), indent=1) + "\n")
    for name, content in kept.items():
        (place / name).write_bytes(content)
    for job in wanted or jobs(record):
        folder = place / job.folder
        settings = record.settings | ({"memory.ideal": "on"} if job.memory == IDEAL else {})
        graph.write(folder / "machine.json", load(record.machine, settings).to_json())


def jobs(record: Record) -> list[Job]:
    """The ideal-memory twin belongs to the first sample; iCPI does not depend on phases."""
    cold = [Job(1, COLD)] if record.cold else []
    more = (Job(n, REAL) for n in range(2, record.samples + 1))
    return [Job(1, REAL), Job(1, IDEAL), *cold, *more]


def record_of(record: Record, job: Job) -> Record:
    """What the job runs. Cold: one measured round trip, after at least so much warm-up."""
    if job.memory != COLD or job.short:
        return record
    warmup = max(record.warmup, COLD_WARMUP)
    return dataclasses.replace(record, round_trips=1, warmup=warmup)


def _simulate(place: Path, record: Record, machine: Machine, program: Path, bar: Bar) -> float:
    """Run all jobs, two side by side; returns simulated ticks per wall second of the first."""
    stop = simulate.Stop()

    def one(job: Job) -> None:
        phases = phases_of(record.seed, job.sample, machine)
        options = list(OPTIONS.get(job.memory, []))
        options += watching.logs(record) if job == Job(1, REAL) else []
        wanted = record_of(record, job)
        title = "cold caches" if job.memory == COLD else f"{job.memory} memory"
        title += f" {job.sample}" if record.samples > 1 else ""
        with bar.task(title, wanted.warmup + wanted.round_trips) as update:
            simulate.simulate(program, place, job.folder, wanted, phases, options, stop, update)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        waiting = [pool.submit(one, job) for job in jobs(record)]
        try:
            for done in concurrent.futures.as_completed(waiting):
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop.now()
            raise
    return _speed(place)


def _on_boards(place: Path, record: Record, machine: Machine, bar: Bar) -> float:
    """Run all jobs, one after the other; returns ticks per wall second of the first."""
    from mcpi import board_engine

    for job in jobs(record):
        phases = phases_of(record.seed, job.sample, machine)
        with bar.task(f"boards, {job.memory} memory") as update:
            board_engine.run(place, job.folder, record, phases, update)
    return _speed(place)


def _speed(place: Path) -> float:
    file = place / Job(1, REAL).folder / "run.json"
    try:
        about = json.loads(file.read_text())
    except ValueError:
        raise RunError(f"{file}: cut short. Is the disk full?") from None
    return round(about["ticks"] / max(about["wall_seconds"], 1e-3))


def phases_of(seed: int, sample: int, machine: Machine) -> list[int]:
    """Ticks until each node's first timer interrupt: what alone differs between samples."""
    period = machine.parameters["clock.ticks_per_us"] * 1_000_000 // machine.parameters["timer.hz"]
    text = (f"{seed} {sample} {node}".encode() for node in measure.SIDES.values())
    return [1 + int.from_bytes(hashlib.sha256(t).digest()[:8], "big") % period for t in text]


def result_of(place: Path, record: Record, machine: Machine) -> dict:
    """``result.json`` but for its times, from the files of the run alone."""
    if record.engine == BOARD:
        return board_result.result_of(place, record, machine)
    ticks_per_us = machine.parameters["clock.ticks_per_us"]
    block = machine.parameters["cache.block"]
    first = place / Job(1, REAL).folder
    samples = [place / Job(n, REAL).folder for n in range(1, record.samples + 1)]
    windows = [measure.measured(measure.events(s / "events.csv")) for s in samples]
    real = measure.counters(first / "counters.json")
    ideal = measure.counters(place / Job(1, IDEAL).folder / "counters.json")
    result = {
        "schema": 1,
        "provenance": provenance(place, record, machine, doctor.tools()),
        "round_trip": measure.round_trip(windows, record.round_trips, ticks_per_us),
        "steady": {
            side: measure.path(real[n]["path"], ideal[n]["path"], ticks_per_us, block)
            for side, n in measure.SIDES.items()
        },
        "nodes": measure.nodes(real),
        "wire": pcap.summary(first / "wire.pcap"),
    }
    if times := measure.path_times([measure.counters(s / "counters.json") for s in samples]):
        result["path_time"] = {
            side: measure.spread(times[n], ticks_per_us) for side, n in measure.SIDES.items()
        }
    if waits := measure.controller(windows[0], ticks_per_us):
        result["round_trip"] |= measure.adjusted(result["round_trip"]["mean_us"], waits)
    if wire := measure.wire(first / "stamps.csv", windows[0], ticks_per_us):
        result["wire_us"] = wire
    if record.cold:
        count = measure.counters(place / Job(1, COLD).folder / "counters.json")[measure.CLIENT]
        result["cold"] = {"client": measure.path(count["path"], None, ticks_per_us, block)}
        result |= cold_trace.result(place / COLD, place / "image.elf", machine)
    if parts := measure.breakdown(windows[0], ticks_per_us):
        result["breakdown_us"] = parts
    return result
