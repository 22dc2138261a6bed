# SPDX-License-Identifier: BSD-2-Clause
"""The host's side of the host link (contracts.md 5, host-link.md) over a serial port.

Serial lines lose and flip bits. Each request and each value that comes back has a CRC, so a node
does what was asked or nothing; after any answer that makes no sense both sides are brought in step
again and the request is sent once more.
"""

import struct
import time
import zlib
from collections.abc import Callable
from typing import Protocol

from mcpi.base.errors import RunError

PING, WRITE_RAM, READ_RAM, WRITE, READ, TO_GUEST, FROM_GUEST = 1, 0x10, 0x11, 0x20, 0x21, 0x30, 0x40
REFUSED = 0xFF
GREETING = b"mCPI"
VERSION = 2
CHUNK, SHORTEST = 1024, 64  # bytes of RAM in one request; fewer where the line is noisy
TRIES = 12
LONGEST = CHUNK + 16  # bytes a node may still wait for in a request that lost some
STALE = 8 * LONGEST  # bytes that may come before a greeting: replies to zeros, the guest's between
BACKLOG = 4096  # of the guest's bytes, taken in at a time
QUIET = 0.05  # seconds without a byte: nothing more is under way


class Bytes(Protocol):
    """Where the bytes go and come from."""

    path: str

    def write(self, data: bytes) -> None: ...

    def read(self, count: int, timeout: float) -> bytes: ...


class Noise(Exception):
    """An answer that is none, or none at all."""


def crc(message: bytes) -> bytes:
    return struct.pack("<I", zlib.crc32(message))


class HostLink:
    """Requests, each of which waits for its reply. ``console``: what the guest printed so far."""

    def __init__(self, port: Bytes, patience: float = 2.0) -> None:
        self.port, self.patience = port, patience
        self.console = bytearray()
        self.retries = 0
        self.chunk = CHUNK

    # ---- one request, one reply

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, count: int) -> bytes:
        found = self.port.read(count, self.patience)
        if len(found) < count:
            raise Noise("no answer")
        return found

    def _ask(self, request: bytes, data: bytes | None = None) -> None:
        """Send, and take in what the guest printed before the reply, and its first byte."""
        self.port.write(request + crc(request) + (b"" if data is None else data + crc(data)))
        self._reply(request[0])

    def _reply(self, wanted: int) -> None:
        until = time.monotonic() + self.patience
        while (byte := self._byte()) == FROM_GUEST:
            self.console += self._bytes(1)
            if time.monotonic() > until:
                raise Noise("no answer, though the guest prints")
        if byte == REFUSED:
            raise Noise("refused: is the machine held?" if wanted == READ_RAM else "refused")
        if byte != wanted:
            raise Noise(f"reply {byte:02x} to request {wanted:02x}")

    def _checked(self, opcode: int, count: int) -> bytes:
        """The rest of a reply that has begun with ``opcode``: ``count`` bytes and their CRC."""
        data = self._bytes(count)
        if self._bytes(4) != crc(bytes([opcode]) + data):
            raise Noise("wrong CRC")
        return data

    def _sure(self, what: str, attempt: Callable[[], object]):
        """``attempt`` until it makes sense, in step again after each failure."""
        for turn in range(TRIES):
            try:
                if turn:
                    self.retries += 1
                    self._in_step(turn)
                return attempt()
            except Noise as noise:
                last = noise
        raise RunError(f"{self.port.path}: {what}: {last}, {TRIES} times. {self._advice()}")

    def _advice(self) -> str:
        return "Is the board configured, is this its port, is the baud rate its own?"

    def _in_step(self, turn: int) -> None:
        """Zeros end whatever the node still waits for; then it must greet."""
        sent, refused = 0, False
        while not refused and sent < LONGEST:
            self.port.write(bytes(1024 if sent else 64))  # the first are enough for most requests
            sent += 1024 if sent else 64
            refused = REFUSED in self._rest(QUIET * turn)  # a slow node looks like a hungry one
        wanted = bytes([PING]) + GREETING + bytes([VERSION])
        self.port.write(wanted[:1])
        reply = b""
        while not reply.endswith(wanted):
            if len(reply) > STALE:
                raise Noise("no greeting, though the guest prints")
            reply += self._bytes(1)

    def _rest(self, quiet: float) -> bytes:
        """Read bytes until none has come for ``quiet`` seconds. A guest may print without end, so
        at most ``STALE`` bytes are read."""
        found = b""
        while len(found) < STALE and (some := self.port.read(4096, quiet)):
            found += some
        return found

    def ping(self) -> None:
        """RunError unless an mCPI node answers."""

        def attempt() -> None:
            self.port.write(bytes([PING]))
            self._reply(PING)
            reply = self._bytes(5)
            if reply[:4] != GREETING:
                raise Noise("not an mCPI node")
            if reply[4] != VERSION:
                raise RunError(
                    f"{self.port.path}: host link version {reply[4]}, {VERSION} is spoken here; "
                    "build and load the board's bitstream again."
                )

        self._sure("ping", attempt)

    # ---- RAM

    def write_ram(self, address: int, data: bytes, update: Callable[[int], None] | None = None):
        """``data``, padded with zeros to a multiple of 8; ``update(bytes done)``."""
        data += bytes(-len(data) % 8)
        at = 0
        while at < len(data):
            part = data[at : at + self.chunk]
            head = struct.pack("<BIH", WRITE_RAM, address + at, len(part))

            def attempt(head: bytes = head, part: bytes = part) -> None:
                self._ask(head, part)
                if status := self._byte():
                    raise Noise("wrong CRC" if status == 1 else "refused: is the machine held?")

            try:
                attempt() if self.chunk > SHORTEST else self._sure("write of RAM", attempt)
            except Noise:
                self.retries += 1
                self.chunk = max(self.chunk // 2, SHORTEST)
                self._sure("after a broken block", lambda: self._in_step(1))
                continue
            at += len(part)
            if update:
                update(at)

    def read_ram(self, address: int, size: int) -> bytes:
        """``size`` is a multiple of 8."""
        found = b""
        while len(found) < size:
            at, count = address + len(found), min(self.chunk, size - len(found))

            def attempt(at: int = at, count: int = count) -> bytes:
                self._ask(struct.pack("<BIH", READ_RAM, at, count))
                return self._checked(READ_RAM, count)

            found += self._sure(f"read of RAM at {at:#x}", attempt)
        return found

    # ---- registers

    def write(self, number: int, value: int) -> None:
        """Host register ``number``; a lost reply makes it happen twice."""
        request = struct.pack("<BHQ", WRITE, number, value)
        self._sure(f"write of register {number:#x}", lambda: self._ask(request))

    def read(self, number: int) -> int:
        """Host register ``number``."""

        def attempt() -> int:
            self._ask(struct.pack("<BH", READ, number))
            return struct.unpack("<Q", self._checked(READ, 8))[0]

        return self._sure(f"read of register {number:#x}", attempt)

    def write_all(self, values: dict[int, int]) -> None:
        """Write registers that can be read back; RunError if one does not hold what it should."""
        for number, value in values.items():
            self.write(number, value)
            if (found := self.read(number)) != value:
                raise RunError(
                    f"{self.port.path}: register {number:#x} does not keep {value:#x}: it reads "
                    f"{found:#x}. Is another bitstream in the board than was built here?"
                )

    def poll(self) -> None:
        """Take in what the guest printed meanwhile."""
        for _ in range(BACKLOG):
            if not (head := self.port.read(1, 0)):
                return
            if head[0] == FROM_GUEST:
                self.console += self.port.read(1, self.patience)
