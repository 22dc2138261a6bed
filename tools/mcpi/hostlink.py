# SPDX-License-Identifier: BSD-2-Clause
"""The host's side of the host link (docs/contracts.md 5, docs/host-link.md) over a serial port.

Serial lines lose and flip bits. RAM goes over with a CRC and is sent again; registers have none, so
what is written is read back, what matters is read twice, and after any answer that makes no
sense both sides are brought in step again.
"""

import struct
import zlib
from collections.abc import Callable
from typing import Protocol

from mcpi.errors import RunError
from mcpi.progress import Update

PING, WRITE_RAM, READ_RAM, WRITE, READ, TO_GUEST, FROM_GUEST = 1, 0x10, 0x11, 0x20, 0x21, 0x30, 0x40
REFUSED = 0xFF
GREETING = b"mCPI"
VERSION = 1
CHUNK, SHORTEST = 1024, 64  # bytes of RAM in one request; fewer where the line is noisy
TRIES = 12
LONG_TURNS = (3, 7)  # at these the node may await a whole damaged request
LONGEST = 65535 + 16  # bytes a node may still wait for in a damaged request
QUIET = 0.05  # seconds without a byte: nothing more is under way


class Bytes(Protocol):
    """Where the bytes go and come from."""

    path: str

    def write(self, data: bytes) -> None: ...

    def read(self, count: int, timeout: float) -> bytes: ...


class Noise(Exception):
    """An answer that is none, or none at all."""


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

    def _ask(self, request: bytes, wanted: int) -> int:
        """Send, and take in what the guest printed before the reply; its first byte."""
        self.port.write(request)
        while (byte := self._byte()) == FROM_GUEST:
            self.console += self._bytes(1)
        if byte not in (wanted, REFUSED):
            raise Noise(f"reply {byte:02x} to request {request[0]:02x}")
        return byte

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
        """Zeros end whatever the node still waits for; then it must be quiet and greet."""
        long = turn in LONG_TURNS
        self.port.write(bytes(LONGEST if long else 64))
        while self.port.read(4096, self.patience / 2 if long else QUIET):
            pass
        self.port.write(bytes([PING]))
        reply = self.port.read(6, self.patience)
        if reply != bytes([PING]) + GREETING + bytes([VERSION]):
            raise Noise("no greeting")

    def ping(self) -> None:
        """RunError unless an mCPI node answers."""

        def attempt() -> None:
            self._ask(bytes([PING]), PING)
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
            request = head + part + struct.pack("<I", zlib.crc32(head + part))

            def attempt(request: bytes = request) -> None:
                if self._ask(request, WRITE_RAM) == REFUSED:
                    raise Noise("refused")
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
                if self._ask(struct.pack("<BIH", READ_RAM, at, count), READ_RAM) == REFUSED:
                    raise Noise("refused: is the machine held?")
                data = self._bytes(count)
                if self._bytes(4) != struct.pack("<I", zlib.crc32(bytes([READ_RAM]) + data)):
                    raise Noise("wrong CRC")
                return data

            found += self._sure(f"read of RAM at {at:#x}", attempt)
        return found

    # ---- registers

    def write(self, number: int, value: int) -> None:
        """Host register ``number``; a lost reply makes it happen twice."""

        def attempt() -> None:
            if self._ask(struct.pack("<BHQ", WRITE, number, value), WRITE) == REFUSED:
                raise Noise("refused")

        self._sure(f"write of register {number:#x}", attempt)

    def read(self, number: int) -> int:
        """Host register ``number``, as it came over the line."""

        def attempt() -> int:
            if self._ask(struct.pack("<BH", READ, number), READ) == REFUSED:
                raise Noise("refused")
            return struct.unpack("<Q", self._bytes(8))[0]

        return self._sure(f"read of register {number:#x}", attempt)

    def read_surely(self, number: int) -> int:
        """The same value twice in a row: for registers that stand still."""
        before = self.read(number)
        for _ in range(TRIES):
            if (again := self.read(number)) == before:
                return again
            self.retries += 1
            before = again
        raise RunError(f"{self.port.path}: register {number:#x} reads differently each time.")

    def write_all(self, values: dict[int, int], update: Update | None = None) -> None:
        """Write registers that can be read back, until all of them hold what they should."""
        wanted = dict(values)
        for _ in range(TRIES):
            for done, (number, value) in enumerate(wanted.items()):
                self.write(number, value)
                if update:
                    update(done, len(values), "registers")
            # All of them: a flipped bit may have changed another than was meant.
            wanted = {n: v for n, v in values.items() if self.read(n) != v}
            if not wanted:
                return
            self.retries += len(wanted)
        number, value = next(iter(wanted.items()))
        raise RunError(
            f"{self.port.path}: register {number:#x} does not keep {value:#x}: it reads "
            f"{self.read(number):#x}. Is another bitstream in the board than was built here?"
        )

    def poll(self) -> None:
        """Take in what the guest printed meanwhile."""
        while head := self.port.read(1, 0):
            if head[0] == FROM_GUEST:
                self.console += self.port.read(1, self.patience)
