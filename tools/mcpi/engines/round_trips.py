# SPDX-License-Identifier: BSD-2-Clause
"""A run spec's round trips between two simulated machines: every job, two side by side."""

from pathlib import Path

from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import run_folder
from mcpi.build.graph import Built
from mcpi.engines.base import counted, sample_folders, speed
from mcpi.engines.simulate import simulate
from mcpi.machine.profile import Machine
from mcpi.results import cold_replay, measure, pcap, record, round_trip_owners
from mcpi.results.types import Result
from mcpi.spec import numbers, run_jobs, watching
from mcpi.spec.run_spec import RunSpec

WORKERS = 2


def request(
    spec: RunSpec, job: run_jobs.Job, machine: Machine, place: Path
) -> tuple[RunSpec, list[int], list[str]]:
    """The spec that a job of ``spec`` runs, its phases, and the simulator's options."""
    options = list(run_jobs.OPTIONS.get(job.memory, []))
    options += watching.logs(spec) if job == run_jobs.Job(1, run_jobs.REAL) else []
    phases = run_jobs.phases_of(spec.seed, job.sample, machine)
    return run_jobs.spec_of(spec, job), phases, options


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
            watch = bar.watch if job == run_jobs.Job(1, run_jobs.REAL) else None
            simulate(*words, stop, update, watch=watch)

    side_by_side(one, run_jobs.jobs(spec), WORKERS, stop)
    return speed(place)


def result(spec: RunSpec, machine: Machine, place: Path) -> Result:
    per_us = machine.parameters["clock.ticks_per_us"]
    samples = sample_folders(spec, place)
    windows = [measure.measured(measure.events(s / "events.csv")) for s in samples]
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
        count = measure.counters(cold / "counters.json")[numbers.CLIENT]["path"]
        block = machine.parameters["cache.block"]
        found["cold"] = {"client": measure.path(count, None, per_us, block)}
        found |= cold_replay.result(cold, place / "image.elf", machine)
    return record.of(found)
