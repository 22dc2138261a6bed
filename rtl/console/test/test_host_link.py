# SPDX-License-Identifier: BSD-2-Clause
"""Host link, byte for byte: docs/reference/contracts.md 5."""

import os
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.cocotb.bus import Started
from mcpi.cocotb.host_link import (
    GET,
    PING,
    READ,
    REFUSED,
    crc,
    read_ram,
    read_register,
    request,
    to_guest,
    write_ram,
    write_register,
)
from mcpi.hdl.cocotb_run import run_cocotb


def test_host_link():
    run_cocotb(__file__, "HostLink")


class Bench(Started):
    """Both byte streams, RAM behind them, a few registers, a console; one loop, stalls by `rng`."""

    def __init__(self, dut, seed, stalls=True):
        self.dut, self.rng, self.stalls = dut, random.Random(seed), stalls
        self.outgoing, self.incoming = bytearray(), bytearray()
        self.ram: dict[int, int] = {}
        self.registers: dict[int, int] = {}
        self.guest_in, self.guest_out = bytearray(), bytearray()
        self.guest_ready = True
        self.answers = []  # RAM reads under way: [clocks left, block]

    async def start(self):
        dut = self.dut
        dut.held.value = 1
        for pin in ("fromHost_valid", "toHost_ready", "backing_cmd_ready", "backing_rsp_valid"):
            getattr(dut, pin).value = 0
        dut.toGuest_ready.value = 0
        dut.fromGuest_valid.value = 0
        dut.registers_value.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self._run())

    def _go(self):
        return not self.stalls or self.rng.random() < 0.6

    async def _run(self):
        dut = self.dut
        while True:
            byte = self.outgoing[0] if self.outgoing and self._go() else None
            guest = self.guest_out[0] if self.guest_out else None
            dut.fromHost_valid.value = int(byte is not None)
            dut.fromHost_payload.value = byte or 0
            dut.fromGuest_valid.value = int(guest is not None)
            dut.fromGuest_payload.value = guest or 0
            dut.toGuest_ready.value = int(self.guest_ready)
            dut.toHost_ready.value = int(self._go())
            dut.backing_cmd_ready.value = int(self._go())
            due = bool(self.answers) and self.answers[0][0] <= 0
            dut.backing_rsp_valid.value = int(due)
            if due:
                dut.backing_rsp_payload.value = self.answers.pop(0)[1]
            for answer in self.answers:
                answer[0] -= 1
            await cocotb.triggers.Timer(1, "step")
            await cocotb.triggers.ReadOnly()
            if byte is not None and int(dut.fromHost_ready.value):
                del self.outgoing[0]
            if guest is not None and int(dut.fromGuest_ready.value):
                del self.guest_out[0]
            if int(dut.toHost_valid.value) and int(dut.toHost_ready.value):
                self.incoming.append(int(dut.toHost_payload.value))
            if int(dut.toGuest_valid.value) and int(dut.toGuest_ready.value):
                self.guest_in.append(int(dut.toGuest_payload.value))
            if int(dut.backing_cmd_valid.value) and int(dut.backing_cmd_ready.value):
                self._ram()
            number = int(dut.registers_number.value)
            if int(dut.registers_write.value):
                self.registers[number] = int(dut.registers_data.value)
            read = int(dut.registers_read.value)
            await FallingEdge(dut.clk)
            # The answer is looked at two clocks after the question; before and after it is garbage.
            self.value = getattr(self, "next_value", 0xBAD)
            self.next_value = self.registers.get(number, 0x1234) if read else 0xBAD
            dut.registers_value.value = self.value

    def _ram(self):
        dut = self.dut
        address = int(dut.backing_cmd_payload_address.value)
        assert address % 32 == 0
        if int(dut.backing_cmd_payload_write.value):
            data, mask = (
                int(dut.backing_cmd_payload_data.value),
                int(dut.backing_cmd_payload_mask.value),
            )
            for i in range(32):
                if mask >> i & 1:
                    self.ram[address + i] = data >> 8 * i & 0xFF
        else:
            block = bytes(self.ram.get(address + i, 0xEE) for i in range(32))
            self.answers.append([self.rng.randrange(1, 9), int.from_bytes(block, "little")])

    async def talk(self, request: bytes, reply_bytes: int) -> bytes:
        """Send a request, await so many bytes, and see that no more come."""
        self.outgoing += request
        for _ in range(60 * (len(request) + reply_bytes) + 200):
            if len(self.incoming) >= reply_bytes and not self.outgoing:
                break
            await FallingEdge(self.dut.clk)
        for _ in range(60):
            await FallingEdge(self.dut.clk)
        reply, self.incoming = bytes(self.incoming), bytearray()
        assert len(reply) == reply_bytes, f"{request[:16].hex()}: {reply.hex()}"
        return reply


