# SPDX-License-Identifier: BSD-2-Clause
"""A run as a target of GDB: its folder, the server ``mcpi-debug``, and the words that start the
debugger (docs/how-to/debug.md)."""

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mcpi.base import repo
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.build import graph, models, run_folder
from mcpi.engines import base as engines
from mcpi.engines import cores, program, round_trips
from mcpi.engines.simulate import command, simulate
from mcpi.hdl import verilator
from mcpi.machine.profile import Machine
from mcpi.spec import run_jobs
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec

GDB, SERVER = "gdb-multiarch", "mcpi-debug"
SOCKET, SETTINGS, SAID = "gdb.socket", "debug.gdb", "stderr.txt"
COMMANDS = repo.ROOT / "tools/mcpi/engines/debugging.gdb"  # commands of ours
LONGEST = 30.0  # seconds until the server listens
MAIN, FAILURE = ("tbreak main", "continue"), ("failure",)
CORES = "cores"
IMAGES = ("image.elf", "peer.elf")


@dataclass(frozen=True)
class Prepared:
    """``place``: the run's folder; ``nodes``: how many machines the debugger sees; ``words``: the
    simulator's, from ``run`` on; ``begins``: GDB's commands before those of the user."""

    place: Path
    nodes: int
    words: list[str]
    server: Path
    begins: tuple[str, ...]


def prepare(
    spec: RunSpec | ProgramSpec | NodeSpec, place: Path, bar: Bar, at_failure: bool = False
) -> Prepared:
    """Build the run of ``spec`` in ``place``. GDB goes to a program's main, or to where the run
    fails: of a run that is made of several, the first that does. UserError for what no debugger
    has."""
    on_cores = not isinstance(spec, RunSpec) and spec.alone
    if spec.engine != EXACT and on_cores:
        raise UserError(
            f"--engine {spec.engine}: ./mcpi debug shows the cores of one machine on the exact "
            "engine alone; --engine exact has the same ticks."
        )
    machine = engines.judged(spec)
    place.mkdir(parents=True, exist_ok=True)
    with bar:
        around = None if spec.engine == EXACT else verilator.DEBUGGER
        built: program.Built | graph.Built
        if isinstance(spec, ProgramSpec):
            built = program.prepare(spec, machine, place, bar, around)
        else:
            built = graph.build(spec, machine, bar, around)
            run_folder.prepare(place, spec, machine, built)
        with bar.task("debugger's target", 1) as update:
            server = models.build(SERVER) if spec.engine == EXACT else built.simulator
            update(1, 1, server.name)
        job = run_jobs.jobs(spec)[0]
        if isinstance(spec, RunSpec) and at_failure:
            job = _failing(spec, machine, place, built.simulator, bar) or job
    wanted = run_jobs.spec_of(spec, job) if isinstance(spec, RunSpec) else spec
    phases = run_jobs.phases(spec, job.sample, machine)
    options = run_jobs.OPTIONS[job.memory] if job.memory == run_jobs.COLD else []
    if isinstance(spec, ProgramSpec):
        options = cores.markers() if on_cores else program.plain_options(place, built)
    words = command(server, place, job.folder, wanted, phases, options)[1:]
    if on_cores:
        words.insert(0, CORES)
    begins = FAILURE if at_failure else () if isinstance(spec, RunSpec) else MAIN
    return Prepared(place, len(spec.nodes), words, server, begins)


def _failing(
    spec: RunSpec, machine: Machine, place: Path, simulator: Path, bar: Bar
) -> run_jobs.Job | None:
    """The first of a run's jobs that fails; none if each ends well."""
    jobs = run_jobs.jobs(spec)
    for job in jobs:
        name = f"sample {job.sample}" if job.memory == run_jobs.REAL else f"{job.memory} memory"
        how = (simulator, place, job.folder, *round_trips.request(spec, job, machine, place))
        with bar.task(name, 1) as update:
            try:
                simulate(*how, update=update)
            except RunError:
                bar.say(f"{name} is the first of {len(jobs)} runs that fails: GDB shows it.")
                return job
    return None


def settings(run: Prepared, socket: Path) -> str:
    """GDB's commands that connect it and go to where the user begins."""
    first, second = (run.place / name for name in IMAGES)
    peer = second if second.exists() else first
    lines = [
        "set confirm off",
        "set architecture alpha",
        f"file {first}",
        *([f"add-inferior -exec {peer}", "set schedule-multiple on"] if run.nodes > 1 else []),
        f"target remote {socket}",
        f"source {COMMANDS}",
        *run.begins,
    ]
    return "".join(f"{line}\n" for line in lines)


def debug(
    run: Prepared,
    script: Path | None = None,
    into: IO[str] | None = None,
    seconds: float | None = None,
) -> int:
    """Start server and debugger; the debugger's exit status. ``script``: its commands, after which
    it ends; without them it asks the user. ``into``: what it prints goes there. TimeoutExpired
    after ``seconds``."""
    with served(run):
        batch = ["-batch", "-x", str(script.resolve())] if script else []
        words = [GDB, "-q", "-x", str(run.place / SETTINGS), *batch]
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return subprocess.call(words, stdout=into, stderr=into, timeout=seconds)
        finally:
            signal.signal(signal.SIGINT, usual)


def serve(run: Prepared, say: Callable[[str], object]) -> None:
    """Start the server and wait until a debugger has come and gone. ``say`` is given the words that
    start GDB."""
    with served(run) as server:
        say(f"{GDB} -x {shlex.quote(str(run.place / SETTINGS))}")
        server.wait()


@contextmanager
def served(run: Prepared) -> Iterator[subprocess.Popen]:
    """The server, which listens, and GDB's commands for it in the run's folder."""
    with tempfile.TemporaryDirectory(prefix="mcpi-debug-") as folder:
        socket = Path(folder) / SOCKET
        (run.place / SETTINGS).write_text(settings(run, socket))
        with (run.place / SAID).open("w") as said:
            server = subprocess.Popen(
                [run.server, socket, str(run.nodes), *run.words],
                cwd=run.place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # ^C is the debugger's
            )
        try:
            _listens(server, socket, run.place / SAID)
            yield server
        finally:
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGTERM)
            server.wait()


def _listens(server: subprocess.Popen, socket: Path, said: Path) -> None:
    """Wait until the server does. RunError with its words if it has ended."""
    until = time.monotonic() + LONGEST
    while not socket.exists():
        if server.poll() is not None or time.monotonic() > until:
            raise RunError(f"{SERVER} does not listen: {said.read_text().strip()}")
        time.sleep(0.02)
