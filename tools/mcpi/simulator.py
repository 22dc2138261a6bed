# SPDX-License-Identifier: BSD-2-Clause
"""The steps from ``Node.v`` to ``mcpi-sim``: Verilator, then each C++ file on its own.

The folder is named by the Verilog and the way it is translated, so that every machine that was
built once stays built. Driver sources are tracked by ninja inside it.
"""

import hashlib
import os
import re
import shutil
from pathlib import Path

from mcpi.errors import UserError
from mcpi.ninja import Edge
from mcpi.paths import BUILD, ROOT

SIM = ROOT / "sim"
# The instruction-set model judges the RTL in lock-step; its own main() stays out.
SOURCES = ("driver/*.cpp", "models/alpha/*.cpp", "models/memory/*.cpp")
NOT_OURS = {SIM / "models" / "alpha" / "main.cpp"}
PREFIX = "VNode"
# Two-state values chosen once make runs repeatable; large files are split for parallel compiling.
VERILATE = ["--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--output-split", "15000"]
VERILATE += ["-Wno-fatal", "-Wno-WIDTH", "--top-module", "Node", "--prefix", PREFIX]
CXX = ["-std=c++17", "-DVL_TIME_CONTEXT", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0"]
FAST, SLOW = ["-O2"], ["-O1"]


def root() -> Path:
    """Verilator's own folder (headers and run-time sources)."""
    if not (place := os.environ.get("VERILATOR_ROOT")):
        raise UserError("Verilator is missing. Start through ./mcpi, or type: ./mcpi setup")
    return Path(place)


def folder(verilog: Path) -> Path:
    """Where this Verilog's simulator is built."""
    how = " ".join([*VERILATE, *CXX, *FAST, *SLOW]).encode()
    return BUILD / "sim" / hashlib.sha256(verilog.read_bytes() + how).hexdigest()[:16]


def verilate(verilog: Path) -> Edge:
    """Verilog to C++, from a copy: the same Verilog elaborated again makes nothing stale."""
    place = folder(verilog)
    out, kept = place / "verilated", place / verilog.name
    if not kept.exists():
        place.mkdir(parents=True, exist_ok=True)
        stage = kept.with_suffix(".new")
        shutil.copyfile(verilog, stage)
        stage.rename(kept)
    makefile = out / f"{PREFIX}_classes.mk"
    command = ["verilator", *VERILATE, "--Mdir", out, kept]
    return Edge("verilate Node.v", command, [makefile], [kept])


def compile_and_link(verilog: Path) -> tuple[Path, list[Edge]]:
    """C++ to the program; call it when ``verilate`` has run. Returns the program's path too."""
    place = folder(verilog)
    generated = place / "verilated"
    rows = _classes((generated / f"{PREFIX}_classes.mk").read_text())
    runtime = root() / "include"
    work = [(generated / f"{n}.cpp", FAST) for n in rows["CLASSES_FAST"] + rows["SUPPORT_FAST"]]
    work += [(generated / f"{n}.cpp", SLOW) for n in rows["CLASSES_SLOW"] + rows["SUPPORT_SLOW"]]
    work += [(runtime / f"{n}.cpp", FAST) for n in rows["GLOBAL_FAST"] + rows["GLOBAL_SLOW"]]
    ours = [path for pattern in SOURCES for path in sorted(SIM.glob(pattern))]
    work += [(path, FAST) for path in ours if path not in NOT_OURS]
    cache = ["ccache"] if shutil.which("ccache") else []
    include = [f"-I{generated}", f"-I{runtime}", f"-I{runtime / 'vltstd'}", f"-I{SIM}"]
    edges, objects = [], []
    for source, level in work:
        target = place / "objects" / f"{source.parent.name}-{source.stem}.o"
        depfile = target.with_suffix(".d")
        command = [*cache, "g++", *level, *CXX, *include, "-MMD", "-MF", depfile]
        command += ["-c", source, "-o", target]
        inputs = (
            [source, generated / f"{PREFIX}_classes.mk"] if source.parent == generated else [source]
        )
        edges.append(Edge(f"compile {source.name}", command, [target], inputs, depfile))
        objects.append(target)
    program = place / "mcpi-sim"
    link = ["g++", *objects, "-o", program, "-pthread"]
    return program, [*edges, Edge("link mcpi-sim", link, [program], objects)]


def _classes(text: str) -> dict[str, list[str]]:
    """The lists of Verilator's ``_classes.mk``: ``VM_CLASSES_FAST += a b \\`` and so on."""
    joined = re.sub(r"\\\n", " ", text)
    found = re.findall(r"^VM_(\w+_(?:FAST|SLOW))\s*\+=(.*)$", joined, re.M)
    return {name: words.split() for name, words in found}
