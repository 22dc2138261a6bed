# SPDX-License-Identifier: BSD-2-Clause
"""The build graph: machine file to Verilog to simulator, and firmware beside it.

Everything lands in ``build/``, in folders named by a digest of what they are made from: switching
back to a machine rebuilds nothing. The graph grows in three stages, as each tells the next what
there is: what Scala and the firmware's compiler make, what Verilator makes of that, and the
program compiled from it.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from mcpi.base import environment, ninja, reuse, run_store, staging
from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD, WHEEL
from mcpi.build import models
from mcpi.firmware import images as firmware
from mcpi.firmware import parallel, switches
from mcpi.firmware import programs as programs_
from mcpi.hdl import blocks, scala, verilator
from mcpi.hdl.verilator import Program
from mcpi.machine.profile import Machine
from mcpi.spec import node_spec, run_jobs
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.run_spec import BOARD, EXACT, RTL, RunSpec

NEEDED = ("ninja", "g++", "alpha-linux-gnu-gcc")
FEW = 1000  # round trips: to compile for speed takes longer than it saves
FOR_RTL = ("verilator", "clang++-14", "java")  # by engines that run the RTL


@dataclass(frozen=True)
class Built:
    """Files that a run needs. ``peer``: node 1's image, if it is not ``image``; ``simulator``: none
    for engine board; ``node_json``: none for engine exact. ``programs``: ELF files of the programs
    in the image, by name."""

    simulator: Path | None
    node_json: Path | None
    image: Path
    pal: Path
    peer: Path | None = None
    programs: dict[str, Path] = field(default_factory=dict)

    def lasting(self) -> "Built":
        """With copies of what runs that no other build changes: who edits a source while a study or
        a sweep runs changes nothing of it."""
        names = ("simulator", "image", "pal", "peer")
        there = {name: path for name in names if (path := getattr(self, name))}
        programs = {name: run_store.lasting(path) for name, path in self.programs.items()}
        kept = {name: run_store.lasting(path) for name, path in there.items()}
        return replace(self, **kept, programs=programs)


def check_tools(engine: str = RTL) -> None:
    """Set up what an engine that runs the RTL wants, if it is not there yet. Refuse to begin when a
    compiler is missing."""
    if WHEEL.is_file() and engine == EXACT:
        return
    if engine != EXACT:
        environment.want("rtl")
    for command in NEEDED if engine == EXACT else NEEDED + FOR_RTL:
        if not shutil.which(command):
            purpose = "exec" if engine == EXACT else "rtl"
            raise UserError(
                f"{command} is missing. Type: ./mcpi setup {purpose}   (./mcpi doctor shows all "
                "that is missing)"
            )


def build(
    spec: RunSpec | NodeSpec,
    machine: Machine | None = None,
    bar: Bar | None = None,
    program: Program | None = None,
) -> Built:
    """Build what changed; a simulator is built by one at a time. Without a bar: with its own.

    ``program``: what is made around the Verilog, in the place of the usual simulator.
    """
    with nullcontext(bar) if bar else Bar() as progress:
        return build_all([spec], [machine or spec.check()], progress, program=program)[0]


def verilog(machine: Machine) -> Path:
    """The node's ``Node.v``, or ``CoherentNode.v``; it may not be built yet."""
    return _elaborate(machine.shaped)[0]


def build_all(
    specs: Sequence[RunSpec | NodeSpec],
    machines: Sequence[Machine],
    bar: Bar,
    program: Program | None = None,
) -> list[Built]:
    """The same for many specs whose ``machines`` differ in what acts at run time alone: what they
    share is built once, all side by side."""
    for spec, machine in zip(specs, machines, strict=True):
        blocks.check("CoherentNode" if len(spec.nodes) == 1 else "Node", machine)
    check_tools(specs[0].engine)
    with firmware.lock():
        plans = _all_plans(specs, machines[0], bar)
        wanted = {plan.folder: plan for pair in plans for plan in pair}.values()
        with bar.task("firmware") as update:
            firmware.build_all(wanted, update)
    engines = [spec.engine for spec in specs]
    verilogs, programs = _machinery(engines, machines, bar, program, _round_trips(specs))
    return [
        Built(
            programs.get(verilog),
            verilog and verilog.with_name("Node.json"),
            Path(spec.image) if spec.image else plan.image,
            plan.pal,
            None if spec.image or peer.folder == plan.folder else peer.image,
            _programs(spec, machine, plan),
        )
        for spec, machine, verilog, (plan, peer) in zip(
            specs, machines, verilogs, plans, strict=True
        )
    ]


