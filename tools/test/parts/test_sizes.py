# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip sizes``: what stands around the part, and which clock of a placer's report is its."""

import pytest

from mcpi.parts import sizes

VERILOG = """module Part (
  input  wire          clk,
  input  wire          mii_rx_clk,
  input  wire [3:0]    mii_rxd,
  output wire          irq,
  output wire [1:0]    more
);
endmodule
"""


def test_all_ports_but_the_clocks_lie_between_registers() -> None:
    around = sizes.between_pins(VERILOG, "Part")
    assert "input clk, input mii_rx_clk, input first, output reg last" in around
    assert ".mii_rxd(chain[0 +: 4]), .irq(out[0 +: 1]), .more(out[1 +: 2])" in around
    assert "reg [3:0] chain;" in around and "wire [2:0] out;" in around


@pytest.mark.parametrize(
    ("net", "is_clk"),
    [
        ("clk", True),
        ("$glbnet$clk$TRELLIS_IO_IN", True),
        ("clk$SB_IO_IN_$glb_clk", True),
        ("clk_IBUF_I_O", True),
        ("$glbnet$mii_rx_clk$TRELLIS_IO_IN", False),
        ("rgmii_clk_100", False),
    ],
)
def test_the_clock_of_the_part_among_others(net, is_clk) -> None:
    assert bool(sizes.CLK.match(net)) == is_clk
