# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board netlist``: its reading of a netlist, and its comparison."""

import dataclasses
import re
from pathlib import Path

import pytest

from mcpi.base.errors import RunError, UserError
from mcpi.engines.rtl import gate_level
from mcpi.engines.rtl.gate_level import Gates
from mcpi.engines.rtl.substitute import Compared
from mcpi.spec.run_spec import RTL, RunSpec

NETLIST = r"""
module NodeInside(clk, a, q);
  LUT4 #(
    .INIT(16'h9669)
  ) q_LUT4_Z (
    .A(a)
  );
  LUT4 #(
    .INIT(16'h00ff)
  ) \core.q[3]_LUT4_Z  (
    .A(a)
  );
  L6MUX21 \m.0.0_L6MUX21_Z  (
    .SD(a)
  );
  PFUMX p_PFUMX_Z (
    .C0(a)
  );
endmodule
"""


@pytest.fixture
def gates(tmp_path) -> Gates:
    file = tmp_path / "netlist.v"
    file.write_text(NETLIST)
    return Gates(file, tmp_path / "Node.json", gate_level.cells(NETLIST))


def test_cells():
    assert gate_level.cells(NETLIST) == {"L6MUX21": 1, "LUT4": 2, "PFUMX": 1}


@pytest.mark.parametrize("number", range(20))
def test_a_mutant_differs_in_one_bit(gates, number):
    before = re.findall("16'h(....)", NETLIST)
    mutant = gate_level.mutate(gates, number)
    after = re.findall("16'h(....)", mutant.verilog.read_text())
    changed = [int(a, 16) ^ int(b, 16) for a, b in zip(before, after) if a != b]
    assert len(changed) == 1 and changed[0].bit_count() == 1
    assert gates.verilog.read_text() == NETLIST
    assert mutant.changed.split(",")[0] in NETLIST


def test_no_lut(gates):
    gates.verilog.write_text("module NodeInside();\nendmodule\n")
    with pytest.raises(RunError, match="there is no LUT4"):
        gate_level.mutate(gates, 1)


def counted(**changes: int) -> list[dict]:
    bank = {"ticks": 7, "clocks": 9, "withheld": 1} | changes
    return [{"all": dict(bank), "path": {"ticks": 7}} for _ in range(2)]


def test_every_counter_counts_but_those_of_clocks():
    assert Compared(counted(), counted(clocks=11, withheld=3), 7, 1.0).differences() == []
    both = Compared(counted(), counted(ticks=8), 7, 1.0)
    assert both.differences() == [f"node {n} all.ticks: 7 and 8" for n in (0, 1)]
    assert both.count == 4
    short = counted()
    del short[1]["all"]["ticks"]
    with pytest.raises(RunError, match="not the same names"):
        Compared(counted(), short, 7, 1.0).differences()


def test_no_image(tmp_path):
    with pytest.raises(UserError, match="leave --image out"):
        gate_level.netlist(dataclasses.replace(RunSpec(engine=RTL), image="x"), tmp_path, None)


@pytest.mark.long
def test_a_ping_pong_on_the_gates(tmp_path, capsys):
    """Some minutes of yosys, some of compiling, some of simulating."""
    record = RunSpec(engine=RTL, round_trips=1, warmup=1, lockstep=False)
    gate_level.netlist(record, Path(tmp_path), None)
    assert "are the RTL's, both banks, both nodes" in capsys.readouterr().out