def simulator(
    engine: str, machine: Machine, bar: Bar, program: Program | None = None
) -> tuple[Path, Path | None]:
    """Build a simulator for existing images. Return its path, and its Node.json if it has one.
    ``program``: as of ``build``."""
    check_tools(engine)
    (verilog,), programs = _machinery([engine], [machine], bar, program)
    return programs[verilog], verilog and verilog.with_name("Node.json")


def _machinery(
    engines: Sequence[str],
    machines: Sequence[Machine],
    bar: Bar,
    program: Program | None,
    round_trips: int = 0,
) -> tuple[list[Path | None], dict[Path | None, Path]]:
    """Verilog of each (None: the engine has none), and simulators by Verilog. Whoever wants the
    exact engine alone does not wait for somebody's Verilator. ``round_trips``: of all runs."""
    programs: dict[Path | None, Path] = {}
    verilogs: list[Path | None] = [None] * len(engines)
    if elaborated := [n for n, engine in enumerate(engines) if engine != EXACT]:
        with hold(BUILD / "build.lock", "builds"):
            made = _verilogs([machines[n] for n in elaborated], engines[elaborated[0]], bar)
            wanted = {}
            for n, verilog in zip(elaborated, made, strict=True):
                verilogs[n] = verilog
                if engines[n] != BOARD:
                    wanted[verilog] = program or _program(machines[n], round_trips)
            programs |= _simulators(wanted, bar)
    if len(elaborated) < len(engines):
        programs[None] = models.build("mcpi-exact")
    return verilogs, programs


def _verilogs(machines: list[Machine], engine: str, bar: Bar) -> list[Path]:
    """Verilog of each machine, elaborated if needed. Without the settings that act later, Node.v
    depends on nothing but its folder's name."""
    shaped = {(machine.source, *machine.shape.items()): machine.shaped for machine in machines}
    made = {key: _elaborate(machine) for key, machine in shaped.items()}
    edges = {edge.outputs[0]: edge for _, own in made.values() for edge in own}
    found = [made[machine.source, *machine.shape.items()][0] for machine in machines]
    first = machines[0]
    if engine != BOARD and not found[0].exists() and first.shape:
        bar.say(rebuilt(first.shape))
    _run(list(edges.values()), bar, "Verilog")
    return found


def rebuilt(settings: dict[str, str]) -> str:
    """Why a run does not begin at once."""
    changed = ", ".join(f"{key}={value}" for key, value in settings.items())
    return (
        f"{changed} shapes the Verilog: the simulator is built for it, once. (Parameters that act "
        "at run time, memory.read_ticks for one, build nothing; nor does --engine exact.)"
    )


def _all_plans(
    specs: Sequence[RunSpec | NodeSpec], machine: Machine, bar: Bar
) -> list[tuple[firmware.Plan, firmware.Plan]]:
    """Plans of both images of each spec; objects that several specs share are planned once."""
    compiled: dict[tuple, firmware.Compiled] = {}
    found = []
    with bar.task("plan", len(specs)) as update:
        for done, spec in enumerate(specs, 1):
            found.append(_plans(spec, machine, compiled))
            update(done, len(specs), spec.title)
    return found


