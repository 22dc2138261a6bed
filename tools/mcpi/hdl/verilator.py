# SPDX-License-Identifier: BSD-2-Clause
"""The steps from Verilog to a program: Verilator, then each C++ file on its own.

``NODE`` and ``QUICK`` make ``mcpi-sim`` of ``Node.v``, ``DEBUGGER`` makes ``mcpi-debug-rtl`` of it,
``CORES`` makes ``mcpi-cores`` of ``CoherentNode.v``, ``CORE`` makes ``mcpi-core`` of
``AlphaLite.v``, ``LANCE`` makes ``liblance.so`` of ``LanceOnTc.v``, ``CABLE`` makes ``mcpi-cable``
of ``CabledBoards.v``.

The folder is named by the Verilog and the way it is translated, so that every machine that was
built once stays built. What is compiled without the Verilated class is made once for all machines
(``shared``). Sources are tracked by ninja in both places.
"""

import dataclasses
import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.base import ninja, reuse, sim_sources, staging
from mcpi.base.compiler import ZLIB, compiled, linked, named, shipped, together, unplaced
from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, ROOT
from mcpi.machine import cpp_headers

SIM = ROOT / "sim"


@dataclass(frozen=True)
class Program:
    """A program or library around one Verilated module; ``sources`` are patterns below ``sim/``."""

    name: str
    top: str
    sources: tuple[str, ...]
    verilate: tuple[str, ...] = ()
    unity: bool = False  # all that Verilator makes as one file: cheaper to compile when it is small
    place: str = "sim"  # below build/
    shared: bool = False  # a library, also for other computers
    waves: bool = False  # it can write waveforms, and is slower for it
    module: str = ""  # the Verilated module, if another stands in for `top`

    @property
    def prefix(self) -> str:
        return f"V{self.top}"


_SOURCES = sim_sources.of("verilated")


def _program(name: str, top: str, **how) -> Program:
    return Program(name, top, _SOURCES[name], **how)


# The instruction-set model judges the RTL in lock-step.
NODE = _program("mcpi-sim", "Node")
# The same program, compiled in a tenth of the time, at half the speed: for many machines.
QUICK = dataclasses.replace(NODE, unity=True, place="quick")
# The same again with every signal kept, for ./mcpi trace --fst.
WAVES = dataclasses.replace(QUICK, waves=True, verilate=("--trace-vcd",), place="waves")
# GDB's target, which has the objects of QUICK.
DEBUGGER = _program("mcpi-debug-rtl", "Node", unity=True, place="quick")
CORE = _program("mcpi-core", "AlphaLite", verilate=("--assert",), unity=True, place="core")
# A node of several cores, alone.
CORES = _program("mcpi-cores", "CoherentNode", verilate=("--assert",), unity=True, place="cores")
# Two boards at their pins, and the cable between them.
CABLE = _program("mcpi-cable", "CabledBoards", place="cable")
LANCE = _program("liblance.so", "LanceOnTc", unity=True, place="lance", shared=True)
# Random histories of the same, and a segment that is saturated; compiled for speed.
LANCE_BENCH = _program("lance-bench", "LanceOnTc", place="lance-bench")

# Two-state values chosen once make runs repeatable; large files are split for parallel compiling.
# Functions of 4,000 statements run 2.5 % faster than those of 15,000, 8 % than of 1,000.
VERILATE = ["--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast"]
VERILATE += ["--output-split", "15000", "--output-split-cfuncs", "4000"]
VERILATE += ["-Wno-fatal", "-Wno-WIDTH"]
UNIQUE = ("--x-assign", "unique", "--x-initial", "unique")  # chosen when a program begins
CXX = ["-std=c++17", "-DVL_TIME_CONTEXT", "-DVM_COVERAGE=0", "-DVM_SC=0"]
NO_WAVES, WITH_WAVES = ["-DVM_TRACE=0"], ["-DVM_TRACE=1", "-DVM_TRACE_VCD=1"]
FAST = ["g++", "-O2"]
CLANG = "clang++-14"
# Files of Verilator, for a short run: g++ -O2 takes 40 % longer to compile them, and makes it a
# quarter faster. A profile of its branches makes that no faster still; addresses that are known
# when it is linked make it 8 % faster.
UNITY = [CLANG, "-O1"]
# Code that runs once in a run: templates of command lines and JSON cost more than they ever save.
# One file of all: each alone would spend its time in the same headers.
BRIEF = [CLANG, "-O0"]
ONCE = {f"testbed/{part}.cpp" for part in ("measurement", "medium", "options", "testbed")}
ONCE |= {"programs/mcpi_sim.cpp", "rtl/simulation.cpp"}
ONCE |= {"base/machine.cpp", "base/counters.cpp", "check/replay.cpp"}
ONCE |= {"programs/lance_bench.cpp"} | {
    f"bench/lance/{part}/command.cpp" for part in ("histories", "saturate")
}
RUNTIME = ["g++", "-O0"]  # Verilator's; clang++ would want libatomic
_RUNTIME = ("verilated", "verilated_threads")
_WAVES = "verilated_vcd_c"
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def initial(program: Program) -> Program:
    """The same, in which registers and memories that nothing has written hold anything: what
    MCPI_INITIAL says (sim/base/initial.h)."""
    place = f"{program.place}-initial"
    verilate = (*program.verilate, *UNIQUE)
    return dataclasses.replace(program, unity=True, place=place, verilate=verilate)


