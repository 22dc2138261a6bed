# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP behind Wishbone and MII, in real clocks (lance-ip/parts)."""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from lance_support.part_bench import (
    ENP,
    ERR,
    INIT,
    IRQ,
    MERR,
    OWN,
    RX,
    STATUS,
    STP,
    TX_BUFFER,
    Part,
    slow,
)

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("wishbone", "mii")
SEED = int(os.environ.get("MCPI_SEED", "1996"))
RINT_TINT = 0x0600


def test_wishbone():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


async def running(dut, mode=0, half=False, **how) -> Part:
    part = Part(dut, SEED, **how)
    await part.reset()
    await part.start(mode, half)
    return part


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def registers(dut):
    part = Part(dut, SEED)
    await part.answers_registers()
    await part.access(7, 0xFFFFFFFF)
    assert await part.access(7) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_frame_each_way(dut):
    part = await running(dut)
    assert part.memory.transfers >= 12
    assert await part.csr(0) & 0x00FF == 0x0073
    for size in (60, 61, 300, 1514):
        data = part.frame(size)
        assert await part.sent(data) == STP | ENP
        await part.put(data)
        assert await part.got() == data
    assert (await part.until(RINT_TINT)) & 0xF880 == 0x0080 and dut.irq.value
    await part.csr(0, 0x0640)
    assert not await part.csr(0) & RINT_TINT and not dut.irq.value
    assert await part.access(STATUS) & ~(IRQ | 2) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def both_ways_at_once(dut):
    """Frames that follow each other without a pause, from a clock a little faster or slower."""
    part = await running(dut, slowest=0)
    back = [part.frame(part.rng.choice((60, 64, 100, 777))) for _ in range(6)]
    for data in back[:3]:
        await part.put(data)
    out = [part.frame(part.rng.choice((60, 64, 100, 777))) for _ in range(4)]
    for data in out:
        assert await part.sent(data) == STP | ENP
    for data in back[3:]:
        await part.put(data)
    for data in back:
        assert await part.got() == data
    assert await part.access(STATUS) & ~(IRQ | 2) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(silent=[False, True], place=["init", "ring", "send", "receive"])
async def memory_that_fails(dut, silent, place):
    """An error, or no answer, anywhere in DMA: MERR and a report; then all works again."""
    part = Part(dut, SEED)
    await part.finds_memory_broken(silent, place)
    assert part.memory.given_up == silent
    assert not await part.access(STATUS) & 2
    await part.recovers()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def longwords_that_are_slow_together(dut):
    """20 us a longword: the bus has time enough, the chip has not: its 25.6 us are of a burst of
    four together, which is ours. MERR, no report of the bus, no frame."""
    part = await running(dut)
    waits = slow(20, lambda at: at >> 2)
    part.memory.silent = lambda at: at >= TX_BUFFER and waits(at)
    descriptor = await part.send(part.frame(100))
    assert await part.until(MERR) & 0x0200 == 0
    assert await part.access(STATUS) & ~(IRQ | 2) == 0
    assert part.memory.word(descriptor + 2) & OWN and part.phy.heard() is None
    await part.recovers()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def rings_that_are_not_aligned(dut):
    """The lowest bits of three addresses count for nothing: all is where it was."""
    part = await running(dut)
    await part.csr(0, 0x0004)
    part.write_block()
    for at in (INIT + 16, INIT + 20):
        part.memory.set_word(at, part.memory.word(at) | 7)
    await part.csr(1, INIT | 1)
    await part.csr(0, 0x0001)
    await part.until(0x0100)
    await part.csr(0, 0x0142)
    data = part.frame(100)
    assert await part.sent(data) == STP | ENP
    await part.put(data)
    assert await part.got() == data
    assert await part.access(STATUS) & ~(IRQ | 2) == 0
    part.left_alone()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_send_clock_that_stops(dut):
    """The frame is lost and reported; frames go again when the clock does."""
    part = await running(dut)
    descriptor = await part.send(part.frame(400))
    await RisingEdge(dut.mii_tx_en)
    part.phy.clocks[0].cancel()
    assert await part.given_back(descriptor) == STP | ENP
    assert await part.access(STATUS) & 16
    await part.access(STATUS, 16)
    cocotb.start_soon(Clock(dut.mii_tx_clk, 40, unit="ns").start())
    await FallingEdge(dut.mii_tx_en)
    await Timer(5, unit="us")
    while part.phy.heard():
        pass
    data = part.frame(90)
    assert await part.sent(data) == STP | ENP
    assert await part.access(STATUS) & ~(IRQ | 2) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_receive_clock_that_stops(dut):
    """The frame ends with a wrong FCS; the next is whole."""
    part = await running(dut)
    await part.put(part.frame(400))
    await RisingEdge(dut.mii_rx_dv)
    await Timer(10, unit="us")
    part.phy.clocks[1].cancel()
    flags = await part.given_back(RX)
    assert flags & (ERR | 0x0800), f"{flags:04x}"
    cocotb.start_soon(Clock(dut.mii_rx_clk, 40, unit="ns").start())
    await FallingEdge(dut.mii_rx_dv)
    part.next_rx += 1
    data = part.frame(80)
    await part.put(data)
    assert await part.got() == data
    part.left_alone()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_collision(dut):
    """Half duplex: a jam, and the frame again; the descriptor says one retry."""
    part = await running(dut, half=True)

    async def carrier():
        while True:
            await RisingEdge(dut.mii_tx_clk)
            dut.mii_crs.value = dut.mii_tx_en.value

    cocotb.start_soon(carrier())
    data = part.frame(200)
    descriptor = await part.send(data)
    await RisingEdge(dut.mii_tx_en)
    await Timer(2, unit="us")
    dut.mii_col.value = 1
    await Timer(400, unit="ns")
    dut.mii_col.value = 0
    await FallingEdge(dut.mii_tx_en)
    assert await part.given_back(descriptor, us=2000) == STP | ENP | 0x0800
    await Timer(2, unit="us")
    assert part.memory.word(descriptor + 2) & OWN == 0
    whole = [part.phy.heard(), part.phy.heard()]
    assert len(whole[0]) < 64 and whole[1][:-4] == data


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_carrier_of_others(dut):
    """Half duplex: the chip waits, and says so."""
    part = await running(dut, half=True)
    dut.mii_crs.value = 1
    descriptor = await part.send(part.frame(64))
    await Timer(50, unit="us")
    assert not dut.mii_tx_en.value and part.phy.heard() is None
    dut.mii_crs.value = 0
    await RisingEdge(dut.mii_tx_en)
    dut.mii_crs.value = 1
    flags = await part.given_back(descriptor)
    assert flags == STP | ENP | 0x0400, f"{flags:04x}"
