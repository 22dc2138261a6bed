# SPDX-License-Identifier: BSD-2-Clause
"""Where a driver of the Verilated chip (``lance_library``) finds things: registers, the chip's
64 KB of addresses in the 128 KB window of the IOASIC (sources/lance.md 3.2), nibbles of a frame."""

import zlib

WINDOW = 0x20000
SLOT7_SPARSE = 0x1_F000_0000
RDP, RAP, POINTER, SSR, SIMR = 0xC0000, 0xC0004, 0x40020, 0x40100, 0x40120
STATION = bytes.fromhex("08002b010203")
PREAMBLE = [5] * 15 + [0xD]


def fcs(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def nibbles(data: bytes) -> list[int]:
    return PREAMBLE + [half for byte in data for half in (byte & 15, byte >> 4)]


class Window:
    """Single words: the low half of a longword at ``base`` + 2a."""

    def __init__(self, memory: bytearray, base: int):
        self.memory = memory
        self.base = base

    def word(self, a: int) -> int:
        at = self.base + 2 * (a & 0xFFFE)
        return self.memory[at] | self.memory[at + 1] << 8

    def set_word(self, a: int, value: int) -> None:
        at = self.base + 2 * (a & 0xFFFE)
        self.memory[at] = value & 0xFF
        self.memory[at + 1] = value >> 8 & 0xFF