def root() -> Path:
    """Verilator's own folder (headers and run-time sources)."""
    if not (place := os.environ.get("VERILATOR_ROOT")):
        raise UserError("Verilator is missing. Start through ./mcpi, or type: ./mcpi setup")
    return Path(place)


def folder(verilog: Path, program: Program = NODE) -> Path:
    """Where this Verilog's program is built."""
    how = [*VERILATE, *program.verilate, *cxx(program), *UNITY, *FAST, *BRIEF, *RUNTIME]
    how += ["shared"] if program.shared else []
    digest = hashlib.sha256(verilog.read_bytes() + " ".join(how).encode()).hexdigest()[:16]
    return BUILD / program.place / digest


def verilate(verilog: Path, program: Program = NODE) -> Edge:
    """Verilog to C++, from a copy: the same Verilog elaborated again makes nothing stale."""
    place = folder(verilog, program)
    out, kept = place / "verilated", place / verilog.name
    if not kept.exists():
        said = f'`line 1 "{verilog.name}" 0\n' if program.shared else ""  # without its folder
        staging.write(kept, said.encode() + verilog.read_bytes())
    makefile = out / f"{program.prefix}_classes.mk"
    command = [
        "verilator",
        *VERILATE,
        *program.verilate,
        "--top-module",
        program.module or program.top,
    ]
    command += ["--prefix", program.prefix, "--Mdir", out, kept]
    return Edge(f"verilate {verilog.name}", command, [makefile], [kept])


def shared(
    program: Program, jobs: int, progress: Callable[[int, int, str], None] = lambda *_: None
) -> list[Path]:
    """Objects of the program that are the same around any Verilog: up to date."""
    place = BUILD / "objects"
    work = [(root() / "include" / f"{name}.cpp", RUNTIME) for name in _runtime(program)]
    free = [path for path in _ours(program) if not _includes_class(path, program)]
    work += _by_use(place / program.name, free)
    kind = ["-fPIC", *unplaced()] if program.shared else []
    edges = []
    for source, compiler in work:
        command = [*compiler, *cxx(program), *kind, *include()]
        edges.append(compiled(source, named(place, source, command), command))
    with hold(place / "build.lock", "builds what all simulators share"):
        ninja.write(place / "build.ninja", edges)
        ninja.run(place / "build.ninja", jobs, progress)
    return [edge.outputs[0] for edge in edges]


def compile_and_link(verilog: Path, program: Program, made: list[Path]) -> tuple[Path, list[Edge]]:
    """C++ to the program; call it when ``verilate`` has run. Returns the program's path too.

    ``made``: what ``shared`` has made.
    """
    place = folder(verilog, program)
    generated = place / "verilated"
    classes = generated / f"{program.prefix}_classes.mk"
    rows = _classes(classes.read_text())
    if unknown := {*rows["GLOBAL_FAST"], *rows["GLOBAL_SLOW"]} - set(_runtime(program)):
        raise RunError(f"Verilator wants {', '.join(unknown)}: add it to _RUNTIME in {__file__}")
    _input_widths(generated, program.prefix)
    fast = [generated / f"{n}.cpp" for n in rows["CLASSES_FAST"] + rows["SUPPORT_FAST"]]
    slow = [generated / f"{n}.cpp" for n in rows["CLASSES_SLOW"] + rows["SUPPORT_SLOW"]]
    # Files of little code, most of whose time goes into Verilator's headers.
    slow = together(generated / f"{program.prefix}_slow.cpp", slow)
    if program.unity:
        fast, slow = [], together(generated / "whole.cpp", [*fast, *slow])
    work = [(path, FAST) for path in (*fast, *slow)]
    work += _by_use(place, [path for path in _ours(program) if _includes_class(path, program)])
    headers = [f"-I{generated}", *include()]
    kind, link = ["-fno-pie"], ["-no-pie"]
    if program.shared:
        kind, link = ["-fPIC", *unplaced()], ["-shared"]
    edges, objects = [], []
    for source, compiler in work:
        made_here = source.parent == generated
        if made_here and program.unity:
            compiler = UNITY
        target = place / "objects" / f"{source.parent.name}-{source.stem}.o"
        command = [*compiler, *cxx(program), *kind, *headers]
        edges.append(compiled(source, target, command, [classes] if made_here else []))
        objects.append(target)
    binary = place / program.name
    libraries = ["-pthread", *([ZLIB] if "log/*.cpp" in program.sources else [])]
    linker = shipped() if program.shared else ["g++"]
    return binary, [*edges, linked(binary, [*objects, *made], [*linker, *link], libraries)]


