# SPDX-License-Identifier: BSD-2-Clause
"""A run spec's round trips between two simulated machines: every job, two side by side."""

from pathlib import Path

from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import run_folder, stretches
from mcpi.build.graph import Built
from mcpi.engines.base import counted, sample_folders, speed
from mcpi.engines.simulate import simulate
from mcpi.machine.profile import Machine
from mcpi.results import cold_replay, measure, pcap, record, round_trip_owners
from mcpi.results import stretches as stretched
from mcpi.results.types import Result
from mcpi.spec import numbers, run_jobs, watching
from mcpi.spec.run_spec import RunSpec

WORKERS = 2


def request(
    spec: RunSpec, job: run_jobs.Job, machine: Machine, place: Path
) -> tuple[RunSpec, list[int], list[str]]:
    """The spec that a job of ``spec`` runs, its phases, and the simulator's options."""
    options = list(run_jobs.OPTIONS.get(job.memory, []))
    options += watching.logs(spec) if _is_first(job) else []
    options += watching.ideal_logs(spec) if job.memory == run_jobs.IDEAL else []
    if job.stretches and (place / stretches.FILE).is_file():
        options += ["--node", f"{numbers.CLIENT}:markers={stretches.FILE}"]
    phases = run_jobs.phases_of(spec.seed, job.sample, machine)
    return run_jobs.spec_of(spec, job), phases, options


def _is_first(job: run_jobs.Job) -> bool:
    return (job.sample, job.memory) == (1, run_jobs.REAL)


def prepare(spec: RunSpec, machine: Machine, place: Path, bar: Bar) -> Built:
    return run_folder.build(place, spec, machine, bar)


def run(spec: RunSpec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
    stop = Stop()

    def one(job: run_jobs.Job) -> None:
        wanted, phases, options = request(spec, job, machine, place)
        title = "cold caches" if job.memory == run_jobs.COLD else f"{job.memory} memory"
        title += f" {job.sample}" if spec.samples > 1 else ""
        with bar.task(title, wanted.steps) as update:
            words = (built.simulator, place, job.folder, wanted, phases, options)
            watch = bar.watch if _is_first(job) else None
            simulate(*words, stop, update, watch=watch)

    side_by_side(one, run_jobs.jobs(spec), WORKERS, stop)
    return speed(place)


def result(spec: RunSpec, machine: Machine, place: Path) -> Result:
    per_us = machine.parameters["clock.ticks_per_us"]
    samples = sample_folders(spec, place)
    windows = [measure.measured(s / "events.csv") for s in samples]
    stamps = samples[0] / "stamps.csv"
    found = counted(spec, machine, place)
    found |= measure.times(windows, spec.round_trips, per_us, stamps)
    if line := round_trip_owners.together(
        [round_trip_owners.of(*one) for one in zip(samples, windows)]
    ):
        found["time_line"] = line
    found["wire"] = pcap.summary(samples[0] / "wire.pcap")
    found["wire"] |= pcap.frame_faults(samples[0] / "run.json")
    if spec.cold:
        cold = place / run_jobs.COLD
        client = measure.counters(cold / "counters.json")[numbers.CLIENT]
        block = machine.parameters["cache.block"]
        found["cold"] = {"client": measure.path(client["path"], None, per_us, block)}
        found |= cold_replay.result(cold, place / "image.elf", machine)
        others = (place, place / run_jobs.IDEAL)
        real, ideal = (measure.counters(p / "counters.json")[numbers.CLIENT] for p in others)
        if more := stretched.of(real, ideal, client):
            del found["cores"]  # the windows that counted them
            found |= more
    return record.of(found)
