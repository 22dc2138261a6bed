# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet on the part, through its bus and MII at 10 Mb/s.

The part's memory has no gaps. Wire and memory do what the row says where the part has its pins, and
a frame is there some nibbles later than in the chip.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.task import resume
from cocotb.triggers import FallingEdge, First, RisingEdge, Timer
from cocotb.utils import get_sim_time

from lance_support.library import RX_ER
from lance_support.part_bench import BASE, CONTROL, HIGH, RDP, Part, slow
from lance_support.part_bench import RAP as SELECT
from lance_support.sheet_runner import RX_BUFFERS, Runner
from lance_support.window import RAP
from lance_support.window import nibbles as on_wire

MHZ, NIBBLE_NS = 10, 400
LATE = 14  # nibbles from the chip to the PHY and back, at most
SETTLES_US = 5  # the part looks at its ring 16 clocks after STRT
JAM = 8  # nibbles
LONG_US = 50_000  # a longer wait is for the interrupt


class NibbleMii:
    """A PHY that moves nibbles: it hears what leaves, and may collide or lose the carrier."""

    def __init__(self, dut, rng: random.Random):
        self.dut, self.frames = dut, []
        self.collisions: list[int | None] = []  # of the attempts to come: the nibble
        self.no_carrier: int | None = None  # of the next frame: from this nibble on
        self.arrivals: Queue = Queue()
        self.carriers = {"out": 0, "in": 0}
        for pin in (dut.mii_crs, dut.mii_col, dut.mii_rx_dv, dut.mii_rx_er, dut.mii_rxd):
            pin.value = 0
        for clock in (dut.mii_tx_clk, dut.mii_rx_clk):
            cocotb.start_soon(Clock(clock, NIBBLE_NS, unit="ns").start())
        cocotb.start_soon(self._hears())
        cocotb.start_soon(self._sends())

    def _carrier(self, way: str, there: int) -> None:
        self.carriers[way] = there
        self.dut.mii_crs.value = max(self.carriers.values())

    async def _hears(self) -> None:
        d = self.dut
        while True:
            await RisingEdge(d.mii_tx_en)
            nibbles: list[int] = []
            collides = self.collisions.pop(0) if self.collisions else None
            while True:
                await RisingEdge(d.mii_tx_clk)
                if not d.mii_tx_en.value:
                    break
                nibbles.append(int(d.mii_txd.value))
                self._carrier("out", self.no_carrier is None or len(nibbles) < self.no_carrier)
                d.mii_col.value = collides is not None and len(nibbles) > collides
            self.frames.append(nibbles)
            self._carrier("out", 0)
            d.mii_col.value, self.no_carrier = 0, None

    async def _sends(self) -> None:
        d = self.dut
        while True:
            start, nibbles = await self.arrivals.get()
            if (left := start - get_sim_time("ns")) > 0:
                await Timer(round(left), unit="ns")
            await FallingEdge(d.mii_rx_clk)
            self._carrier("in", 1)
            for value in nibbles:
                d.mii_rx_dv.value, d.mii_rxd.value = 1, value & 15
                d.mii_rx_er.value = bool(value & RX_ER)
                await FallingEdge(d.mii_rx_clk)
            d.mii_rx_dv.value = d.mii_rx_er.value = 0
            self._carrier("in", 0)


class PartRunner(Runner):
    """Steps run in a thread of their own (``cocotb.task.bridge``); the time of the simulation
    passes only inside ``_register`` and ``wait``."""

    def __init__(self, part: Part):
        self.part, self.chip = part, self
        self.phy = part.phy
        self.memory_bytes, self.window = part.memory.bytes, part.memory
        self.astray = 0  # memory itself refuses what is outside
        part.memory.rests = True
        self.memory_bytes[:] = bytes(len(self.memory_bytes))

    async def begin(self) -> None:
        await self.part.reset()
        await self.part.access(BASE, HIGH << 24)

    # Registers

    def _register(self, offset: int, value: int | None) -> int:
        register = SELECT if offset == RAP else RDP
        return resume(self.part.access)(register, value) & 0xFFFF

    def _write(self, offset: int, value: int) -> None:
        self._register(offset, value)

    def _read(self, offset: int) -> int:
        return self._register(offset, None)

    def ssr(self, value: int) -> None:
        """RESET of the chip is that of the part, which loses its base, too."""
        if value:
            resume(self.begin)()

    @property
    def line(self) -> bool:
        return bool(self.part.dut.irq.value)

    def wait(self, us: float) -> None:
        resume(self._passes)(max(us, SETTLES_US))

    async def _passes(self, us: float) -> None:
        if us > LONG_US:
            await First(RisingEdge(self.part.dut.irq), Timer(round(us), unit="us"))
            us = LONG_US / 100
        await Timer(round(1000 * us), unit="ns")

    # Memory

    @staticmethod
    def _place(a: int) -> int:
        return a

    def memory(self, us: float | None) -> None:
        """So long for each request: of a frame's 16 bytes, else of a word."""
        memory = self.part.memory
        memory.silent = slow(us, lambda at: at >> 4 if at >= RX_BUFFERS else memory.transfers)

    def slow_bursts(self, us: float) -> None:
        waits = slow(us, lambda at: at >> 4)
        self.part.memory.silent = lambda at: at >= RX_BUFFERS and waits(at)

    # The wire

    def half(self) -> None:
        resume(self.part.access)(CONTROL, 1)

    def arrive(self, whole: bytes, after: float = 0, dribble: bool = False, er: int = -1) -> None:
        sequence = on_wire(whole) + [3] * dribble
        if er >= 0:
            sequence[16 + er] |= RX_ER
        self.phy.arrivals.put_nowait((get_sim_time("ns") + 1000 * after, sequence))

    def collide(self, *at: int | None) -> None:
        self.phy.collisions += at

    def lose_carrier(self, nibble: int) -> None:
        self.phy.no_carrier = nibble

    def _sent(self) -> list[list[int]]:
        sent, self.phy.frames = self.phy.frames, []
        return sent

    def attempts(self, *collisions: int | None, frame: bytes) -> None:
        """Each attempt is whole, or a jam ends it soon after the nibble of its collision."""
        whole = on_wire(frame)
        for n, (at, got) in enumerate(zip(collisions, seen := self._sent())):
            kept = got if at is None else got[:-JAM]
            assert kept == whole[: len(kept)], f"attempt {n} does not begin as the frame does"
            least = len(whole) if at is None else max(16, at + 1)
            assert 0 <= len(kept) - least <= LATE, f"attempt {n} has {len(got)} nibbles"
        assert len(seen) == len(collisions), f"{len(seen)} attempts"
