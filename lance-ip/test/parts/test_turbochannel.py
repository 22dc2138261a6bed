# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP as an option of a TURBOchannel, whose clock is every clock or every second: frames each
way by programmed I/O, the option's ROMs, the bus's reset, half duplex."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from cocotbext.eth import GmiiFrame
from lance_support.part_bench import ENP, OTHER, OWN, STATION, STP, Mii, framed

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("turbochannel", "mii")
RDP, RAP, STATION_ROM, NAME = 0x100000, 0x100004, 0x1C0000, 0x3C0440
INIT, RX, TX, RX_BUFFER, TX_BUFFER = 0x100, 0x200, 0x240, 0x1001, 0x2003
FILL = 0xA5


def test_turbochannel():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


class Option:
    """A host of the bus, with ``every`` clocks a cycle, and the PHY."""

    def __init__(self, dut, every: int):
        self.dut, self.every = dut, every
        cocotb.start_soon(Clock(dut.clk, 20, unit="ns").start())
        self.phy = Mii(dut, random.Random(56))
        for name in ("sel", "write", "ad"):
            dut[f"tc_{name}_i"].value = 0
        dut.half_duplex_i.value = 0
        dut.station_i.value = int.from_bytes(STATION, "little")
        dut.reset.value = dut.tc_reset_i.value = dut.tc_cycle_i.value = 1
        cocotb.start_soon(self._cycles())

    async def _cycles(self) -> None:
        while True:
            for n in range(self.every):
                self.dut.tc_cycle_i.value = n == self.every - 1
                await RisingEdge(self.dut.clk)

    async def cycle(self) -> int | None:
        """The end of this cycle of the bus: AD if the option has answered in it."""
        d = self.dut
        while True:
            await FallingEdge(d.clk)
            rises, said = bool(d.tc_cycle_i.value), bool(d.tc_rdy_o.value)
            read = int(d.tc_ad_o.value)
            await RisingEdge(d.clk)
            if rises:
                return read if said else None

    async def reset(self) -> None:
        for _ in range(8):
            await self.cycle()
        self.dut.reset.value = self.dut.tc_reset_i.value = 0
        await self.cycle()

    async def access(self, offset: int, data: int | None = None, mask: int = 15) -> int:
        d = self.dut
        d.tc_sel_i.value, d.tc_write_i.value = 1, data is not None
        d.tc_ad_i.value = offset >> 2 << 5 | mask
        await self.cycle()
        d.tc_ad_i.value = data or 0
        for _ in range(40):
            if (read := await self.cycle()) is not None:
                break
        else:
            raise AssertionError("no answer to the host")
        d.tc_sel_i.value = 0
        assert await self.cycle() is None, "an answer too many"
        return read

    async def csr(self, number: int, data: int | None = None) -> int:
        await self.access(RAP, number)
        return await self.access(RDP, data) & 0xFFFF

    async def put(self, at: int, data: bytes) -> None:
        for first in range(at & ~3, at + len(data), 4):
            inside = [i for i in range(4) if 0 <= first + i - at < len(data)]
            word = sum(data[first + i - at] << 8 * i for i in inside)
            await self.access(first, word, sum(1 << i for i in inside))

    async def get(self, at: int, size: int) -> bytes:
        words = [await self.access(i) for i in range(at & ~3, at + size, 4)]
        return b"".join(w.to_bytes(4, "little") for w in words)[at & 3 :][:size]

    async def words(self, at: int, *values: int) -> None:
        await self.put(at, b"".join(v.to_bytes(2, "little") for v in values))

    async def start(self) -> None:
        """An entry each way."""
        station = [int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4)]
        await self.words(INIT, 0, *station, 0, 0, 0, 0, RX, 0, TX, 0)
        await self.words(RX, RX_BUFFER, OWN, -200 & 0xFFFF, 0)
        await self.words(TX, 0, 0, 0, 0)
        for number, value in ((0, 4), (1, INIT), (2, 0), (3, 0), (0, 1)):
            await self.csr(number, value)
        await self.until(0x0100)
        await self.csr(0, 0x0142)

    async def until(self, bits: int) -> int:
        for _ in range(300):
            if (value := await self.csr(0)) & bits == bits:
                return value
        raise AssertionError(f"CSR0 {value:04x}: no {bits:04x}")

    async def send(self, data: bytes) -> None:
        await self.put(TX_BUFFER, data)
        await self.words(TX, TX_BUFFER, OWN | STP | ENP, -len(data) & 0xFFFF, 0)
        await self.csr(0, 0x0048)

    async def wire(self) -> bytes:
        for _ in range(500):
            if (frame := self.phy.heard()) is not None:
                return frame
            await Timer(200, unit="ns")
        raise AssertionError("no frame on the wire")


async def running(dut, every: int = 1) -> Option:
    option = Option(dut, every)
    await option.reset()
    await option.start()
    return option


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(every=[1, 2])
async def a_frame_each_way(dut, every):
    option = await running(dut, every)
    data = STATION + OTHER + bytes(range(88))
    await option.put(RX_BUFFER - 1, bytes([FILL]) * 120)
    await option.send(data)
    assert await option.wire() == framed(data)
    await option.until(0x0200)
    assert dut.tc_int_o.value
    assert await option.get(TX + 2, 2) == (STP | ENP).to_bytes(2, "little")
    await option.phy.source.send(GmiiFrame.from_raw_payload(framed(data)))
    assert await option.until(0x0400) & 0xF800 == 0
    whole = await option.get(RX_BUFFER - 1, 106)
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
    assert not dut.mii_tx_en.value
    dut.mii_crs.value = 0
    await option.wire()
    option.phy.clocks[0].cancel()
    lost = cocotb.start_soon(rises(dut.phy_lost_o))
    await option.send(bytes(400))
    await option.until(0x0200)
    await Timer(20, unit="us")
    assert lost.done(), "phy_lost_o says nothing"


async def rises(pin) -> None:
    await RisingEdge(pin)
