# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP as an option of a TURBOchannel, whose clock is every clock or every second: frames each
way by programmed I/O, the option's ROMs, the bus's reset, half duplex."""

import cocotb
from cocotb.triggers import RisingEdge, Timer
from lance_support.option_bench import NAME, RAP, RDP, STATION_ROM, Option
from lance_support.part_bench import ENP, RX_BUFFER, STATION, STP, framed

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("turbochannel", "mii")
FILL = 0xA5


def test_turbochannel():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


async def running(dut, every: int = 1) -> Option:
    option = Option(dut, every)
    await option.reset()
    await option.start()
    return option


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(every=[1, 2])
async def a_frame_each_way(dut, every):
    option = await running(dut, every)
    data = option.frame(100)
    await option.store(RX_BUFFER, bytes([FILL]) * 120)
    descriptor = await option.send(data)
    assert await option.from_wire() == framed(data)
    await option.until(0x0200)
    assert dut.tc_int_o.value
    assert await option.word(descriptor + 2) == STP | ENP
    await option.put(data)
    assert await option.until(0x0400) & 0xF800 == 0
    whole = await option.load(RX_BUFFER, 106)
    assert whole == bytes([FILL]) + framed(data) + bytes([FILL])
    await option.csr(0, 0x0640)
    assert not dut.tc_int_o.value and not dut.phy_lost_o.value


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def roms_bytes_and_reset(dut):
    option = await running(dut)
    assert await option.csr(0) == 0x0073
    rom = [await option.access(STATION_ROM + 4 * i) for i in range(6)]
    assert bytes(word >> 16 & 0xFF for word in rom) == STATION
    name = [await option.access(NAME + 4 * i) & 0xFF for i in range(8)]
    assert bytes(name) == b"PMAD-AA ", bytes(name)
    await option.access(0x1FFFC, 0x11223344)
    await option.access(0x1FFFC, 0xAABBCCDD, mask=0b0100)
    assert await option.access(0x1FFFC) == 0x11BB3344
    dut.tc_reset_i.value = 1
    await option.cycle()
    dut.tc_reset_i.value = 0
    await option.cycle()
    assert await option.csr(0) == 0x0004, "the bus's reset is the chip's"
    assert await option.access(0x1FFFC) == 0x11BB3344


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_write_in_the_cycle_of_a_reset(dut):
    """The bus's reset in the cycle in which RAP would be written: RAP is 0, as after a reset."""
    option = await running(dut)
    dut.tc_sel_i.value, dut.tc_write_i.value = 1, 1
    dut.tc_ad_i.value = RAP >> 2 << 5 | 15
    await option.cycle()
    dut.tc_ad_i.value = 3
    dut.tc_sel_i.value, dut.tc_reset_i.value = 0, 1
    await option.cycle()
    dut.tc_reset_i.value = 0
    for _ in range(3):
        await option.cycle()
    assert await option.access(RAP) == 0
    assert await option.access(RDP) == 0x0004


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def half_duplex_waits_and_a_clock_that_stops(dut):
    option = await running(dut)
    dut.half_duplex_i.value = 1
    dut.mii_crs.value = 1
    await option.send(bytes(64))
    await Timer(50, unit="us")
    assert not dut.mii_tx_en.value and option.phy.heard() is None
    dut.mii_crs.value = 0
    await option.from_wire()
    option.phy.clocks[0].cancel()
    lost = cocotb.start_soon(rises(dut.phy_lost_o))
    await option.send(bytes(400))
    await option.until(0x0200)
    await Timer(20, unit="us")
    assert lost.done(), "phy_lost_o says nothing"


async def rises(pin) -> None:
    await RisingEdge(pin)
