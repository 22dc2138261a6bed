# SPDX-License-Identifier: BSD-2-Clause
"""The build graph: machine file to Verilog to simulator, and firmware beside it.

Everything lands in ``build/``, in folders named by a digest of what they are made from: switching
back to a machine rebuilds nothing. The graph grows in three stages, as each tells the next what
there is: what Scala and the firmware's compiler make, what Verilator makes of that, and the
program compiled from it.
"""

import hashlib
import os
import shlex
import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mcpi import firmware, ninja, scala, simulator
from mcpi.errors import UserError
from mcpi.lock import hold
from mcpi.machine import Machine, load
from mcpi.ninja import Edge
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record

NEEDED = {
    "ninja": "./mcpi setup",
    "verilator": "./mcpi setup",
    "g++": "apt-get install g++",
    "java": "apt-get install openjdk-17-jdk-headless",
    "alpha-linux-gnu-gcc": "apt-get install gcc-alpha-linux-gnu",
}


@dataclass(frozen=True)
class Built:
    """What a run needs. ``peer``: node 1's image, if it is not ``image``; ``simulator``: none for
    engine board."""

    simulator: Path | None
    node_json: Path
    image: Path
    pal: Path
    peer: Path | None = None


def check_tools() -> None:
    """Refuse to begin when a compiler is missing."""
    for command, fix in NEEDED.items():
        if not shutil.which(command):
            raise UserError(
                f"{command} is missing. Type: {fix}   (./mcpi doctor shows all that is missing)"
            )


def build(record: Record, machine: Machine, bar: Bar) -> Built:
    """Build what changed; one build of a checkout at a time."""
    check_tools()
    # With the settings that act later left out, Node.v depends on nothing but its folder's name.
    plain = load(record.machine, _elaborated(record, machine))
    with ExitStack() as stack:
        stack.enter_context(hold(BUILD / "build.lock", "builds"))
        plan = firmware.plan(
            machine, record.variant, record.stack, record.defines, shuffle=record.shuffle
        )
        # Where only the client is studied, its server stays as it is.
        own = (
            (record.defines, "server", record.shuffle) if record.stack == "tcp" else ((), "server")
        )
        peer = firmware.plan(machine, record.peer, record.stack, *own)
        verilog, edges = _elaborate(plain)
        edges += _firmware(plan) + (_firmware(peer) if peer.folder != plan.folder else [])
        _run(edges, bar, "Verilog, firmware")
        program = _simulator(verilog, bar) if record.engine == "rtl" else None
    node_json = verilog.with_name("Node.json")
    if record.image:
        return Built(program, node_json, Path(record.image), plan.pal)
    other = peer.image if peer.folder != plan.folder else None
    return Built(program, node_json, plan.image, plan.pal, other)


def _simulator(verilog: Path, bar: Bar) -> Path:
    _run([simulator.verilate(verilog)], bar, "simulator")
    program, edges = simulator.compile_and_link(verilog)
    _run(edges, bar, "simulator")
    return program


def _elaborated(record: Record, machine: Machine) -> dict[str, str]:
    return {k: v for k, v in record.settings.items() if machine.acts[k] == "elaborate"}


def _run(edges: list[Edge], bar: Bar, title: str) -> None:
    file = BUILD / "build.ninja"
    ninja.write(file, edges)
    with bar.task(title) as update:
        ninja.run(file, os.cpu_count() or 1, update)


def _elaborate(machine: Machine) -> tuple[Path, list[Edge]]:
    """Scala to classes, classes and machine to ``Node.v``."""
    sources = scala.digest()
    name = hashlib.sha256((sources + machine.to_json()).encode()).hexdigest()[:16]
    place = BUILD / "node" / name
    description = place / "machine.json"
    write(description, machine.to_json())
    classpath = BUILD / "scala" / sources / "classpath"
    python = shlex.join([sys.executable, "-m", "mcpi.scala"])
    elaborate = (
        f'java -cp "$(cat {shlex.quote(str(classpath))})" {scala.MAIN} Node '
        f"{shlex.quote(str(description))} {shlex.quote(str(place))}"
    )
    verilog = place / "Node.v"
    outputs = [verilog, place / "Node.json"]
    return verilog, [
        Edge("compile Scala", f"{python} > /dev/null", [classpath]),
        Edge("elaborate Node", elaborate, outputs, [classpath, description]),
    ]


def _firmware(plan: firmware.Plan) -> list[Edge]:
    for path, text in plan.files.items():
        write(path, text)
    (plan.folder / "objects").mkdir(parents=True, exist_ok=True)
    return [
        Edge(
            f"firmware {step.outputs[0].name}",
            step.command,
            step.outputs,
            step.inputs,
            step.depfile,
        )
        for step in plan.steps
    ]


def write(path: Path, text: str) -> None:
    """Write a generated file, only if it changes: its time stamp is what ninja looks at."""
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
