# SPDX-License-Identifier: BSD-2-Clause
"""The PLLs of each board's top make what board.toml and the SDRAM's bench say."""

import re

import pytest
import test_sdram

from mcpi.fpga import place_route
from mcpi.machine import boards
from mcpi.machine.boards import Board


def plls(board: Board) -> list[dict[str, int | str]]:
    """Their parameters, the node's last."""
    verilog = place_route.elaborate(board, "dec3000-600", {}).read_text()
    found = re.findall(r"EHXPLLL #\((.*?)\n  \)", verilog, re.S)
    pairs = [re.findall(r"\.(\w+) *\(\"?(\w+)\"? *\)", each) for each in found]
    return [{k: int(v) if v.isdigit() else v for k, v in each} for each in pairs]


def made(pll: dict[str, int | str], mhz: float) -> tuple[float, float, float]:
    """Clocks of a PLL with input ``mhz``: the compared one, its VCO's, and its first output."""
    assert pll["FEEDBK_PATH"] == "CLKOP"
    assert pll["INT_LOCK_STICKY"] == "DISABLED", "a lost lock would not reset the node"
    compared = mhz / pll["CLKI_DIV"]
    first = compared * pll["CLKFB_DIV"]
    return compared, first * pll["CLKOP_DIV"], first


@pytest.mark.parametrize("name", boards.names())
def test_the_plls(name):
    """Within the limits of the ECP5's sysCLOCK PLL, MHz."""
    board = boards.load(name)
    [mhz] = re.findall(r'FREQUENCY PORT "clk\d*" (\d+) MHZ', board.pins.read_text())
    *before, own = plls(board)
    mhz = float(mhz)
    for pll in before:
        compared, vco, mhz = made(pll, mhz)
        assert compared >= 10 and 400 <= vco <= 800
    assert mhz == 100  # RGMII's
    compared, vco, first = made(own, mhz)
    assert compared >= 10 and 400 <= vco <= 800 and first <= 400
    assert (vco, own["CLKOS_DIV"]) == (board.vco_mhz, board.clock_divider)
    assert own["CLKOP_CPHASE"] == own["CLKOS_CPHASE"] == 0
    late = own["CLKOS2_CPHASE"]
    if board.ram == "sdram":
        assert own["CLKOS2_DIV"] == board.clock_divider
        assert late * 1000 / vco == pytest.approx(test_sdram.Bench.PHASE, abs=0.05)
        assert own["CLKOS_DIV"] * 1000 / vco == pytest.approx(test_sdram.PERIOD, abs=0.01)
    else:
        assert late == 0
