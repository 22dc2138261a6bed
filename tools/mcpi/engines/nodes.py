# SPDX-License-Identifier: BSD-2-Clause
"""A node spec's one run: the node that is measured, with the other on its wire or alone."""

import json
import re
import time
from collections import Counter
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.progress import Bar
from mcpi.build import run_folder
from mcpi.build.graph import Built
from mcpi.engines.simulate import simulate
from mcpi.machine.profile import Machine
from mcpi.results import cold_replay, measure, pcap, provenance, record
from mcpi.results.types import Result
from mcpi.spec import run_jobs
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.numbers import CLIENT

WINDOW = "probe"
_functions: dict[str, list[cold_replay.Function]] = {}  # by the digest of an image
TAKE, RELEASE = (re.compile(rf"lock_(\w+)_{does}") for does in ("acquire", "release"))


def request(
    spec: NodeSpec, job: run_jobs.Job, machine: Machine, place: Path
) -> tuple[NodeSpec, list[int], list[str]]:
    """The spec of a job, its phases, and the simulator's options. Options on locks follow from the
    image."""
    locks = lock_functions(place / "image.elf") if spec.locks else []
    return spec, run_jobs.phases(spec, 1, machine), locks


def functions(image: Path) -> list[cold_replay.Function]:
    """The functions of an image in the order of their addresses; copies of one are read once."""
    if (digest := run_store.digest(image)) not in _functions:
        _functions[digest] = sorted(cold_replay.functions(image), key=lambda f: f.start)
    return _functions[digest]


def lock_functions(image: Path) -> list[str]:
    """The simulator's words for the functions that take and release locks."""
    words = []
    for option, does in (("--take", TAKE), ("--release", RELEASE)):
        found = [f"{f.start:x}" for f in functions(image) if does.fullmatch(f.name)]
        words += [option, ",".join(found)]
    return words


def prepare(spec: NodeSpec, machine: Machine, place: Path, bar: Bar) -> Built:
    return run_folder.build(place, spec, machine, bar)


def run(spec: NodeSpec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
    [job], began = run_jobs.jobs(spec), time.monotonic()
    with bar.task(spec.title, 1) as update:
        words = (built.simulator, place, job.folder, *request(spec, job, machine, place))
        simulate(*words, update=update)
    ticks = json.loads((place / "run.json").read_text())["ticks"]
    return round(ticks / max(time.monotonic() - began, 1e-3))


def result(spec: NodeSpec, machine: Machine, place: Path) -> Result:
    """Result of the measured node in the measured time, all its cores together. It is the mean of a
    passage of its window, if the node counts passages."""
    counted = json.loads((place / "counters.json").read_text())
    cores = counted["cores"] if spec.alone else [counted["nodes"][CLIENT]]
    count: Counter[str] = Counter()
    for core in cores:
        count.update(core["all"])
    windows = [core.get("windows", {}).get(WINDOW, {}) for core in cores]
    count["invocations"] = sum(window.get("invocations", 0) for window in windows) or 1
    parameters = machine.parameters
    path = measure.path(count, None, machine.ticks_per_us, parameters["cache.block"])
    found: dict = {"provenance": provenance.of(place, spec, machine), "steady": {"client": path}}
    if not spec.alone:
        found["nodes"] = measure.nodes(counted["nodes"])
        found["wire"] = pcap.summary(place / "wire.pcap")
    return record.of(found)
