# SPDX-License-Identifier: BSD-2-Clause
"""From Verilog to a program that runs, on a node of three lines."""

import subprocess

import pytest

from mcpi.hdl import verilator

NODE = """
module Node(input clk, input tick, output reg [7:0] count);
  initial count = 0;
  always @(posedge clk) if (tick) count <= count + {step};
endmodule
"""
MAIN = """
#include <cstdio>
#include "VNode.h"
#include "testbed/turns.h"
int main() {
    VNode node;
    for (int n = 0; n < TURNS; ++n) {
        node.tick = n % 2;
        node.clk = 0; node.eval();
        node.clk = 1; node.eval();
    }
    std::printf("%d\\n", node.count);
}
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A driver, a node, and a build folder of the test."""
    for room in ("programs", "testbed"):
        (tmp_path / "sim" / room).mkdir(parents=True)
    (tmp_path / "sim" / "programs" / "mcpi_sim.cpp").write_text(MAIN)
    (tmp_path / "sim" / "testbed" / "turns.h").write_text("#define TURNS 10\n")
    (tmp_path / "sim" / "testbed" / "free.cpp").write_text("int free_of_nodes = 1;\n")
    monkeypatch.setattr(verilator, "SIM", tmp_path / "sim")
    monkeypatch.setattr(verilator, "BUILD", tmp_path / "build")
    return tmp_path


def build(place, step: int) -> tuple[str, list[str]]:
    """Output of the program, and the steps that were executed for it."""
    verilog = place / "Node.v"
    verilog.write_text(NODE.format(step=step))
    seen: list[str] = []

    def note(done, all_, label):
        seen.append(label)

    program = verilator.build(verilog, progress=note)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return said.strip(), seen


def test_what_is_built_when(house):
    said, steps = build(house, 3)
    assert said == "15"
    assert "compile verilated.cpp" in steps[: steps.index("verilate Node.v")]
    assert steps[-1] == "link mcpi-sim"

    # The same Verilog, elaborated again: nothing to do.
    assert build(house, 3) == ("15", [])

    header = house / "sim" / "testbed" / "turns.h"
    header.write_text("#define TURNS 20\n")
    said, steps = build(house, 3)
    assert said == "30"
    assert {"compile once.cpp", "link mcpi-sim"} <= set(steps)
    assert not [s for s in steps if s.startswith("compile verilated")]

    # Another node is built beside it, of objects of its own and those that know no node; going back
    # finds everything as it was.
    said, steps = build(house, 4)
    assert said == "40"
    assert steps[0] == "verilate Node.v" and "compile once.cpp" in steps
    assert not {"compile verilated.cpp", "compile free.cpp"} & set(steps)
    assert build(house, 3) == ("30", [])


def test_one_source_is_compiled_anew_for_each_machine():
    program = verilator.NODE
    knows = [p for p in verilator._ours(program) if verilator._includes_class(p, program)]
    assert [path.name for path in knows] == ["node.cpp"]
