# SPDX-License-Identifier: BSD-2-Clause
"""What an Am7990 does, without its times: registers, rings, frames (facts/lance.md 1).

Written from the sheet, sharing nothing with the RTL. Everything happens at once when it is asked
for: a history is compared between its steps, when the chip lies still.
"""

import zlib
from dataclasses import dataclass, field

from memory import Window

ERR, BABL, CERR, MISS, MERR = 0x8000, 0x4000, 0x2000, 0x1000, 0x0800
RINT, TINT, IDON, INTR, INEA = 0x0400, 0x0200, 0x0100, 0x0080, 0x0040
RXON, TXON, TDMD, STOP, STRT, INIT = 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
PROM, EMBA, INTL, DRTY, COLL, DTCR, LOOP, DTX, DRX = (
    0x8000, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01,
)  # fmt: skip
OWN, FAILED, STP, ENP = 0x8000, 0x4000, 0x0200, 0x0100  # FAILED: ERR of a descriptor
FRAM, OFLO, CRC, RBUFF = 0x2000, 0x1000, 0x0800, 0x0400
ADD_FCS, MORE, ONE, DEF = 0x2000, 0x1000, 0x0800, 0x0400
BUFF, UFLO, LCOL, LCAR, RTRY = 0x8000, 0x4000, 0x1000, 0x0800, 0x0400
PREAMBLE = [5] * 15 + [0xD]
JAM = [0xF] * 8
SLOT_NIBBLES = 128
ATTEMPTS = 16


