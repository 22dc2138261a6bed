# SPDX-License-Identifier: BSD-2-Clause
"""Block RAMs counted in Verilog are those that yosys makes; a board that has fewer refuses."""

import re

import pytest

from mcpi.base import yosys
from mcpi.base.errors import UserError
from mcpi.fpga import block_rams, place_route
from mcpi.hdl import blocks, cocotb_run
from mcpi.machine import boards, profile

TWO = """module Inner (
  input clk
);
  (* no_rw_check *) reg [31:0] data [0:2047];
  reg [7:0] small [0:63];
  (* ram_style = "distributed" *) reg [63:0] bank [0:4095];
  always @(posedge clk) begin
    out <= data[at];
    if(write) begin
      data[one] <= a;
      data[other] <= b;
    end
    tiny <= small[at];
    wide <= bank[at];
  end
endmodule
module Top (
  input clk
);
  Inner first (
    .clk (clk)
  );
  Inner second (
    .clk (clk)
  );
endmodule
"""


def test_each_instance_counts_and_a_wide_write_is_a_wide_word() -> None:
    """64 bits of 1,024 words are four RAMs; what is small or said to be distributed is none."""
    assert block_rams.of(TWO, "Top") == {"first.data": 4, "second.data": 4}
    deep = TWO.replace("      data[other] <= b;\n", "").replace("0:2047", "0:16383")
    assert block_rams.of(deep, "Inner") == {"data": 32}


def test_a_board_that_has_fewer_refuses_with_sizes() -> None:
    board = boards.load("ecpix-5")
    block_rams.check(board, "hp720", {"node.core": 208})
    with pytest.raises(UserError, match=r"hp720: it takes 209 .* has 208.*node.core 207, ram 2"):
        block_rams.check(board, "hp720", {"ram": 2, "node.core": 207})


def test_no_board_has_victims() -> None:
    machine = profile.load("dec3000-600", {"dcache.victims": "4"})
    blocks.check("NodeInside", machine)
    with pytest.raises(UserError, match="dcache.victims = 4"):
        blocks.check(blocks.BOARD, machine)


@pytest.mark.long
def test_the_large_machine_is_refused_before_synthesis() -> None:
    with pytest.raises(UserError, match=r"hp720: it takes \d+ block RAMs, and the LambdaConcept"):
        place_route.ready(boards.load("ecpix-5"), "hp720", {"clock.real_time": "off"})


@pytest.mark.long
@pytest.mark.parametrize("settings", [{}, {"dcache.policy": "back", "icache.ways": "4"}])
def test_yosys_makes_as_many(settings: dict[str, str], tmp_path) -> None:
    verilog = cocotb_run.elaborate("NodeInside", settings=settings)
    (tmp_path / "top.v").write_text(verilog.read_text())
    script = "read_verilog top.v; proc -norom; synth_ecp5 -top NodeInside -run begin:map_gates; "
    yosys.run(yosys.YOSYS, ["-q", "-p", script + "tee -o stat stat"], tmp_path, "yosys.out")
    made = re.search(r"^ *(\d+) .*DP16KD|DP16KD +(\d+)$", (tmp_path / "stat").read_text(), re.M)
    counted = block_rams.of(verilog.read_text(), "NodeInside")
    assert counted.total() == int(made[1] or made[2])
