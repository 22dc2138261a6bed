# SPDX-License-Identifier: BSD-2-Clause
"""The PLL of each board's top makes what board.toml and the SDRAM's bench say."""

import re

import pytest
import test_sdram

from mcpi.fpga import place_route
from mcpi.machine import boards
from mcpi.machine.boards import VCO_MHZ, Board

PHASED = ("CLKOP", "CLKOS", "CLKOS2")


def pll(board: Board) -> dict[str, str]:
    verilog = place_route.elaborate(board, "dec3000-600", {}).read_text()
    [parameters] = re.findall(r"EHXPLLL #\((.*?)\n  \)", verilog, re.S)
    return dict(re.findall(r"\.(\w+) *\(\"?(\w+)\"? *\)", parameters))


@pytest.mark.parametrize("name", boards.names())
def test_the_pll(name):
    board = boards.load(name)
    found = pll(board)
    [input_mhz] = re.findall(r'FREQUENCY PORT "clk\d*" (\d+) MHZ', board.pins.read_text())
    assert int(input_mhz) * int(found["CLKFB_DIV"]) == 100 and found["FEEDBK_PATH"] == "CLKOP"
    assert int(found["CLKOP_DIV"]) * 100 == VCO_MHZ
    assert int(found["CLKOS_DIV"]) == board.clock_divider
    assert found["INT_LOCK_STICKY"] == "DISABLED", "a lock that is lost would not reset the node"
    late = [int(found[f"{output}_CPHASE"]) for output in PHASED]
    assert late[:2] == [0, 0]
    if board.ram == "sdram":
        assert int(found["CLKOS2_DIV"]) == board.clock_divider
        assert late[2] * 1000 / VCO_MHZ == pytest.approx(test_sdram.Bench.PHASE, abs=0.05)
    else:
        assert late[2] == 0
