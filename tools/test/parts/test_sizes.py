# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip sizes``: what stands around the part, which clock of a placer's report is its, and
the table of data sheets."""

import pytest

from mcpi.base.errors import UserError
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
        ("part.clk", True),
        ("part.mii_rx_clk", False),
        ("$glbnet$mii_rx_clk$TRELLIS_IO_IN", False),
        ("rgmii_clk_100", False),
    ],
)
def test_the_clock_of_the_part_among_others(net, is_clk) -> None:
    assert bool(sizes.CLK.match(net)) == is_clk


def test_each_port_of_a_gowin_has_a_pad() -> None:
    gowin = next(family for family in sizes.FAMILIES if family.pads)
    lines = sizes.pad_lines(sizes.between_pins(VERILOG, "Part"), gowin).splitlines()
    ports = ["clk", "mii_rx_clk", "first", "last"]
    assert lines == [f'IO_LOC "{p}" {pad};' for p, pad in zip(ports, gowin.pads, strict=False)]
    assert len(set(gowin.pads)) == len(gowin.pads)


def test_a_row_is_kept_in_place_of_the_one_before(tmp_path, monkeypatch) -> None:
    table = tmp_path / "sizes.csv"
    old = ("axi4", "mii", "iCE40", "HX8K", "1", "2", "3", "4")
    table.write_text(f"# SPDX\n{','.join(sizes.HEAD)}\n{','.join(old)}\n")
    monkeypatch.setattr(sizes, "TABLE", table)
    new = [
        (*old[:4], "5", "6", "7", "8"),
        ("axi4", "mii", "ECP5", "a, b", "1", "1", "1", "1"),
        ("wishbone", "rmii", "Xilinx 7", "", "1", "1", "1", ""),
    ]
    sizes.keep(new)
    assert table.read_text().splitlines()[2:] == [
        "wishbone,rmii,Xilinx 7,,1,1,1,",
        'axi4,mii,ECP5,"a, b",1,1,1,1',
        "axi4,mii,iCE40,HX8K,5,6,7,8",
    ]


def test_a_family_that_there_is_not() -> None:
    with pytest.raises(UserError, match="--family ECP: there are ECP5, iCE40, Gowin, Xilinx 7"):
        sizes.rows("wishbone", "mii", "ECP")


def test_a_device_with_too_few_block_rams_has_no_clock(tmp_path, monkeypatch) -> None:
    ice40 = next(family for family in sizes.FAMILIES if family.name == "iCE40")
    (tmp_path / "cells.json").write_text('{"SB_LUT4": 5, "SB_RAM40_4K": 33, "SB_DFFE": 2}')
    monkeypatch.setattr(sizes.cocotb_run, "elaborate", lambda *_: tmp_path)
    monkeypatch.setattr(sizes, "_netlists", lambda *_: tmp_path)
    row = sizes.measure(sizes.lance.Wanted("turbochannel", "mii"), ice40)
    assert row[4:] == ("5", "2", "33", sizes.NO_ROOM)