def _plans(
    spec: RunSpec | NodeSpec, machine: Machine, compiled: dict[tuple, firmware.Compiled]
) -> tuple[firmware.Plan, firmware.Plan]:
    """Both machines' firmware; ``compiled``: what other specs have too."""

    def plan(*words, **layout) -> firmware.Plan:
        if words not in compiled:
            compiled[words] = firmware.compiled(machine, *words)
        return firmware.linked(compiled[words], **layout)

    if isinstance(spec, NodeSpec) and spec.alone:
        own = parallel.plan(machine, node_spec.wanted(spec))
        return own, own
    if isinstance(spec, NodeSpec):
        return tuple(plan("std", one.name, one.switches, "client") for one in spec.images)
    layout = {"shuffle": spec.shuffle, "copies": spec.copies}
    own = plan(spec.variant, spec.stack, spec.defines, "client", spec.path, **layout)
    # Where only the client is studied, its server stays as it is.
    if spec.stack == "rpc":
        both = switches.of_both_ends(spec.defines)
        return own, plan(spec.peer, spec.stack, both, "server", spec.path)
    return own, plan(spec.peer, spec.stack, spec.defines, "server", spec.path, **layout)


def _programs(spec: RunSpec | NodeSpec, machine: Machine, plan: firmware.Plan) -> dict[str, Path]:
    """ELF files of the programs in the image of a node."""
    if not isinstance(spec, NodeSpec) or not machine.translates:
        return {}
    names = [f"{program.name}.elf" for program, _ in programs_.files(spec.program)]
    return {name: plan.folder / name for name in names}


def _round_trips(specs: Sequence[RunSpec | NodeSpec]) -> int:
    """Round trips of all runs of these specs together."""
    return sum(
        len(run_jobs.jobs(spec)) * (spec.warmup + spec.round_trips)
        for spec in specs
        if isinstance(spec, RunSpec)
    )


def _program(machine: Machine, round_trips: int) -> Program:
    """The build that is done first. The usual machine runs often, and is compiled for speed; so is
    another one for many round trips."""
    if machine.coherent:
        return verilator.CORES
    usual = machine.name == RunSpec.machine and not machine.shape
    return verilator.NODE if usual or round_trips > FEW else verilator.QUICK


def _simulators(wanted: dict[Path, Program], bar: Bar) -> dict[Path, Path]:
    if not wanted:
        return {}
    _run([verilator.verilate(*item) for item in wanted.items()], bar, "simulator")
    with bar.task("simulator") as update:
        jobs = os.cpu_count() or 1
        shared = {p: verilator.shared(p, jobs, update) for p in set(wanted.values())}
    made = {
        verilog: verilator.compile_and_link(verilog, program, shared[program])
        for verilog, program in wanted.items()
    }
    for binary, _ in made.values():
        reuse.note("simulators", binary.exists())
    _run([edge for _, edges in made.values() for edge in edges], bar, "simulator")
    return {verilog: program for verilog, (program, _) in made.items()}


def _run(edges: list[Edge], bar: Bar, title: str) -> None:
    file = BUILD / "build.ninja"
    ninja.write(file, edges)
    with bar.task(title) as update:
        ninja.run(file, os.cpu_count() or 1, update)


def _elaborate(machine: Machine) -> tuple[Path, list[Edge]]:
    """Scala to classes, classes and machine to ``Node.v`` or ``CoherentNode.v``."""
    block = "CoherentNode" if machine.coherent else "Node"
    sources = scala.digest()
    name = hashlib.sha256((sources + machine.to_json()).encode()).hexdigest()[:16]
    place = BUILD / "node" / name
    description = place / "machine.json"
    write(description, machine.to_json())
    classpath = BUILD / "scala" / sources / "classpath"
    python = [sys.executable, "-m", "mcpi.hdl.scala"]
    verilog = place / f"{block}.v"
    outputs = [verilog, place / "Node.json"]
    reuse.note("elaborations", verilog.exists())
    return verilog, [
        Edge("compile Scala", python, [classpath]),
        Edge(
            f"elaborate {block}",
            [*python, block, description, place],
            outputs,
            [classpath, description],
        ),
    ]


def write(path: Path, text: str) -> None:
    """A generated file, written only if it changes: its time stamp is what ninja looks at."""
    if not path.is_file() or path.read_text() != text:
        staging.write(path, text)