def build(
    verilog: Path,
    program: Program = NODE,
    jobs: int = 2,
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> Path:
    """The program, or library, around this Verilog; what exists is not built again.

    Safe when several processes call it at once.
    """
    place = folder(verilog, program)
    plan = place / "build.ninja"
    with hold(place.with_suffix(".lock"), f"builds {program.name}"):
        reuse.note("simulators", (place / program.name).exists())
        made = shared(program, jobs, progress)
        edges = [verilate(verilog, program)]
        for _ in range(2):  # what there is to compile is known when it has been verilated
            ninja.write(plan, edges)
            ninja.run(plan, jobs, progress)
            binary, edges = compile_and_link(verilog, program, made)
    return binary


def cxx(program: Program) -> list[str]:
    return CXX + (WITH_WAVES if program.waves else NO_WAVES)


def _runtime(program: Program) -> tuple[str, ...]:
    return (*_RUNTIME, _WAVES) if program.waves else _RUNTIME


def _ours(program: Program) -> list[Path]:
    return [path for pattern in program.sources for path in sorted(SIM.glob(pattern))]


def include() -> list[str]:
    """Where headers of Verilator's run-time and of ``sim/`` are."""
    runtime = root() / "include"
    generated = cpp_headers.write()
    return [f"-I{runtime}", f"-I{runtime / 'vltstd'}", f"-I{SIM}", f"-I{generated}"]


def _by_use(place: Path, sources: list[Path]) -> list[tuple[Path, list[str]]]:
    """Each with its compiler; those of ``ONCE`` as one file below ``place``."""
    brief = [path for path in sources if _once(path)]
    whole = together(place / "once.cpp", brief)
    return [(p, BRIEF) for p in whole] + [(p, FAST) for p in sources if p not in brief]


def _includes_class(source: Path, program: Program) -> bool:
    """Return true if ``source`` includes a generated header, itself or by headers of ``sim/``."""
    seen, left = set(), [source]
    while left:
        path = left.pop()
        seen.add(path)
        names, files = _included(path, path.stat().st_mtime_ns)
        if any(name.startswith(program.prefix) for name in names):
            return True
        left += [file for file in files if file not in seen]
    return False


@cache
def _included(source: Path, _changed: int) -> tuple[list[str], list[Path]]:
    """Names, and those of them that are files of ours."""
    names = _INCLUDE.findall(source.read_text())
    places = [place / name for name in names for place in (source.parent, SIM)]
    return names, [place for place in places if place.is_file()]


def _once(source: Path) -> bool:
    return str(source.relative_to(SIM)) in ONCE


def _input_widths(generated: Path, prefix: str) -> None:
    """``<prefix>_inputs.h``: the width in bits of each input, under its name. Verilator's class
    has only the type that holds it."""
    declared = (generated / f"{prefix}.h").read_text()
    found = re.findall(r"\bVL_IN\w*\(&(\w+),(\d+),(\d+)\)", declared)
    rows = [f"constexpr unsigned {n} = {int(m) - int(low) + 1};\n" for n, m, low in found]
    text = f"#pragma once\nnamespace {prefix}_inputs {{\n{''.join(rows)}}}\n"
    path = generated / f"{prefix}_inputs.h"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _classes(text: str) -> dict[str, list[str]]:
    """The lists of Verilator's ``_classes.mk``: ``VM_CLASSES_FAST += a b \\`` and so on."""
    joined = re.sub(r"\\\n", " ", text)
    found = re.findall(r"^VM_(\w+_(?:FAST|SLOW))\s*\+=(.*)$", joined, re.M)
    return {name: words.split() for name, words in found}
