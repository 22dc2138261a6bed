# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of driver and wire on the part, next to the exact engine's card: after each step
CSR0, all of memory and the frames on the wire are the same."""

import os
import random

import cocotb
import pytest
from cocotb.triggers import Timer
from cocotbext.eth import GmiiFrame
from lance_support import library as lance_library
from lance_support.axi_bench import AXI4
from lance_support.part_bench import (
    BASE,
    ENP,
    HIGH,
    MERR,
    OWN,
    STATION,
    STP,
    WISHBONE,
    Part,
    framed,
)
from sim_support.cards.two_cards import engine

from mcpi.build import models
from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

SEED = int(os.environ.get("MCPI_SEED", "1996"))
SPARSE, RDP, RAP, US = 0x1_1000_0000, 0x100000, 0x100004, 175
INIT, RX, TX, BUFFERS, END = 0x100, 0x200, 0x240, 0x300, 0x4000
PROM, DTCR, DRX, DTX = 0x8000, 0x0008, 0x0001, 0x0002
QUIET_US = 30
BUS = os.environ.get("MCPI_PART", "wishbone")


@pytest.mark.parametrize("count", [2, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("bus", ["wishbone", "axi4"])
def test_part_histories(bus, count, monkeypatch) -> None:
    wanted = Wanted(bus, "mii")
    monkeypatch.setenv("MCPI_PART", bus)
    monkeypatch.setenv("HISTORIES", str(count))
    monkeypatch.setenv("MCPI_EXACT", str(models.build("liblance-exact.so")))
    run_cocotb(__file__, wanted.top, MACHINE, wanted.settings)


class Exact:
    """The engine's card with memory of its own, at 10 Mb/s and without times of its own."""

    def __init__(self):
        library = engine(os.environ["MCPI_EXACT"], pmad=True)
        self.chip = lance_library.Chip(library, bytearray(64), STATION, profile="ideal")

    def access(self, offset: int, data: int | None = None) -> int:
        return self.chip.access(SPARSE + 2 * offset, data is not None, data or 0)

    def csr(self, number: int, data: int | None = None) -> int:
        self.access(RAP, number)
        return self.access(RDP, data) & 0xFFFF

    def put(self, at: int, data: bytes) -> None:
        for i in range(0, len(data), 4):
            self.access(at + i, int.from_bytes(data[i : i + 4], "little"))

    def memory(self) -> bytes:
        return b"".join(self.access(at).to_bytes(4, "little") for at in range(0, END, 4))

    def passes(self, us: int) -> None:
        left = us * US
        while left:
            left = self.chip.advance(left)

    def put_on_wire(self, data: bytes) -> None:
        self.chip.receive([n for b in b"\x55" * 7 + b"\xd5" + data for n in (b & 15, b >> 4)])

    def sent(self) -> list[bytes]:
        whole = [nibbles for *_, nibbles in self.chip.sent()]
        pairs = [zip(n[16::2], n[17::2], strict=True) for n in whole]
        return [bytes(low | high << 4 for low, high in one) for one in pairs]


