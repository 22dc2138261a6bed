# SPDX-License-Identifier: BSD-2-Clause
"""The part as an option of a TURBOchannel: a host with programmed I/O, a PHY."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from cocotbext.eth import GmiiFrame

from lance_support.part_bench import (
    ENP,
    ENTRIES,
    INIT,
    OTHER,
    OWN,
    ROOM,
    RX,
    RX_BUFFER,
    STATION,
    STP,
    TX,
    TX_BUFFER,
    Mii,
    framed,
)

RDP, RAP, STATION_ROM, NAME = 0x100000, 0x100004, 0x1C0000, 0x3C0440


class Option:
    """A host of the bus, with ``every`` clocks a cycle, and the PHY, its clock of ``wire_ns``."""

    def __init__(self, dut, every: int = 1, wire_ns: float = 40):
        self.dut, self.every = dut, every
        self.rng = random.Random(56)
        cocotb.start_soon(Clock(dut.clk, 20, unit="ns").start())
        self.phy = Mii(dut, self.rng, wire_ns)
        self.irq = dut.tc_int_o
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

    async def store(self, at: int, data: bytes) -> None:
        for first in range(at & ~3, at + len(data), 4):
            inside = [i for i in range(4) if 0 <= first + i - at < len(data)]
            word = sum(data[first + i - at] << 8 * i for i in inside)
            await self.access(first, word, sum(1 << i for i in inside))

    async def load(self, at: int, size: int) -> bytes:
        words = [await self.access(i) for i in range(at & ~3, at + size, 4)]
        return b"".join(w.to_bytes(4, "little") for w in words)[at & 3 :][:size]

    async def word(self, at: int) -> int:
        return int.from_bytes(await self.load(at, 2), "little")

    async def words(self, at: int, *values: int) -> None:
        await self.store(at, b"".join(v.to_bytes(2, "little") for v in values))

    async def give(self, descriptor: int, buffer: int, size: int, flags: int) -> None:
        """The word with OWN last."""
        await self.words(descriptor + 4, -size & 0xFFFF, 0)
        await self.words(descriptor, buffer & 0xFFFF, flags | buffer >> 16)

    async def start(self) -> None:
        """Init block and rings; CSR0 is 01F3 afterwards."""
        station = [int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4)]
        await self.words(INIT, 0, *station, 0, 0, 0, 0, RX, 2 << 13, TX, 2 << 13)
        for i in range(ENTRIES):
            await self.give(RX + 8 * i, RX_BUFFER + ROOM * i + 1, ROOM - 8, OWN)
            await self.give(TX + 8 * i, 0, 0, 0)
        self.next_tx = 0
        for number, value in ((0, 4), (1, INIT), (2, 0), (3, 0), (0, 1)):
            await self.csr(number, value)
        await self.until(0x0100)
        await self.csr(0, 0x0142)

    async def until(self, bits: int) -> int:
        for _ in range(300):
            if (value := await self.csr(0)) & bits == bits:
                return value
        raise AssertionError(f"CSR0 {value:04x}: no {bits:04x}")

    def frame(self, size: int) -> bytes:
        """A frame for the part, of anything."""
        return STATION + OTHER + self.rng.randbytes(size - 12)

    async def send(self, data: bytes) -> int:
        """Give a frame to the chip, which starts at an odd address; returns its descriptor."""
        i = self.next_tx % ENTRIES
        descriptor, buffer = TX + 8 * i, TX_BUFFER + ROOM * i + 3
        self.next_tx += 1
        await self.store(buffer, data)
        await self.give(descriptor, buffer, len(data), OWN | STP | ENP)
        await self.csr(0, 0x0048)
        return descriptor

    async def put(self, data: bytes) -> None:
        await self.phy.source.send(GmiiFrame.from_raw_payload(framed(data)))

    async def from_wire(self) -> bytes:
        """The next frame that has left, with its FCS."""
        for _ in range(500):
            if (frame := self.phy.heard()) is not None:
                return frame
            await Timer(200, unit="ns")
        raise AssertionError("no frame on the wire")