@cocotb.test()
async def ping_and_unknown(dut):
    bench = await Bench.started(dut, 1)
    assert await bench.talk(b"\x01", 6) == b"\x01mCPI\x02"
    assert await bench.talk(b"\x77", 1) == b"\xff", "unknown opcode"
    assert await bench.talk(b"\x00\x01", 7) == b"\xff\x01mCPI\x02", "and in step again"


@cocotb.test()
@cocotb.parametrize(stalls=[False, True])
async def ram(dut, stalls):
    """Random blocks of random sizes there and back, any stalls."""
    seed = int(os.environ.get("MCPI_SEED", "7"))
    dut._log.info(f"MCPI_SEED={seed}")
    bench = await Bench.started(dut, seed, stalls)
    rng = random.Random(seed)
    expected = {}
    for _ in range(12):
        address, data = 8 * rng.randrange(64), rng.randbytes(8 * rng.randrange(14))
        assert await bench.talk(write_ram(address, data), 2) == b"\x10\x00"
        expected |= {address + i: byte for i, byte in enumerate(data)}
        assert bench.ram == expected
        address, length = 8 * rng.randrange(64), 8 * rng.randrange(20)
        reply = await bench.talk(read_ram(address, length), 5 + length)
        message = bytes([READ, *(expected.get(address + i, 0xEE) for i in range(length))])
        assert reply == message + crc(message), f"again: MCPI_SEED={seed}"
    top = (1 << 26) - 8
    assert await bench.talk(write_ram(top, b"top word"), 2) == b"\x10\x00"
    assert (await bench.talk(read_ram(top, 8), 13))[1:9] == b"top word"


@cocotb.test()
async def wrong_crc(dut):
    """Flip a bit in the data or its CRC: the answer is 10 01, and the next try works."""
    bench = await Bench.started(dut, 3, stalls=False)
    good = write_ram(0x1000, bytes(range(16)))
    for position in (11, 15, 26, 27, 30):
        bad = bytearray(good)
        bad[position] ^= 0x10
        assert await bench.talk(bytes(bad), 2) == b"\x10\x01", position
    assert await bench.talk(good, 2) == b"\x10\x00"
    assert await bench.talk(b"\x01", 6) == b"\x01mCPI\x02"


