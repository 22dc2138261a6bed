# SPDX-License-Identifier: BSD-2-Clause
"""Bench of every LANCE test: clock and ticks, the core's side, memory, and the wire's end.

Times are in ticks (175 a microsecond); with ``tick`` always high a clock is a tick.
"""

import json
import os
import random
import zlib
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer, with_timeout

from mcpi.cocotb.bus import PERIOD, CoreAndMemory

US = 175
NIBBLE = 70
WINDOW = 0x20000  # of the LANCE, in memory
SLOT7 = 0x1_E000_0000
RDP, RAP = 0xC0000, 0xC0004
POINTER, SSR, SIR, SIMR, SLOT_REGISTER, ROM = 0x40020, 0x40100, 0x40110, 0x40120, 0x40160, 0x80000
TIMES = "poll word gap arbitration csr demand setup start heartbeat status interrupt".split()


def sparse(offset: int) -> int:
    """Address of a dense slot-7 offset in the slot's sparse half."""
    return SLOT7 + 0x1000_0000 + 2 * offset


def fcs(frame: bytes) -> bytes:
    return zlib.crc32(frame).to_bytes(4, "little")


def timed(function):
    """A test that ends, well or badly, within 200 ms of virtual time."""
    return cocotb.test(timeout_time=200, timeout_unit="ms")(function)


