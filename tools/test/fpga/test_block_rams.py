# SPDX-License-Identifier: BSD-2-Clause
"""Block RAMs are counted in Verilog by instance; a board that has fewer refuses."""

import pytest

from mcpi.base.errors import UserError
from mcpi.fpga import block_rams, place_route
from mcpi.machine import boards

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
    block = "    out <= data[at];\n" + "    wide <= data[first];\n    wider <= data[second];\n"
    assert block_rams.of(TWO.replace("    out <= data[at];\n", block), "Inner") == {"data": 8}


def test_a_board_that_has_fewer_refuses_with_sizes() -> None:
    board = boards.load("ecpix-5")
    block_rams.check(board, "hp720", {"node.core": 208})
    with pytest.raises(UserError, match=r"hp720: it takes 209 .* has 208.*node.core 207, ram 2"):
        block_rams.check(board, "hp720", {"ram": 2, "node.core": 207})


@pytest.mark.long
def test_the_large_machine_is_refused_before_synthesis() -> None:
    with pytest.raises(UserError, match=r"hp720: it takes \d+ block RAMs, and the LambdaConcept"):
        place_route.ready(boards.load("ecpix-5"), "hp720", {"clock.real_time": "off"})
