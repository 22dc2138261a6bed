# SPDX-License-Identifier: BSD-2-Clause
"""A card that is driven through its library, and the log of all that it does, with its tick."""

import ctypes
import struct
from ctypes import POINTER, c_int, c_uint8, c_uint32, c_uint64

from lance_support import library as lance_library

SLOT = 0x1F0000000  # 7, sparse
POINTER_REGISTER, SSR, SIR, SIMR, ROM = 0x40020, 0x40100, 0x40110, 0x40120, 0x80000
LANCE_SLOT = 0x40160
RDP, RAP = 0xC0000, 0xC0004
BASE = 0x20000  # of the window
STATION = bytes([8, 0, 0x2B, 1, 2, 3])
RECEIVE, TRANSMIT, RING = 0x20, 0x60, 4  # rings
BUFFERS = {RECEIVE: 0x1000, TRANSMIT: 0x4000}
BUFFER_BYTES = 0x600


class _Dma(ctypes.Structure):
    _fields_ = [("tick", c_uint64), ("address", c_uint64), ("write", c_int), ("mask", c_uint32)]
    _fields_ += [("data", POINTER(c_uint8))]


_WATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTER(_Dma))
_LINE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, c_uint64, c_int)


class History:
    """A card and the log of what it did; each entry begins with its tick."""

    slot, rdp, rap = SLOT, RDP, RAP

    def __init__(self, library: ctypes.CDLL, times: dict[str, int]):
        self.library, self.memory, self.log = library, bytearray(1 << 18), []
        self.chip = lance_library.Chip(library, self.memory, STATION, **times)
        self._watch, self._line = _WATCH(self._dma), _LINE(self._changes)
        library.lance_watch_dma.argtypes = [ctypes.c_void_p, _WATCH, ctypes.c_void_p]
        library.lance_watch_dma(self.chip.chip, self._watch, None)
        library.lance_watch_line.argtypes = [ctypes.c_void_p, _LINE, ctypes.c_void_p]
        library.lance_watch_line(self.chip.chip, self._line, None)
        library.lance_fail_reads.argtypes = [ctypes.c_void_p, c_int]

    def _dma(self, _context, observed) -> None:
        d = observed.contents
        mask = d.mask if d.write else 0
        data = bytes(d.data[i] for i in range(16) if mask >> i & 1)
        self.log.append((d.tick, "dma", bool(d.write), hex(d.address), hex(mask), data.hex()))

    def _changes(self, _context, tick: int, level: int) -> None:
        self.log.append((tick, "line", level))

    def access(self, offset: int, value: int | None = None) -> None:
        began, write = self.chip.now, value is not None
        read = self.chip.access(self.slot + 2 * offset, write, value or 0)
        self.log.append(
            (self.chip.now, "access", began, hex(offset), value, None if write else read)
        )

    def write_bytes(self, offset: int, value: int, mask: int) -> None:
        """Writes the bytes that the mask names."""
        data, error = value | mask << 32, ctypes.byref(c_int())
        self.library.lance_access(self.chip.chip, self.slot + 2 * offset, True, data, True, error)
        self.log.append((self.chip.now, "bytes", hex(offset), value, mask))

    def csr(self, number: int, value: int) -> None:
        self.access(self.rap, number)
        self.access(self.rdp, value)

    def advance(self, ticks: int) -> None:
        end = self.chip.now + ticks
        while self.chip.now < end:
            self.chip.advance(end - self.chip.now, 3)
            self._look()

    def _look(self) -> None:
        nibbles, first, last = ctypes.create_string_buffer(4000), c_uint64(), c_uint64()
        sent = self.library.lance_sent
        if count := sent(self.chip.chip, nibbles, 4000, ctypes.byref(first), ctypes.byref(last)):
            self.log.append((last.value, "sent", first.value, nibbles.raw[:count].hex()))

    def word(self, address: int, value: int) -> None:
        struct.pack_into("<H", self.memory, BASE + 2 * address, value & 0xFFFF)

    def give(self, ring: int, number: int, length: int, flags: int) -> None:
        """A descriptor to the chip; `flags`: the upper half of word 1."""
        at = ring + 8 * number
        self.word(at, BUFFERS[ring] + BUFFER_BYTES * number)
        self.word(at + 4, -length)
        self.word(at + 6, 0)
        self.word(at + 2, flags)

    def frame(self, number: int, data: bytes, flags: int) -> None:
        """To send."""
        at = BUFFERS[TRANSMIT] + BUFFER_BYTES * number
        for n, byte in enumerate(data):
            self.memory[BASE + (2 * (at + n) & ~31) + (at + n) % 16] = byte
        self.give(TRANSMIT, number, len(data), flags)

    def begin(self) -> None:
        """Rings of four in memory; the card's registers."""
        self.blocks()
        self.access(POINTER_REGISTER, BASE << 3)
        self.access(SIMR, 1 << 8)
        self.access(SSR, 1 << 16 | 1 << 8)
        self.addresses()

    def blocks(self) -> None:
        """Initialization block and rings."""
        words = [0, *struct.unpack("<3H", STATION), 0, 0, 0, 0, RECEIVE, 2 << 13, TRANSMIT, 2 << 13]
        for n, value in enumerate(words):
            self.word(2 * n, value)
        for n in range(RING):
            self.give(RECEIVE, n, 1536, 0x8000)
            self.give(TRANSMIT, n, 60, 0)

    def addresses(self) -> None:
        """Write the block's addresses into the chip."""
        self.csr(1, 0)
        self.csr(2, 0)
        self.access(self.rap, 0)


class OnPmad(History):
    """The same on a PMAD card: the core writes and reads the card's memory."""

    slot, rdp, rap = 0x110000000, 0x100000, 0x100004

    def __init__(self, library: ctypes.CDLL, times: dict[str, int]):
        super().__init__(library, times)
        self.written = bytearray(0x8000)

    def store(self, at: int) -> None:
        """The longword."""
        self.access(at, int.from_bytes(self.written[at : at + 4], "little"))

    def word(self, address: int, value: int) -> None:
        struct.pack_into("<H", self.written, address, value & 0xFFFF)
        self.store(address & ~3)

    def frame(self, number: int, data: bytes, flags: int) -> None:
        at = BUFFERS[TRANSMIT] + BUFFER_BYTES * number
        self.written[at : at + len(data)] = data
        for longword in range(at, at + len(data), 4):
            self.store(longword)
        self.give(TRANSMIT, number, len(data), flags)

    def begin(self) -> None:
        self.blocks()
        self.addresses()
