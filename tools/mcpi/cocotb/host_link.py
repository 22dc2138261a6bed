# SPDX-License-Identifier: BSD-2-Clause
"""The host's end of a host link, byte for byte (docs/reference/contracts.md 5)."""

import struct
import zlib
from collections import deque

import cocotb
from cocotb.triggers import Event, FallingEdge, ReadOnly, RisingEdge, Timer

PING, WRITE, READ, SET, GET, TO_GUEST, FROM_GUEST = 1, 0x10, 0x11, 0x20, 0x21, 0x30, 0x40
REFUSED = 0xFF


def crc(message: bytes) -> bytes:
    return struct.pack("<I", zlib.crc32(message))


def request(message: bytes) -> bytes:
    return message + crc(message)


def write_ram(address: int, data: bytes) -> bytes:
    return request(struct.pack("<BIH", WRITE, address, len(data))) + data + crc(data)


def read_ram(address: int, length: int) -> bytes:
    return request(struct.pack("<BIH", READ, address, length))


def write_register(number: int, value: int) -> bytes:
    return request(struct.pack("<BHQ", SET, number, value))


def read_register(number: int) -> bytes:
    return request(struct.pack("<BH", GET, number))


def to_guest(byte: bytes) -> bytes:
    return request(bytes([TO_GUEST]) + byte)


class HostLink:
    """A request at a time, each of which waits for its reply. ``console``: what the guest printed.

    The pins are ``<prefix>_fromHost`` and ``<prefix>_toHost``.
    """

    def __init__(self, dut, prefix: str = "io_host"):
        self.clk = dut.clk
        self._to = {
            n: getattr(dut, f"{prefix}_fromHost_{n}") for n in ("valid", "ready", "payload")
        }
        self._from = {
            n: getattr(dut, f"{prefix}_toHost_{n}") for n in ("valid", "ready", "payload")
        }
        self.console = bytearray()
        self._reply: deque[int] = deque()
        self._more = Event()
        self._within = False  # a reply has begun: a guest's byte comes between replies
        self._to["valid"].value = 0
        self._from["ready"].value = 1

    def start(self) -> None:
        """Take in what comes, for ever."""
        cocotb.start_soon(self._receive())

    async def _receive(self) -> None:
        valid, payload, guest = self._from["valid"], self._from["payload"], False
        while True:
            await FallingEdge(self.clk)
            if not int(valid.value):
                await RisingEdge(valid)
                continue
            byte = int(payload.value)
            if guest:
                self.console.append(byte)
                guest = False
            elif byte == FROM_GUEST and not self._within:
                guest = True
            else:
                self._within = True
                self._reply.append(byte)
                self._more.set()

    async def _send(self, data: bytes) -> None:
        for byte in data:
            self._to["payload"].value = byte
            self._to["valid"].value = 1
            while True:
                await Timer(1, "step")
                await ReadOnly()
                ready = int(self._to["ready"].value)
                await FallingEdge(self.clk)
                if ready:
                    break
        self._to["valid"].value = 0

    async def _take(self, count: int) -> bytes:
        while len(self._reply) < count:
            self._more.clear()
            await self._more.wait()
        return bytes(self._reply.popleft() for _ in range(count))

    async def ask(self, question: bytes, opcode: int, size: int) -> bytes:
        """Send it; ``size`` bytes of the reply after its first one, ``opcode``. AssertionError if
        the node refuses."""
        await FallingEdge(self.clk)
        await self._send(question)
        first = (await self._take(1))[0]
        said = await self._take(size) if first == opcode else b""
        self._within = False
        assert first == opcode, f"host link: {first:#x} in reply to {opcode:#x}: refused"
        return said

    async def ping(self) -> None:
        assert (await self.ask(bytes([PING]), PING, 5))[:4] == b"mCPI"

    async def write(self, number: int, value: int) -> None:
        """A host register, by its number."""
        await self.ask(write_register(number, value), SET, 0)

    async def read(self, number: int) -> int:
        said = await self.ask(read_register(number), GET, 12)
        assert said[8:] == crc(bytes([GET]) + said[:8]), "host link: wrong CRC"
        return struct.unpack("<Q", said[:8])[0]

    async def write_ram(self, address: int, data: bytes) -> None:
        """``address`` and size are multiples of 8; a node takes it while ``run`` is 0."""
        said = await self.ask(write_ram(address, data), WRITE, 1)
        assert said == b"\0", "host link: RAM was not written"

    async def read_ram(self, address: int, size: int) -> bytes:
        said = await self.ask(read_ram(address, size), READ, size + 4)
        assert said[size:] == crc(bytes([READ]) + said[:size]), "host link: wrong CRC"
        return said[:size]
