# SPDX-License-Identifier: BSD-2-Clause
"""The C++ of ``sim/`` that needs nothing of the RTL: models, and programs that test parts.

``mcpi.hdl.verilator`` has the programs around Verilated modules.
"""

import os
from pathlib import Path

from mcpi.base import environment, sim_sources
from mcpi.base.compiler import ZLIB, linked, shipped, together, unplaced
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, ROOT, WHEEL
from mcpi.build import native
from mcpi.machine import cpp_headers

SIM = ROOT / "sim"
PLACE = BUILD / "models"
COMPILER = ["g++", "-O2", "-std=c++17", "-Wall", "-Wextra", f"-I{SIM}"]
COMPILER += [f"-I{cpp_headers.FOLDER}", *unplaced()]
ALPHA = sim_sources.group("alpha")
UNITS, SOURCES = sim_sources.of("units"), sim_sources.of("models")
# The engine, which mcpi-exact shares with the debugger: exact/run/cores.cpp has names of its own;
# command lines, whose library is large, are not optimised, and are one unit with the program's own;
# files and logs are one more unit. A function that several units have is that of the first, so
# these units come last. The linker optimises nothing: that gains 6 % of a run, for twice the build.
ENGINE = sim_sources.group("engine")
ALONE = ("exact/run/cores.cpp",)
WORDS = ("testbed/options.cpp", "exact/run/checked.cpp")
# mcpi-exact for a page and for node, with files in memory. Headers that are templates alone come
# from the system, by these names.
WASM = "mcpi-exact.js"
STATIC = "mcpi-exact.static"  # for computers that have none of our libraries but glibc
# A program with glibc in it would have to come with what links it again (LGPL-2.1, 6).
WITHIN = ["-static-libstdc++", "-static-libgcc"]
EMSCRIPTEN = ["em++", "-O2", "-std=c++17", "-fexceptions", f"-I{SIM}"]
EMSCRIPTEN += [f"-I{cpp_headers.FOLDER}"]
IN_PAGE = ["-O2", "-fexceptions", "-sALLOW_MEMORY_GROWTH=1", "-sEXIT_RUNTIME=1"]
IN_PAGE += ["-sMODULARIZE=1", "-sEXPORT_NAME=createEngine", "-sINVOKE_RUN=0"]
IN_PAGE += ["-sFORCE_FILESYSTEM=1", "-sEXPORTED_RUNTIME_METHODS=FS,callMain"]
IN_PAGE += ["-sENVIRONMENT=worker,node"]
IN_PAGE += ["-sERROR_ON_UNDEFINED_SYMBOLS=0"]  # prctl, for --fork-cold, which cannot fork there
TEMPLATES = ("CLI", "nlohmann")


def sources(name: str) -> list[Path]:
    return found(SOURCES[name])


def libraries(name: str) -> list[str]:
    """The libraries that a program of ``SOURCES`` is linked with."""
    return [ZLIB] if "log/*.cpp" in SOURCES[name] else []


def found(patterns: tuple[str, ...]) -> list[Path]:
    return [path for pattern in patterns for path in sorted(SIM.glob(pattern))]


def units(name: str) -> tuple[list[Path], list[Path]]:
    """Sources of ``name`` (of ``SOURCES``) for the compiler: units, and the files that are in no
    unit."""
    rest, made, earlier = sources(name), [], set()
    for unit, patterns in UNITS.items():
        parts = [path for path in found(patterns) if path not in earlier]
        earlier.update(parts)
        if set(parts) <= set(rest):
            made += _unit(unit, parts)
            rest = [path for path in rest if path not in parts]
    return made, rest


def _unit(name: str, parts: list[Path]) -> list[Path]:
    return together(PLACE / f"{name}.cpp", [path.relative_to(SIM) for path in parts])


def edges(name: str) -> list[Edge]:
    """How one of ``SOURCES``, ``WASM`` or ``STATIC`` is made."""
    cpp_headers.write()
    if name == STATIC:
        *parts, link = edges("mcpi-exact")
        return [*parts, linked(PLACE / name, link.inputs, shipped(), [ZLIB, *WITHIN])]
    if name == WASM:
        command = [*EMSCRIPTEN, "-isystem", PLACE / "templates"]
        ticks, files, words = _engine("mcpi-exact")
        return native.program(PLACE / name, ticks + files + words, command, IN_PAGE)
    if set(found(ENGINE)) <= set(sources(name)):
        ticks, files, words = _engine(name)
        folder = PLACE / "objects"
        quick = native.objects(folder, files, [*COMPILER, "-O1"])
        quick += native.objects(folder, words, [*COMPILER, "-O0"])
        return native.program(PLACE / name, ticks, COMPILER, libraries(name), quick)
    made, rest = units(name)
    if name.endswith(".so"):
        *parts, link = native.program(PLACE / name, made + rest, [*COMPILER, "-fPIC"])
        return [*parts, linked(PLACE / name, link.inputs, [*shipped(), "-shared"])]
    return native.program(PLACE / name, made + rest, COMPILER, libraries(name))


def _engine(name: str) -> tuple[list[Path], list[Path], list[Path]]:
    """Units of a program that has the engine: what makes ticks, with the program's own parts; what
    writes files; and what reads command lines, with the program's last source, its ``main``."""
    made, rest = units(name)
    engine, apart = set(found(ENGINE)), found(ALONE)
    words = found(WORDS) + found(SOURCES[name][-1:])
    files = [path for path in rest if path in engine and path not in apart + words]
    own = [path for path in rest if path not in engine and path not in words]
    return made + apart + own, _unit("files", files), _unit(f"{name}-words", words)


def build(name: str) -> Path:
    """Bring a program of ``SOURCES``, ``WASM`` or ``STATIC`` up to date and return its path. A
    wheel has it."""
    if WHEEL.is_file():
        return PLACE / name
    if name == WASM:
        environment.want("test")
        (PLACE / "templates").mkdir(parents=True, exist_ok=True)
        for header in TEMPLATES:
            link = PLACE / "templates" / header
            if not link.exists():
                link.symlink_to(environment.tree() / "usr/include" / header)
    native.make(PLACE, edges(name), os.cpu_count() or 1, name)
    return PLACE / name