@cocotb.test()
async def a_broken_request_does_nothing(dut):
    """Any one bit of it flipped: nothing is written, read or typed; zeros bring it in step."""
    bench = await Bench.started(dut, 8, stalls=False)
    requests = (
        write_ram(0x40, b"")[:11],
        read_ram(0x40, 8),
        write_register(0x220, 0xFEDCBA9876543210),
        read_register(0x220),
        to_guest(b"A"),
    )
    for good in requests:
        for bit in range(8 * len(good)):
            bad = bytearray(good)
            bad[bit // 8] ^= 1 << bit % 8
            if bad[0] == PING:
                continue
            bench.outgoing += bytes(bad) + bytes(16)
            while bench.outgoing:
                await FallingEdge(dut.clk)
            for _ in range(8):
                await FallingEdge(dut.clk)
            assert set(bench.incoming) == {REFUSED}, f"bit {bit} of {good.hex()}"
            bench.incoming = bytearray()
    assert not (bench.registers or bench.ram or bench.guest_in or bench.answers)
    assert await bench.talk(b"\x01", 6) == b"\x01mCPI\x02"


@cocotb.test()
async def refused(dut):
    """A request that cannot be served gets an error, changes nothing and keeps the link in step."""
    bench = await Bench.started(dut, 4)
    for asked in (
        write_ram(4, bytes(8)),
        write_ram(8, bytes(12)),
        write_ram(1 << 26, bytes(8)),
        write_ram((1 << 26) - 8, bytes(16)),
    ):
        assert await bench.talk(asked, 2) == b"\x10\x02"
    for asked in (
        read_ram(4, 8),
        read_ram(8, 4),
        read_ram(1 << 26, 8),
        read_ram((1 << 26) - 8, 16),
    ):
        assert await bench.talk(asked, 1) == b"\xff"
    dut.held.value = 0
    assert await bench.talk(write_ram(0, bytes(8)), 2) == b"\x10\x02"
    assert await bench.talk(read_ram(0, 8), 1) == b"\xff"
    assert not bench.ram and not bench.answers
    dut.held.value = 1
    assert await bench.talk(write_ram(0, bytes(8)), 2) == b"\x10\x00"


@cocotb.test()
async def registers(dut):
    bench = await Bench.started(dut, 5)
    value = 0x0123_4567_89AB_CDEF
    assert await bench.talk(write_register(0x11F, value), 1) == b"\x20"
    assert bench.registers == {0x11F: value}
    for number, wanted in ((0x11F, value), (0x200, 0x1234)):
        reply = await bench.talk(read_register(number), 13)
        assert reply == request(struct.pack("<BQ", GET, wanted))


@cocotb.test()
async def console(dut):
    bench = await Bench.started(dut, 6)
    assert await bench.talk(to_guest(b"A") + to_guest(b"B"), 2) == b"\x30\x30"
    assert bench.guest_in == b"AB"
    bench.guest_ready = False
    assert await bench.talk(to_guest(b"C"), 1) == b"\xff", "nobody reads"
    bench.guest_out += b"hi"
    assert await bench.talk(b"", 4) == b"\x40h\x40i"
    bench.guest_out += b"!"
    reply = await bench.talk(b"\x01", 8)
    assert reply in (b"\x40!\x01mCPI\x02", b"\x01mCPI\x02\x40!"), "never in the middle of a reply"


@cocotb.test()
async def a_printing_guest_does_not_lock_the_host_out(dut):
    """Every request is served though the guest always has one more byte."""
    bench = await Bench.started(dut, 9, stalls=False)
    bench.guest_out += b"x" * 100_000
    for message, reply in (
        (b"\x01", b"\x01mCPI\x02"),
        (write_ram(0x40, bytes(8)), b"\x10\x00"),
        (write_register(0x11F, 5), b"\x20"),
        (to_guest(b"A"), b"\x30"),
    ):
        bench.incoming.clear()
        bench.outgoing += message
        for _ in range(200):
            await FallingEdge(dut.clk)
        assert not bench.outgoing, f"{len(bench.outgoing)} bytes of {message.hex()} wait"
        assert reply in bytes(bench.incoming)
    assert bench.registers == {0x11F: 5} and bench.guest_in == b"A"


@cocotb.test()
@cocotb.parametrize(stalls=[False, True])
async def host_and_guest_take_turns(dut, stalls):
    """While both have bytes, one byte of the guest comes between any two replies."""
    bench = Bench(dut, 10, stalls)
    bench._go = lambda go=bench._go: bool(bench.outgoing) or go()  # the host never pauses
    await bench.start()
    bench.outgoing += b"\x01" * 30
    bench.guest_out += b"x" * 30
    while bench.outgoing and bench.guest_out:
        await FallingEdge(dut.clk)
    assert len(bench.outgoing) + len(bench.guest_out) <= 2, "one side had more turns"
    said = bytes(bench.incoming).replace(b"\x40x", b"g").replace(b"\x01mCPI\x02", b"h")
    assert set(said[:50]) <= set(b"gh") and said[:50] in (b"gh" * 25, b"hg" * 25), said
