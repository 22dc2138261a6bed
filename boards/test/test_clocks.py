# SPDX-License-Identifier: BSD-2-Clause
"""The PLLs of each board's top make what board.toml and the SDRAM's bench say."""

import re

import pytest
import test_sdram

from mcpi.fpga import place_route
from mcpi.machine import boards
from mcpi.machine.boards import Board


def plls(board: Board) -> list[dict[str, str]]:
    """Their parameters, the node's last."""
    verilog = place_route.elaborate(board, "dec3000-600", {}).read_text()
    found = re.findall(r"EHXPLLL #\((.*?)\n  \)", verilog, re.S)
    return [dict(re.findall(r"\.(\w+) *\(\"?(\w+)\"? *\)", each)) for each in found]


@pytest.mark.parametrize("name", boards.names())
def test_the_plls(name):
    """The limits are the ECP5's: FPGA-DS-02012, sysCLOCK PLL timing."""
    board = boards.load(name)
    [mhz] = re.findall(r'FREQUENCY PORT "clk\d*" (\d+) MHZ', board.pins.read_text())
    mhz, made = float(mhz), plls(board)
    assert len(made) == 1 + (mhz != 100)
    for found in made:
        assert found["FEEDBK_PATH"] == "CLKOP"
        assert found["INT_LOCK_STICKY"] == "DISABLED", "a lost lock would not reset the node"
        compared = mhz / int(found["CLKI_DIV"])
        mhz = compared * int(found["CLKFB_DIV"])
        vco = mhz * int(found["CLKOP_DIV"])
        assert compared >= 3.125 and 400 <= vco <= 800
        if found is not made[-1]:
            assert mhz == 100
    assert mhz == pytest.approx(board.clock_mhz)
    assert found["CLKOS_DIV"] == found["CLKOP_DIV"] and found["CLKOP_CPHASE"] == "0"
    late = int(found["CLKOS_CPHASE"]) * 1000 / vco
    assert late == (pytest.approx(test_sdram.Bench.PHASE, abs=0.05) if board.ram == "sdram" else 0)
