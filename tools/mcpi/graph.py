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
from mcpi.record import BOARD, Record

NEEDED = {
    "ninja": "./mcpi setup",
    "verilator": "./mcpi setup",
    "g++": "apt-get install g++",
    "clang++-14": "apt-get install clang-14",
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
    return build_all([record], machine, bar)[0]


def verilog(record: Record, machine: Machine) -> Path:
    """The node's ``Node.v``; it may not be built yet."""
    return _elaborate(load(record.machine, machine.shaping(record.settings)))[0]


def build_all(
    records: list[Record],
    machine: Machine,
    bar: Bar,
    training: bool = False,
    model: bool = False,
) -> list[Built]:
    """The same for many records of one machine: what they share is built once, all side by side.

    ``training``: the simulator is one that leaves a profile of itself (training.py); ``model``:
    ``mcpi-model`` is built beside it.
    """
    check_tools()
    with ExitStack() as stack:
        stack.enter_context(hold(BUILD / "build.lock", "builds"))
        plans = _all_plans(records, machine, bar)
        # Without the settings that act later, Node.v depends on nothing but its folder's name.
        verilogs, edges = [], {}
        for record in records:
            verilog, made = _elaborate(load(record.machine, machine.shaping(record.settings)))
            verilogs.append(verilog)
            edges |= {edge.outputs[0]: edge for edge in made}
        for plan in {plan.folder: plan for pair in plans for plan in pair}.values():
            edges |= {edge.outputs[0]: edge for edge in _firmware(plan)}
        first = records[0]  # all are of one machine
        if first.engine != BOARD and not verilogs[0].exists():
            if shaping := machine.shaping(first.settings):
                bar.say(rebuilt(shaping))
        _run(list(edges.values()), bar, "Verilog, firmware")
        wanted = (v for record, v in zip(records, verilogs) if record.engine != BOARD)
        beside = simulator.model()[1] if model else []
        programs = _simulators(list(dict.fromkeys(wanted)), bar, training, beside)
    return [
        Built(
            programs.get(verilog),
            verilog.with_name("Node.json"),
            Path(record.image) if record.image else plan.image,
            plan.pal,
            None if record.image or peer.folder == plan.folder else peer.image,
        )
        for record, verilog, (plan, peer) in zip(records, verilogs, plans, strict=True)
    ]


def rebuilt(shaping: dict[str, str]) -> str:
    """Why a run does not begin at once."""
    changed = ", ".join(f"{key}={value}" for key, value in shaping.items())
    return (
        f"{changed} shapes the Verilog: the simulator is built for it, once. (Parameters that act "
        "at run time, memory.read_ticks for one, build nothing; nor does --engine model.)"
    )


def images(records: list[Record], machine: Machine, bar: Bar) -> list[tuple[Path, Path]]:
    """The folders of both machines' firmware alone; no simulator is built."""
    check_tools()
    with ExitStack() as stack:
        stack.enter_context(hold(BUILD / "build.lock", "builds"))
        plans = _all_plans(records, machine, bar)
        edges = {}
        for plan in {plan.folder: plan for pair in plans for plan in pair}.values():
            edges |= {edge.outputs[0]: edge for edge in _firmware(plan)}
        _run(list(edges.values()), bar, "firmware")
    return [(own.folder, peer.folder) for own, peer in plans]


def model(bar: Bar) -> Path:
    """``mcpi-model``."""
    with ExitStack() as stack:
        stack.enter_context(hold(BUILD / "build.lock", "builds"))
        program, edges = simulator.model()
        _run(edges, bar, "model")
    return program


def _all_plans(
    records: list[Record], machine: Machine, bar: Bar
) -> list[tuple[firmware.Plan, firmware.Plan]]:
    """Of each record; objects that several have are planned once."""
    compiled: dict[tuple, firmware.Compiled] = {}
    found = []
    with bar.task("plan", len(records)) as update:
        for done, record in enumerate(records, 1):
            found.append(_plans(record, machine, compiled))
            update(done, len(records), record.title)
    return found


def _plans(
    record: Record, machine: Machine, compiled: dict[tuple, firmware.Compiled]
) -> tuple[firmware.Plan, firmware.Plan]:
    """Both machines' firmware; ``compiled``: what other records have too."""

    def plan(*words, **layout) -> firmware.Plan:
        if words not in compiled:
            compiled[words] = firmware.compiled(machine, *words)
        return firmware.linked(compiled[words], **layout)

    layout = {"shuffle": record.shuffle, "copies": record.copies}
    own = plan(record.variant, record.stack, record.defines, "client", **layout)
    # Where only the client is studied, its server stays as it is.
    if record.stack != "tcp":
        return own, plan(record.peer, record.stack, (), "server")
    return own, plan(record.peer, record.stack, record.defines, "server", **layout)


def _simulators(
    verilogs: list[Path], bar: Bar, training: bool, beside: list[Edge]
) -> dict[Path, Path]:
    if not verilogs:
        return {}
    # One command, and the longest: the other cores have something else to do.
    _run([*(simulator.verilate(verilog) for verilog in verilogs), *beside], bar, "simulator")
    made = {verilog: simulator.compile_and_link(verilog, training=training) for verilog in verilogs}
    _run([edge for _, edges in made.values() for edge in edges], bar, "simulator")
    return {verilog: program for verilog, (program, _) in made.items()}


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
    elaborate = scala.elaborate(classpath, "Node", description, place)
    verilog = place / "Node.v"
    outputs = [verilog, place / "Node.json"]
    return verilog, [
        Edge("compile Scala", f"{python} > /dev/null", [classpath]),
        Edge("elaborate Node", elaborate, outputs, [classpath, description]),
    ]


def _firmware(plan: firmware.Plan) -> list[Edge]:
    for path, text in plan.files.items():
        write(path, text)
    firmware.make_folders(plan)
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
