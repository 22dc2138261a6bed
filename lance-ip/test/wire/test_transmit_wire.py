# SPDX-License-Identifier: BSD-2-Clause
"""The transmitter's wire alone: no memory is so fast that the whole chip gets there.

A frame may be ready while the last nibble of a frame that STOP has cut is still on the wire.
"""

import os
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from lance_support.wire_mutant import FORGETS

from mcpi.hdl import cocotb_run
from verify.verilog_mutants import VARIABLE, planted

NIBBLE = 70  # ticks
GAP = 24 * NIBBLE  # between two frames


@pytest.fixture(scope="module")
def verilog():
    """The wire with the mistake, which acts where the environment names it."""
    return planted(cocotb_run.elaborate("TransmitWire"), [FORGETS])


def test_no_go_is_lost(verilog):
    cocotb_run.simulate(verilog, Path(__file__))


def test_a_lost_go_is_found(verilog, monkeypatch):
    monkeypatch.setitem(os.environ, VARIABLE, "1")
    with pytest.raises((AssertionError, SystemExit)):
        cocotb_run.simulate(verilog, Path(__file__), only="a_go_in_each_tick_after_a_stop")


async def pulse(dut, pin) -> None:
    pin.value = 1
    await RisingEdge(dut.clk)
    pin.value = 0


async def first_bit(dut, ticks: int) -> bool:
    """Does a frame begin within so many ticks?"""
    for _ in range(ticks):
        await FallingEdge(dut.clk)
        if int(dut.firstBit.value):
            return True
    return False


@cocotb.test()
async def a_go_in_each_tick_after_a_stop(dut):
    """STOP cuts a frame; the next one is ready 1 to 80 ticks later, and is sent."""
    for name in ("halt", "go", "reseed", "skip", "carrier", "collision", "halfDuplex", "complete"):
        getattr(dut, name).value = 0
    for name in dir(dut):
        if name.startswith(("timing_", "mode_", "physical")):
            getattr(dut, name).value = 0
    dut.appendFcs.value = dut.mayRetry.value = dut.silo_valid.value = 1
    dut.silo_payload.value, dut.reset.value = 0x5A, 1
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.reset.value = 0
    in_last_nibble = 0
    for delay in range(1, NIBBLE + 10):
        await pulse(dut, dut.go)
        assert await first_bit(dut, 2 * GAP), f"the frame before {delay}"
        for _ in range(20 * NIBBLE + delay):
            await RisingEdge(dut.clk)
        await pulse(dut, dut.halt)
        for _ in range(delay):
            await RisingEdge(dut.clk)
        in_last_nibble += int(dut.enable.value)
        await pulse(dut, dut.go)
        assert await first_bit(dut, 2 * GAP), f"`go` {delay} ticks after STOP is lost"
        await pulse(dut, dut.halt)
        for _ in range(2 * NIBBLE):
            await RisingEdge(dut.clk)
    assert in_last_nibble > NIBBLE // 4, "`go` hardly ever came while the wire was busy"
