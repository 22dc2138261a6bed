# SPDX-License-Identifier: BSD-2-Clause
"""The chip's 64 KB of addresses in the 128 KB window of the IOASIC (facts/lance.md 3.2)."""


class Window:
    """``memory`` is all of physical memory, the window begins at ``base``.

    ``unspecified`` collects the addresses whose bytes nobody specifies: the upper half of a
    longword into which the chip wrote one word, and what follows the last byte of a burst.
    """

    def __init__(self, memory: bytearray, base: int):
        self.memory = memory
        self.base = base
        self.unspecified: set[int] = set()

    def word(self, a: int) -> int:
        at = self.base + 2 * (a & 0xFFFE)
        return self.memory[at] | self.memory[at + 1] << 8

    def set_word(self, a: int, value: int) -> None:
        at = self.base + 2 * (a & 0xFFFE)
        self.memory[at] = value & 0xFF
        self.memory[at + 1] = value >> 8 & 0xFF

    def chip_writes_word(self, a: int, value: int) -> None:
        self.set_word(a, value)
        at = self.base + 2 * (a & 0xFFFE)
        self.unspecified |= {at + 2, at + 3}

    def place(self, a: int) -> int:
        """Physical address of a buffer's byte: 16 bytes of every 32."""
        a &= 0xFFFF
        return self.base + a // 16 * 32 + a % 16

    def bytes(self, a: int, size: int, swap: bool = False) -> bytes:
        return bytes(self.memory[self.place((a + i) ^ swap)] for i in range(size))

    def set_bytes(self, a: int, data: bytes) -> None:
        for i, byte in enumerate(data):
            self.memory[self.place(a + i)] = byte

    def chip_writes_bytes(self, a: int, data: bytes, swap: bool = False) -> None:
        """Bursts write whole longwords: what they reach beside ``data`` is anybody's."""
        written = set()
        for i, byte in enumerate(data):
            at = self.place((a + i) ^ swap)
            self.memory[at] = byte
            written.add(at)
        touched = {at & ~3 | k for at in written for k in range(4)}
        self.unspecified -= written
        self.unspecified |= touched - written
