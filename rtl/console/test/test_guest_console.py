# SPDX-License-Identifier: BSD-2-Clause
"""Console between host link and guest: bytes each way, and what one run leaves for the next."""

from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.cocotb.bus import Started
from mcpi.hdl import cocotb_run
from verify.verilog_mutants import VARIABLE, Mutant, planted

DEPTH = 16

MUTANTS = [
    Mutant("GuestConsole", "incoming.io_flush", "1'b0", "bytes are kept for the next guest"),
    Mutant("GuestConsole", "outgoing.io_flush", "held", "bytes for the host are dropped too"),
]


@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1))
def test_a_mistake_shows(monkeypatch, number):
    verilog = planted(cocotb_run.elaborate("GuestConsole"), MUTANTS)
    monkeypatch.setenv(VARIABLE, str(number))
    with pytest.raises(SystemExit):
        cocotb_run.simulate(verilog, Path(__file__))


def test_guest_console():
    cocotb_run.run_cocotb(__file__, "GuestConsole")


class Bench(Started):
    """The console clock by clock; the machine runs unless it is ``held``."""

    def __init__(self, dut):
        self.dut = dut

    async def start(self):
        d = self.dut
        for pin in ("tick", "held", "guest_write_valid", "guest_take", "fromHost_valid"):
            getattr(d, pin).value = 0
        d.toHost_ready.value, d.reset.value = 0, 1
        cocotb.start_soon(Clock(d.clk, 2, "ns").start())
        await self.clocks(2)
        d.reset.value = 0
        await self.clocks(2)

    async def clocks(self, count=1):
        for _ in range(count):
            await FallingEdge(self.dut.clk)

    async def host(self, text):
        for byte in text:
            self.dut.fromHost_valid.value, self.dut.fromHost_payload.value = 1, byte
            await self.clocks()
        self.dut.fromHost_valid.value = 0
        await self.clocks(3)

    async def guest(self, text):
        self.dut.tick.value = 1
        for byte in text:
            self.dut.guest_write_valid.value = 1
            self.dut.guest_write_payload.value = byte
            await self.clocks()
        self.dut.guest_write_valid.value = self.dut.tick.value = 0
        await self.clocks(3)

    async def taken(self):
        """Bytes that the guest takes until there are none."""
        found = bytearray()
        while int(self.dut.guest_available.value):
            found.append(int(self.dut.guest_byte.value))
            self.dut.guest_take.value = self.dut.tick.value = 1
            await self.clocks()
            self.dut.guest_take.value = self.dut.tick.value = 0
            await self.clocks(2)
        assert not int(self.dut.guest_byte.value)
        return bytes(found)

    async def sent(self):
        """Bytes that come to the host until there are none."""
        found = bytearray()
        self.dut.toHost_ready.value = 1
        while int(self.dut.toHost_valid.value):
            found.append(int(self.dut.toHost_payload.value))
            await self.clocks()
        self.dut.toHost_ready.value = 0
        return bytes(found)


@cocotb.test()
async def bytes_pass_both_ways(dut):
    """In order; time stands still before bytes of the guest have no place, and a byte that the
    guest does not take in a tick stays."""
    bench = await Bench.started(dut)
    await bench.host(b"one")
    dut.guest_take.value = 1
    await bench.clocks(3)
    dut.guest_take.value = 0
    assert await bench.taken() == b"one"
    text = bytes(range(65, 65 + 12))
    await bench.guest(text[:11])
    assert not int(dut.hold.value)
    await bench.guest(text[11:])
    assert int(dut.hold.value)
    assert await bench.sent() == text
    await bench.clocks(2)
    assert not int(dut.hold.value)


@cocotb.test()
async def the_next_guest_gets_no_byte_of_the_last(dut):
    """When the machine is held, bytes that were not taken are dropped, however many, and bytes for
    the host are not; bytes that come while it is held are for the next guest."""
    bench = await Bench.started(dut)
    for count in (1, DEPTH):
        await bench.host(b"x" * count)
        await bench.guest(b"last")
        dut.held.value = 1
        await bench.clocks(3)
        assert not int(dut.guest_available.value)
        await bench.host(b"early")
        dut.held.value = 0
        await bench.clocks(3)
        assert await bench.taken() == b"early"
        assert await bench.sent() == b"last"