class Bench(CoreAndMemory):
    """Bench of a LanceOnTc. ``timing`` overrides the machine's times, in ns."""

    tasks: list = []  # of the bench that runs now, its clock among them

    def __init__(self, dut, seed: int = 1):
        for task in Bench.tasks:  # one of an earlier bench in the same test
            task.cancel()
        Bench.tasks = []
        super().__init__(dut, 0x60000)
        self.random = random.Random(seed)
        self.machine = json.loads(Path(os.environ["MCPI_MACHINE_JSON"]).read_text())["parameters"]
        self.sent: list[tuple[int, int, bytes]] = []  # first bit, after last bit, bytes with FCS
        self.skipping = False  # one clock for many ticks while nothing happens
        self.skipped = 0

    @property
    def now(self) -> int:
        return super().now + self.skipped

    async def start(
        self, sqe: int = 1, poll_phase: int = 1000, half: bool = False, **timing_ns: int
    ) -> None:
        dut = self.dut
        for signal in dut:
            if signal._name.startswith("io_") and not signal._name.endswith(
                ("_ready", "rsp_valid")
            ):
                try:
                    signal.value = 0
                except Exception:  # an output
                    pass
        for name in TIMES:
            ns = timing_ns.get(name, self.machine[f"lance.{name}_ns"])
            getattr(dut, f"io_timing_{name}").value = int(ns * US / 1000 + 0.5)
        dut.io_timing_transmitThreshold.value = self.machine["lance.transmit_threshold"]
        dut.io_pollPhase.value = poll_phase
        dut.io_heartbeat.value = sqe
        dut.io_halfDuplex.value = int(half)
        dut.io_station.value = int.from_bytes(bytes.fromhex("08002b010203"), "little")
        dut.io_tick.value = 1
        dut.reset.value = 1
        self.run(Clock(dut.clk, PERIOD, unit="ns").start())
        for _ in range(4):
            await RisingEdge(dut.clk)
        self.helpers = [self.run(f()) for f in (self.serve_memory, self._listen, self._skip)]
        dut.reset.value = 0
        await self.ticks(60)

    def run(self, coroutine):
        """Beside the test, until it ends or makes another bench."""
        task = cocotb.start_soon(coroutine)
        Bench.tasks.append(task)
        return task

    async def _skip(self) -> None:
        """While ``skipping``: only edges may be waited for, a Timer does not know of the ticks."""
        d = self.dut
        while True:
            await FallingEdge(d.clk)
            if not self.skipping:
                d.io_skip.value = 0
                await Timer(100 * PERIOD, unit="ns")
                continue
            skip = max(0, int(d.io_nextEvent.value) - 1)
            d.io_skip.value = skip
            self.skipped += skip

    async def ticks(self, n: int) -> None:
        if n > 1:
            await Timer((n - 1) * PERIOD + 3, unit="ns")  # into the last one, wherever we are
        await RisingEdge(self.dut.clk)

    async def read(self, offset: int) -> int:
        data, error, _ = await self.access(sparse(offset), False)
        assert not error, f"read of {offset:x} timed out"
        return data & 0xFFFFFFFF

    async def write(self, offset: int, data: int) -> None:
        _, error, _ = await self.access(sparse(offset), True, data)
        assert not error, f"write of {offset:x} timed out"

    async def select(self, number: int) -> None:
        """DEC's drivers write RAP until it reads back."""
        for _ in range(4):
            await self.write(RAP, number)
            if await self.read(RAP) == number:
                return
        raise AssertionError("RAP does not read back")

    async def csr(self, number: int) -> int:
        await self.select(number)
        return await self.read(RDP)

    async def set_csr(self, number: int, value: int) -> None:
        await self.select(number)
        await self.write(RDP, value)

    async def wait_csr0(self, mask: int, us: float = 2500) -> int:
        """Polls CSR0 (selected already) until a bit of ``mask`` is there."""
        end = self.now + int(us * US)
        while self.now < end:
            value = await self.read(RDP)
            if value & mask:
                return value
            await self.ticks(100)
        raise AssertionError(f"CSR0 never had one of {mask:04x} within {us} us")

    async def wait_line(self, level: int, us: float = 2500) -> int:
        """Waits for the interrupt line; returns the tick."""
        if self.dut.io_interrupt.value != level:
            edge = RisingEdge if level else FallingEdge
            await with_timeout(edge(self.dut.io_interrupt), int(us * US * PERIOD), "ns")
        now = self.now
        await RisingEdge(self.dut.clk)
        return now

    # The wire's end.

    async def _listen(self) -> None:
        d = self.dut
        nibbles, first, before = [], 0, 0
        while True:
            await RisingEdge(d.io_mii_txStrobe)
            if d.io_mii_txEn.value == 1:
                if not nibbles:
                    first = self.now
                else:
                    assert self.now - before == NIBBLE, "transmit strobes 70 ticks apart"
                nibbles.append(int(d.io_mii_txd.value))
                before = self.now
            elif nibbles:
                start = nibbles.index(0xD) + 1
                assert nibbles[: start - 1] == [5] * (start - 1), "preamble"
                body = nibbles[start:]
                data = bytes(lo | hi << 4 for lo, hi in zip(body[::2], body[1::2]))
                self.sent.append((first, self.now, data))
                nibbles = []

    async def send(self, frame: bytes, error_at: int = -1, bare: bool = False) -> int:
        """A frame to the chip (FCS is added, unless ``bare``); returns the tick after its last bit.

        ``error_at``: the nibble, counted from the preamble's first, with which RX_ER is high.
        """
        check = b"" if bare else fcs(frame)
        nibbles = [5] * 15 + [0xD]
        for byte in frame + check:
            nibbles += [byte & 15, byte >> 4]
        d = self.dut
        for i, nibble in enumerate([*nibbles, None]):
            d.io_mii_rxStrobe.value = 1
            d.io_mii_rxEr.value = int(i == error_at)
            d.io_mii_rxDv.value = int(nibble is not None)
            d.io_mii_rxd.value = nibble or 0
            await RisingEdge(d.clk)
            d.io_mii_rxStrobe.value = 0
            if nibble is None:
                return self.now
            await self.ticks(NIBBLE - 1)
        return self.now

    # Chip addresses in memory (sources/lance.md 3.2).

    def word(self, a: int) -> int:
        at = WINDOW + 2 * (a & ~1)
        return int.from_bytes(self.memory[at : at + 2], "little")

    def set_word(self, a: int, value: int) -> None:
        at = WINDOW + 2 * (a & ~1)
        self.memory[at : at + 2] = value.to_bytes(2, "little")

    def byte_at(self, a: int) -> int:
        """Memory address of a buffer byte."""
        return WINDOW + ((2 * a) & ~31) + (a & 15)

    def buffer(self, a: int, size: int) -> bytes:
        return bytes(self.memory[self.byte_at(a + i)] for i in range(size))

    def set_buffer(self, a: int, data: bytes) -> None:
        for i, byte in enumerate(data):
            self.memory[self.byte_at(a + i)] = byte