def fcs(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def hash_bit(destination: bytes) -> int:
    return (zlib.crc32(destination) ^ 0xFFFFFFFF) >> 26


def nibbles(data: bytes) -> list[int]:
    return PREAMBLE + [half for byte in data for half in (byte & 15, byte >> 4)]


@dataclass
class Ring:
    base: int = 0
    size: int = 1
    index: int = 0

    @property
    def descriptor(self) -> int:
        return self.base + 8 * self.index

    @property
    def following(self) -> int:
        return self.base + 8 * ((self.index + 1) % self.size)

    def advance(self) -> None:
        self.index = (self.index + 1) % self.size


@dataclass
class Outside:
    """What the chip finds there. ``collisions``: for each attempt the nibble it meets one in."""

    half_duplex: bool = False
    sqe_test: bool = True
    heartbeat_checked: bool = True
    collisions: list[int | None] = field(default_factory=list)


class Chip:
    def __init__(self, window: Window, outside: Outside, c_lance: bool = False):
        self.window, self.outside, self.c_lance = window, outside, c_lance
        self.rap, self.csr = 0, [STOP, 0, 0, 0]
        self.initialized = self.running = False
        self.mode, self.physical, self.logical = 0, bytes(6), 0
        self.rx, self.tx = Ring(), Ring()
        self.sent: list[list[int]] = []  # nibbles of every attempt

    # Registers

    @property
    def csr0(self) -> int:
        value = self.csr[0]
        if value & (BABL | MISS | MERR | RINT | TINT | IDON):
            value |= INTR
        if value & (BABL | CERR | MISS | MERR):
            value |= ERR
        return value

    @property
    def line(self) -> bool:
        return self.csr0 & (INTR | INEA) == INTR | INEA

    def write_rap(self, value: int) -> None:
        self.rap = value & 3

    def write_rdp(self, value: int) -> None:
        if self.rap == 0:
            self._write_csr0(value)
        elif self.csr[0] & STOP:
            self.csr[self.rap] = value & 7 if self.rap == 3 else value

    def read_rdp(self) -> int:
        if self.rap == 0:
            return self.csr0
        return self.csr[self.rap] if self.csr[0] & STOP else 0

    def _set(self, bits: int) -> None:
        self.csr[0] |= bits

    def _clear(self, bits: int) -> None:
        self.csr[0] &= ~bits

    def _write_csr0(self, value: int) -> None:
        if value & STOP:
            self.csr[0], self.csr[3] = STOP, 0
            self.running = False
            return
        stopped = self.csr[0] & STOP
        self._clear(value & (BABL | CERR | MISS | MERR | RINT | TINT | IDON))
        if not stopped or value & (INIT | STRT) or self.c_lance:
            self._clear(INEA)
            self._set(value & INEA)
        if value & TDMD and (self.csr[0] | value) & STRT:
            self._set(TDMD)
        if value & (INIT | STRT):
            self._clear(STOP)
        self._set(value & STRT)
        if value & INIT:
            if not self.csr[0] & INIT:
                self._read_init_block()
            self._set(INIT | IDON)
        if self.csr[0] & STRT and self.initialized and not self.running:
            self.running = True
            self._set((0 if self.mode & DRX else RXON) | (0 if self.mode & DTX else TXON))

    def _read_init_block(self) -> None:
        at = (self.csr[1] | self.csr[2] << 16) & 0xFFFFFE
        words = [self.window.word(at + 2 * i) for i in range(12)]
        self.mode = words[0]
        self.physical = b"".join(w.to_bytes(2, "little") for w in words[1:4])
        self.logical = sum(w << 16 * i for i, w in enumerate(words[4:8]))
        self.rx, self.tx = (
            Ring((words[i] & 0xFFF8) | (words[i + 1] & 0xFF) << 16, 1 << (words[i + 1] >> 13))
            for i in (8, 10)
        )
        self.initialized = True

    # Descriptors

    def _owned(self, descriptor: int) -> bool:
        return bool(self.window.word(descriptor + 2) & OWN)

    def _buffer(self, descriptor: int) -> tuple[int, int]:
        word = self.window.word
        address = word(descriptor) | (word(descriptor + 2) & 0xFF) << 16
        return address, 4096 - (word(descriptor + 4) & 0xFFF)

    def _give_back(self, descriptor: int, status: int) -> None:
        high = self.window.word(descriptor + 2) & 0xFF
        self.window.chip_writes_word(descriptor + 2, status | high)

    @property
    def _swaps(self) -> bool:
        return bool(self.csr[3] & 4)

    # Transmit

    def transmit(self) -> None:
        """A poll or a demand: everything the ring holds goes out."""
        while self.csr[0] & TXON:
            self._clear(TDMD)
            first = self.tx.descriptor
            flags = self.window.word(first + 2)
            if not flags & OWN:
                return
            if flags & STP:
                self._frame(bool(flags & ADD_FCS) and self.c_lance)
            else:
                self._give_back(first, flags & 0x7F00)
                self.tx.advance()

    def _frame(self, add_fcs: bool) -> None:
        start, first = self.tx.index, self.tx.descriptor
        pieces, cut_off = [], False
        gather = Ring(self.tx.base, self.tx.size, self.tx.index)
        chain = []
        while True:
            pieces.append(self.window.bytes(*self._buffer(gather.descriptor), self._swaps))
            if self.window.word(gather.descriptor + 2) & ENP:
                break
            following = gather.following
            if following in (first, gather.descriptor) or not self._owned(following):
                cut_off = True  # what was given back already is not owned any more
                break
            chain.append(gather.descriptor)
            gather.advance()
        data = b"".join(pieces)
        if not cut_off and (add_fcs or not self.mode & DTCR):
            data += fcs(data)
        collisions, error, position = self._attempts(nibbles(data))
        if not error:
            for descriptor in chain:
                self._give_back(descriptor, self.window.word(descriptor + 2) & 0x7F00)
            self.tx.index = gather.index
        else:
            self.tx.index = start
        if len(data) > 1518 and not error:
            self._set(BABL)
        if cut_off and not error:
            error = BUFF | UFLO
            self._clear(TXON)
        internal = self.mode & LOOP and self.mode & INTL
        outside = self.outside
        answered = outside.sqe_test or error & (LCOL | RTRY)  # CLSN is still there
        if outside.heartbeat_checked and not answered and not internal:
            self._set(CERR)
        if error:
            self.window.chip_writes_word(self.tx.descriptor + 6, error | position * 4)
        retries = (0, ONE, MORE)[min(collisions, 2)]
        status = self.window.word(self.tx.descriptor + 2) & (STP | ENP)
        status |= FAILED if error else 0
        status |= 0 if error & (LCOL | RTRY) else retries
        self._give_back(self.tx.descriptor, status)
        self._set(TINT)
        self.tx.advance()
        if internal and not error & RTRY and not cut_off:
            self.receive(data, inside=True)

    def _attempts(self, whole: list[int]) -> tuple[int, int, int]:
        """Collisions that were retried, the error that ended it or 0, nibbles to that collision."""
        internal = bool(self.mode & LOOP and self.mode & INTL)
        for attempt in range(ATTEMPTS):
            hit = None
            if internal:
                hit = 0 if self.mode & COLL else None
            elif self.outside.half_duplex and self.outside.collisions:
                hit = self.outside.collisions.pop(0)
            if hit is None or hit >= len(whole):
                if not internal:
                    self.sent.append(whole)
                return attempt, 0, 0
            if not internal:
                self.sent.append(whole[: max(len(PREAMBLE), hit + 1)] + JAM)
            if hit >= SLOT_NIBBLES:
                return attempt, LCOL, hit
            if self.mode & DRTY:
                break
        return attempt, RTRY, hit

    # Receive

    def receive(
        self, data: bytes, dribble: bool = False, spoilt: bool = False, inside: bool = False
    ) -> None:
        """A frame from the wire, FCS included. ``dribble``: half a byte more; ``spoilt``: RX_ER."""
        loop = bool(self.mode & LOOP)
        if not self.csr[0] & RXON or (loop and self.mode & INTL and not inside) or len(data) < 6:
            return
        checks = not loop or bool(self.mode & DTCR)
        if not self._accepts(data[:6], checks):
            return
        if not self._owned(self.rx.descriptor):
            self._set(MISS)
            return
        bad = checks and (spoilt or fcs(data[:-4]) != data[-4:])
        position, first = 0, STP
        while True:
            descriptor = self.rx.descriptor
            address, size = self._buffer(descriptor)
            piece = data[position : position + size]
            self.window.chip_writes_bytes(address, piece, self._swaps)
            position += len(piece)
            if position == len(data):
                break
            following = self.rx.following
            if following == descriptor or not self._owned(following):
                self._give_back(descriptor, FAILED | RBUFF | first)
                self.rx.advance()
                self._set(RINT)
                return
            self._give_back(descriptor, first)
            self.rx.advance()
            first = 0
        if len(data) < 64 and not loop:
            return  # the descriptor is used again
        self.window.chip_writes_word(descriptor + 6, len(data) & 0xFFF)
        status = first | ENP | (FAILED | CRC | (FRAM if dribble else 0) if bad else 0)
        self._give_back(descriptor, status)
        self.rx.advance()
        self._set(RINT)

    def _accepts(self, destination: bytes, groups: bool) -> bool:
        if self.mode & PROM or destination == b"\xff" * 6:
            return True
        if destination[0] & 1:
            return groups and bool(self.logical >> hash_bit(destination) & 1)
        return destination == self.physical
