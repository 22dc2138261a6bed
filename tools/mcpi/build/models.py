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
# The rest of mcpi-exact: exact/run/cores.cpp has names of its own; command lines, whose library is
# large, are not optimised; files and logs are one more unit. A function that several units have is
# that of the first, so these units come last. The linker optimises nothing: that gains 6 % of a
# run, for twice the build.
ALONE = ("exact/run/cores.cpp",)
WORDS = ("testbed/options.cpp", "exact/run/checked.cpp", "programs/mcpi_exact.cpp")
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
        ticks, files, words = _engine()
        return native.program(PLACE / name, ticks + files + words, command, IN_PAGE)
    if name == "mcpi-exact":
        ticks, files, words = _engine()
        folder = PLACE / "objects"
        quick = native.objects(folder, files, [*COMPILER, "-O1"])
        quick += native.objects(folder, words, [*COMPILER, "-O0"])
        return native.program(PLACE / name, ticks, COMPILER, libraries(name), quick)
    made, rest = units(name)
    if name.endswith(".so"):
        *parts, link = native.program(PLACE / name, made + rest, [*COMPILER, "-fPIC"])
        return [*parts, linked(PLACE / name, link.inputs, [*shipped(), "-shared"])]
    return native.program(PLACE / name, made + rest, COMPILER, libraries(name))


def _engine() -> tuple[list[Path], list[Path], list[Path]]:
    """Units of mcpi-exact that make ticks, that write files, and that read command lines."""
    made, rest = units("mcpi-exact")
    apart, words = found(ALONE), found(WORDS)
    files = [path for path in rest if path not in apart + words]
    return made + apart, _unit("files", files), _unit("words", words)


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
