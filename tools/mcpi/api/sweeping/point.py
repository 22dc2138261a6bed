# SPDX-License-Identifier: BSD-2-Clause
"""A point of a sweep, which a worker runs anywhere: images in, ``result.json`` kept by content."""

import contextlib
import dataclasses
import functools
import hashlib
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.progress import Silent
from mcpi.build import graph, run_folder
from mcpi.build.graph import Built
from mcpi.engines import base as engines
from mcpi.engines import program as programs
from mcpi.engines import simulate, simulated
from mcpi.machine.profile import load
from mcpi.results import record
from mcpi.spec import run_jobs
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.spec import Spec

PACKAGE = Path(__file__).parents[2]
# Functions that make a result of a run's files.
MAKERS = ("engines", "machine", "results", "spec")
# Fields of a spec that are files, or a machine: their contents count.
BY_CONTENT = ("settings", "machine", "sources", "peer", "stdin", "files")


@dataclass(frozen=True)
class Point:
    """``key``: a digest of all that the result depends on."""

    spec: Spec
    built: Built | None  # a program has none: its run builds it
    key: str
    where: Path = Path()  # where a program's relative paths begin


def point(spec: Spec, built: Built) -> Point:
    """``built``: its images and simulator, which are there."""
    files = (built.image, built.peer, built.pal, built.simulator, built.node_json)
    parts = [makers(), load(spec.machine, spec.settings).to_json(), json.dumps(_said(spec))]
    parts += [run_store.digest(path) if path else "" for path in files]
    parts += [path.read_text() for path in (built.image.with_suffix(".json"),) if path.is_file()]
    return Point(spec, built, hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24])


def program(spec: ProgramSpec) -> Point:
    """The point of a program, whose images are built here."""
    machine = load(spec.machine, spec.settings)
    simulator, node_json = graph.simulator(spec.engine, machine, Silent())
    files = [*programs.images(spec, machine), simulator, *([node_json] if node_json else [])]
    parts = [makers(), machine.to_json(), json.dumps(_said(spec))]
    parts += [run_store.digest(path) for path in files]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    return Point(spec, None, key, Path.cwd())


def _said(spec: Spec) -> dict:
    """A machine counts by its parameters, an image by its content, wherever they lie."""
    return {k: v for k, v in dataclasses.asdict(spec).items() if k not in BY_CONTENT}


@functools.cache
def makers() -> str:
    """Digest of the programs that make a result."""
    found = hashlib.sha256()
    for path in sorted(p for name in MAKERS for p in (PACKAGE / name).rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def measure(one: Point) -> tuple[float, float]:
    """Have the result kept under ``one.key``; seconds that it took, and those of the simulator
    among them. Called by workers, which see the checkout and its build/ under the same path."""
    began, simulating = time.monotonic(), 0.0
    if run_store.result(one.key).is_file():
        return 0.0, 0.0
    spec, machine = one.spec, load(one.spec.machine, one.spec.settings)
    if isinstance(spec, ProgramSpec):
        return _measure_program(one, began)
    with tempfile.TemporaryDirectory(prefix="mcpi-sweep-") as folder:
        place = Path(folder, "run")
        run_folder.prepare(place, spec, machine, one.built)
        for job in run_jobs.jobs(spec):
            request = simulated.request(spec, job, machine, place)
            since = time.monotonic()
            simulate.once((one.built.simulator, place, job.folder, *request))
            simulating += time.monotonic() - since
        result = engines.of(spec.engine).result(spec, machine, place)
    run_store.put_result(one.key, record.text(result))
    return time.monotonic() - began, simulating


def _measure_program(one: Point, began: float) -> tuple[float, float]:
    machine = load(one.spec.machine, one.spec.settings)
    with (
        contextlib.chdir(one.where),
        tempfile.TemporaryDirectory(prefix="mcpi-sweep-") as folder,
        Silent() as bar,
    ):
        place = Path(folder, "run")
        built = programs.prepare(one.spec, machine, place, bar)
        since = time.monotonic()
        programs.run(one.spec, machine, place, built, bar)
        simulating = time.monotonic() - since
        result = programs.result(one.spec, machine, place)
    run_store.put_result(one.key, record.text(result))
    return time.monotonic() - began, simulating
