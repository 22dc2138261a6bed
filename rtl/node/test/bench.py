# SPDX-License-Identifier: BSD-2-Clause
"""A node under cocotb: its RAM, its host, and the little guest it runs."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from mcpi import machine
from mcpi.paths import ROOT

sys.path.insert(0, str(ROOT / "rtl/memory/test"))
from backing import Backing  # noqa: E402

# The walk of the tags after reset is short, and so is the wait for the timer.
SETTINGS = {"bcache.size": "64KB", "timer.hz": "65536"}
TIMER_PERIOD = round(175e6 / 65536)  # ticks
PAL, RESULTS = 0x10000, 0x20000


def assemble() -> bytes:
    """The guest's bytes, to be loaded at `PAL`."""
    source = Path(__file__).with_name("guest.S")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "guest"
        subprocess.run(["alpha-linux-gnu-as", "-mev4", "-o", f"{out}.o", source], check=True)
        copy = ["alpha-linux-gnu-objcopy", "-O", "binary", "-j", ".text", f"{out}.o", f"{out}.bin"]
        subprocess.run(copy, check=True)
        return Path(f"{out}.bin").read_bytes()


def description() -> dict:
    """Node.json of the node under test."""
    place = Path(os.environ["MCPI_MACHINE_JSON"])
    return json.loads((place.parent / "Node.json").read_text())


class Bench:
    """One loop, a clock at a time; `host_ready(clock)` is how fast the host takes bytes."""

    def __init__(self, dut, latency=lambda: 1, host_ready=lambda clock: True):
        self.dut, self.host_ready = dut, host_ready
        dut.io_pause.value = 0
        dut.io_host_fromHost_valid.value = 0
        dut.io_host_toHost_ready.value = 1
        for pin in ("rxStrobe", "rxDv", "rxEr", "rxd", "crs", "col"):
            getattr(dut, f"io_mii_{pin}").value = 0
        self.ram = Backing(dut, dut.clk, 32, latency, prefix="io_backing")
        self.machine = machine.load("dec3000-600", SETTINGS)
        self.numbers, self.counters = description()["registers"], description()["counters"]
        self.outgoing, self.incoming = bytearray(), bytearray()
        self.console = bytearray()
        self.clocks = self.retired = 0

    async def start(self):
        dut = self.dut
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self.ram.run())
        cocotb.start_soon(self._run())

    async def _run(self):
        dut = self.dut
        while True:
            dut.io_host_fromHost_valid.value = int(bool(self.outgoing))
            dut.io_host_fromHost_payload.value = self.outgoing[0] if self.outgoing else 0
            dut.io_host_toHost_ready.value = int(self.host_ready(self.clocks))
            await Timer(1, "step")
            await ReadOnly()
            if self.outgoing and int(dut.io_host_fromHost_ready.value):
                del self.outgoing[0]
            if int(dut.io_host_toHost_valid.value) and int(dut.io_host_toHost_ready.value):
                self.incoming.append(int(dut.io_host_toHost_payload.value))
            self.clocks += 1
            if int(dut.io_tick.value) and int(dut.io_retire_retired_valid.value):
                self.retired += 1
            await FallingEdge(dut.clk)

    async def byte(self):
        for _ in range(20000):
            if self.incoming:
                return self.incoming.pop(0)
            await FallingEdge(self.dut.clk)
        raise AssertionError("the node does not answer")

    async def reply(self, opcode, length):
        """The bytes behind `opcode`; the console's bytes in between are collected."""
        while (first := await self.byte()) == 0x40:
            self.console.append(await self.byte())
        assert first == opcode, hex(first)
        return bytes([await self.byte() for _ in range(length)])

    async def set(self, name, value):
        self.outgoing += struct.pack("<BHQ", 0x20, self.numbers[name], value)
        await self.reply(0x20, 0)

    async def get(self, name):
        self.outgoing += struct.pack("<BH", 0x21, self.numbers[name])
        return struct.unpack("<Q", await self.reply(0x21, 8))[0]

    async def load(self, address, data):
        message = struct.pack("<BIH", 0x10, address, len(data)) + data
        self.outgoing += message + struct.pack("<I", zlib.crc32(message))
        assert await self.reply(0x10, 1) == b"\0"

    async def parameters(self, changes):
        for key in self.machine.selected("run"):
            value = self.machine.parameters[key]
            value = self.machine.ticks(key) if key.endswith("_ns") else int(value)
            await self.set(key, changes.get(key, value))

    async def run_guest(self, changes=None):
        """Load, set everything, run until halted; both banks of the final snapshot."""
        guest = assemble()
        await self.load(PAL, guest + bytes(-len(guest) % 8))
        await self.load(RESULTS, bytes(0x80))
        await self.parameters(changes or {})
        await self.set("node_number", 1)
        await self.set("station_address", 0x0000_1E2B_0008)
        await self.set("timer_phase", 5000)
        await self.set("counters_control", 1)
        await self.set("run", 1)
        for _ in range(400):
            await Timer(2000, "ns")
            status = await self.get("status")
            if status & 1:
                break
        assert status == 0x5A03, hex(status)
        await self.set("counters_control", 8)
        banks = []
        for bank in ("all", "path"):
            names = {name: f"snapshot.{bank}.{name}" for name in self.counters}
            banks.append({name: await self.get(register) for name, register in names.items()})
        assert await self.get("status") == 0x5A03, "no error of the owners' sum"
        return banks

    def result(self, offset):
        """A quadword the guest left in RAM."""
        address = RESULTS + offset
        return self.ram.read(address & ~31) >> 8 * (address & 31) & (1 << 64) - 1