class History:
    """Both chips, and one driver whose steps are drawn."""

    def __init__(self, part: Part, seed: int):
        self.part, self.exact, self.rng = part, Exact(), random.Random(seed)
        self.steps: list[str] = []

    async def csr(self, number: int, data: int) -> None:
        await self.part.csr(number, data)
        self.exact.csr(number, data)

    def put(self, at: int, data: bytes) -> None:
        """Both memories; whole longwords."""
        first, last = at & ~3, at + len(data) + 3 & ~3
        self.part.memory.bytes[at : at + len(data)] = data
        self.exact.put(first, bytes(self.part.memory.bytes[first:last]))

    def words(self, at: int, *values: int) -> None:
        self.put(at, b"".join(v.to_bytes(2, "little") for v in values))

    async def settles(self, wire_bytes: int) -> None:
        """Time for what is under way, then all is the same."""
        us = wire_bytes * 8 // 100 + QUIET_US
        await Timer(us, unit="us")
        self.exact.passes(10 * us)
        wire, sent = self.exact.sent(), []
        while (frame := self.part.phy.heard()) is not None:
            sent.append(frame)
        assert sent == wire, self.steps[-3:]
        csr0 = self.exact.csr(0)
        assert await self.part.csr(0) == csr0, f"not {csr0:04x}: {self.steps[-3:]}"
        assert not csr0 & MERR
        mine, wanted = bytes(self.part.memory.bytes[:END]), self.exact.memory()
        other = [at for at in range(END) if mine[at] != wanted[at]]
        assert not other, f"{self.steps[-3:]}: memory at {[f'{at:x}' for at in other[:8]]}"

    async def begin(self) -> None:
        """STOP, another init block with other rings, INIT, STRT."""
        draw = self.rng
        await self.csr(0, 0x0004)
        self.put(0, bytes([0xA5]) * END)
        self.logs = rx, tx = draw.randint(0, 3), draw.randint(0, 3)
        self.mode = draw.choice((0, 0, 0, PROM, DTCR, PROM | DTCR, DRX, DTX))
        self.steps.append(f"begin, rings {rx} {tx}, mode {self.mode:04x}")
        station = [int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4)]
        groups = [draw.choice((0, 0xFFFF, draw.getrandbits(16))) for _ in range(4)]
        self.next_buffer, self.tx, self.rx = BUFFERS, 0, 0
        self.words(INIT, self.mode, *station, *groups, RX, rx << 13, TX, tx << 13)
        for i in range(1 << tx):
            self.words(TX + 8 * i, 0, 0, 0, 0)
        for i in range(1 << rx):
            self.give(i, draw.random() < 0.8)
        for number, value in ((1, INIT), (2, 0), (3, 0), (0, 0x0001)):
            await self.csr(number, value)
        await self.settles(0)
        await self.csr(0, 0x0142)
        await self.settles(0)

    def give(self, i: int, own: bool = True) -> None:
        """A receive descriptor, which may have little room."""
        room = self.rng.choice((64, 65, 100, 200, 800))
        flags = OWN if own else 0
        self.words(RX + 8 * i, self.place(room), flags, -room & 0xFFFF, 0)

    def place(self, room: int) -> int:
        """Some bytes of memory, anywhere; each is used again when all have been."""
        if self.next_buffer + room + 8 > END:
            self.next_buffer = BUFFERS
        at = self.next_buffer + self.rng.randint(0, 3)
        self.next_buffer = at + room + 4
        return at

    async def send(self) -> None:
        draw, ring = self.rng, 1 << self.logs[1]
        count = draw.randint(1, min(3, ring))
        sizes = [draw.choice((64, 100, 101, 300)) for _ in range(count)]
        sizes[0] = max(sizes[0], 100)  # the sheet wants so many in the first of a chain
        self.steps.append(f"send {sizes}")
        given = []
        for n, size in enumerate(sizes):
            at = self.place(size)
            self.put(
                at, (bytes(6) + STATION if n == 0 else b"") + draw.randbytes(size)[12 * (n == 0) :]
            )
            flags = OWN | STP * (n == 0) | ENP * (n == count - 1)
            given.append((TX + 8 * ((self.tx + n) % ring), at, flags, -size & 0xFFFF))
        for descriptor, at, flags, size in reversed(given):
            self.words(descriptor, at, flags, size, 0)
        if not self.mode & DTX:
            self.tx += count
        await self.csr(0, 0x0048)
        await self.settles(sum(sizes))
        if self.mode & DTX:  # nobody takes them
            for descriptor, *_ in given:
                self.words(descriptor, 0, 0, 0, 0)

    async def receive(self) -> None:
        draw = self.rng
        group = bytes([draw.getrandbits(8) | 1]) + draw.randbytes(5)
        to = draw.choice((STATION, STATION, b"\xff" * 6, group, bytes([2]) + draw.randbytes(5)))
        size = draw.choice((40, 60, 60, 61, 100, 300, 700, 1514))
        data = framed(to + draw.randbytes(size - 6))
        if draw.random() < 0.1:
            data = data[:-1] + bytes([data[-1] ^ 1])
        self.steps.append(f"receive {len(data)} to {to.hex()}")
        await self.part.phy.source.send(GmiiFrame.from_raw_payload(data))
        self.exact.put_on_wire(data)
        await self.settles(len(data) + 20)

    async def serve(self) -> None:
        """Some descriptors again, and what CSR0 says is taken."""
        self.steps.append("serve")
        for i in range(1 << self.logs[0]):
            if not self.part.memory.word(RX + 8 * i + 2) & OWN and self.rng.random() < 0.7:
                self.give(i)
        await self.csr(0, 0x7F40)
        await self.settles(0)


@cocotb.test(timeout_time=200, timeout_unit="ms")
@cocotb.parametrize(seed=[SEED + n for n in range(int(os.environ.get("HISTORIES", "2")))])
async def history(dut, seed):
    part = Part(dut, seed, slowest=0, bus=AXI4 if BUS == "axi4" else WISHBONE)
    await part.reset()
    await part.access(BASE, HIGH << 24)
    h = History(part, seed)
    await h.begin()
    for _ in range(40):
        work = (h.receive, h.receive, h.send, h.send, h.serve, h.serve, h.begin)
        await h.rng.choices(work, (3, 3, 3, 3, 2, 2, 1))[0]()
    dut._log.info(f"seed {seed}: {len(h.steps)} steps")
