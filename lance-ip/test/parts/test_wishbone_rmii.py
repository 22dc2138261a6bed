# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP behind Wishbone and RMII: frames each way, and half duplex."""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from lance_support.part_bench import ENP, STATUS, STP, Part, Rmii

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("wishbone", "rmii")
SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_wishbone_rmii():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


async def running(dut, half=False) -> Part:
    part = Part(dut, SEED, Rmii)
    await part.reset()
    await part.start(half=half)
    return part


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def frames_each_way(dut):
    part = await running(dut)
    for size in (60, 61, 400):
        data = part.frame(size)
        assert await part.sent(data) == STP | ENP
        await part.put(data)
        assert await part.got() == data
    assert await part.access(STATUS) & ~3 == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def half_duplex(dut):
    """A carrier while the part sends is a collision, with a retry; else the frame waits for it."""
    part = await running(dut, half=True)
    data = part.frame(200)
    assert await part.sent(data) == STP | ENP, "its own carrier is there, and no collision"
    descriptor = await part.send(data)
    await RisingEdge(dut.rmii_tx_en)
    await Timer(2, unit="us")
    dut.rmii_crs_dv.value = 1
    await Timer(400, unit="ns")
    dut.rmii_crs_dv.value = 0
    await FallingEdge(dut.rmii_tx_en)
    assert await part.given_back(descriptor, us=2000) == STP | ENP | 0x0800
    broken, whole = await part.from_wire(), await part.from_wire()
    assert len(broken) < 64 and whole[:-4] == data
    dut.rmii_crs_dv.value = 1
    descriptor = await part.send(data)
    await Timer(50, unit="us")
    assert not dut.rmii_tx_en.value and part.phy.heard() is None
    dut.rmii_crs_dv.value = 0
    assert await part.given_back(descriptor) == STP | ENP | 0x0400


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_reference_clock_that_stops(dut):
    """The frame under way is lost and reported; frames go both ways when the clock goes again."""
    part = await running(dut)
    descriptor = await part.send(part.frame(400))
    await RisingEdge(dut.rmii_tx_en)
    part.phy.clocks[0].cancel()
    assert await part.given_back(descriptor) == STP | ENP
    assert await part.access(STATUS) & 16
    await part.access(STATUS, 0x3C)
    cocotb.start_soon(Clock(dut.rmii_ref_clk, 20, unit="ns").start())
    await FallingEdge(dut.rmii_tx_en)
    await Timer(5, unit="us")
    while part.phy.heard():
        pass
    data = part.frame(90)
    assert await part.sent(data) == STP | ENP
    await part.put(data)
    assert await part.got() == data
    assert await part.access(STATUS) & ~3 == 0
    part.left_alone()
