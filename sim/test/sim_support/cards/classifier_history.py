# SPDX-License-Identifier: BSD-2-Clause
"""Histories of a card with the classifier, and a third opinion on each frame's path id: entries and
frames as bytes, by docs/reference/lance.md alone."""

import ctypes
import random
import struct
import zlib
from dataclasses import dataclass, field

from lance_support.library import NIBBLE, TIMES

from sim_support.cards.card_history import (
    BASE,
    RDP,
    RECEIVE,
    RING,
    STATION,
    History,
)
from sim_support.cards.exact_history import random_times

ENTRIES, PLACES, COUNT = 0xD0000, 64, 63
LONGEST = 1518
IDEAL = dict.fromkeys(TIMES, 0) | {"poll": 280_000, "poll_phase": 1000}


@dataclass
class Entry:
    words: dict[int, tuple[int, int]] = field(default_factory=dict)  # place: mask, value
    count: int = 0

    def matches(self, frame: bytes) -> bool:
        if not 0 < self.count <= len(frame) // 2:
            return False
        there = struct.unpack_from(f"<{self.count}H", frame)
        pairs = (self.words.get(n, (0, 0)) for n in range(self.count))
        return all((w ^ v) & m == 0 for w, (m, v) in zip(there, pairs, strict=True))


def path(entries: list[Entry], frame: bytes) -> int:
    """Id of a whole frame, FCS included."""
    return next((n for n, e in enumerate(entries, 1) if e.matches(frame)), 0)


def write(h: History, entries: list[Entry], entry: int, place: int, value: int) -> None:
    """A longword into the chip and into our own entries."""
    h.access(ENTRIES + 4 * (PLACES * entry + place), value)
    e = entries[entry]
    if place == COUNT:
        e.count = value & 63
    else:
        e.count, e.words[place] = 0, (value >> 16, value & 0xFFFF)


def framed(body: bytes, spoilt: bool = False) -> bytes:
    return body + (zlib.crc32(body) ^ spoilt).to_bytes(4, "little")


def nibbles(frame: bytes) -> list[int]:
    return [5] * 15 + [13] + [half for byte in frame for half in (byte & 15, byte >> 4)]


def near(draw: random.Random, entries: list[Entry], most: int) -> bytes:
    """A frame to the station that some entry may match, all but a bit or wholly."""
    size = draw.choice([60, 61, 62, draw.randrange(60, 140), draw.randrange(60, most - 3)])
    frame = bytearray(STATION + draw.randbytes(size - 6))
    wanted = draw.choice(entries)
    for n, (mask, value) in wanted.words.items():
        if 3 <= n < min(wanted.count, size // 2):
            old = struct.unpack_from("<H", frame, 2 * n)[0]
            struct.pack_into("<H", frame, 2 * n, (old & ~mask) | (value & mask))
    if draw.random() < 0.3:
        frame[draw.randrange(6, size)] ^= 1 << draw.randrange(8)
    return framed(bytes(frame), draw.random() < 0.05)


def draw_entry(draw: random.Random, h: History, entries: list[Entry], entry: int) -> None:
    """New words of an entry, and its count: as a driver does, count last, or not at all."""
    count = draw.choice([1, 7, 30, 31, 32, 33, 40, 62, 63, draw.randrange(64)])
    for n in range(3):
        own = struct.unpack_from("<H", STATION, 2 * n)[0]
        write(h, entries, entry, n, draw.choice([0, 0xFFFF0000]) | own)
    for n in sorted(draw.sample(range(3, 63), draw.choice([0, 1, 2, 6]))):
        mask = draw.choice([0xFFFF, 0xFF00, 0x00FF, 1 << draw.randrange(16)])
        write(h, entries, entry, n, mask << 16 | draw.getrandbits(16))
    if draw.random() < 0.9:
        write(h, entries, entry, COUNT, draw.getrandbits(26) << 6 | count)


def running(library: ctypes.CDLL, times: dict[str, int], buffers: int = 1536) -> History:
    h = History(library, times)
    h.begin()
    for n in range(RING):
        h.give(RECEIVE, n, buffers, 0x8000)
    h.access(RDP, 0x43)
    h.advance(20_000)
    h.access(RDP, 0x140)
    return h


def classified(library: ctypes.CDLL, seed: int, longest: int = 400) -> History:
    """Frames, and entries that are written while frames come."""
    draw = random.Random(seed)
    h = running(library, random_times(draw), draw.choice([1536, 1536, 1536, 128]))
    entries = [Entry() for _ in range(8)]
    for entry in draw.sample(range(8), draw.randrange(1, 9)):
        draw_entry(draw, h, entries, entry)
    for number in range(draw.randrange(2, 9)):
        frame = near(draw, entries, longest)
        h.chip.receive(nibbles(frame), draw.randrange(1, 300))
        if draw.random() < 0.5:  # while it comes, or about its end
            edge = draw.choice([15, 16, 2 * len(frame) + 16, draw.randrange(2 * len(frame) + 20)])
            h.advance(max(1, NIBBLE * edge - draw.randrange(60)))
            write(
                h,
                entries,
                draw.randrange(8),
                draw.choice([COUNT, draw.randrange(63)]),
                draw.getrandbits(32),
            )
        h.advance(NIBBLE * 2 * len(frame) + 40_000)
        h.access(RDP, 0x740)
        h.give(RECEIVE, number % RING, 1536, 0x8000)
    h.advance(60_000)
    h.access(RDP)
    h.log.append((h.chip.now, "memory", zlib.crc32(h.memory)))
    return h


def received(h: History, number: int) -> tuple[int, int, int]:
    """Path id, bytes and flags of a descriptor."""
    at = BASE + 2 * (RECEIVE + 8 * number)
    flags = struct.unpack_from("<H", h.memory, at + 4)[0] >> 8
    count = struct.unpack_from("<H", h.memory, at + 12)[0]
    return count >> 12, count & 0xFFF, flags


def judged(library: ctypes.CDLL, seed: int, frames: int) -> dict[int, int]:
    """Give the chip so many random frames of up to 1,518 bytes, and compare each id with the third
    opinion; how many frames had which id. Entries change after every eight frames."""
    draw = random.Random(seed)
    h, found = running(library, IDEAL), dict.fromkeys(range(9), 0)
    entries = [Entry() for _ in range(8)]
    for number in range(frames):
        if number % 8 == 0:
            draw_entry(draw, h, entries, draw.randrange(8))
            h.log.clear()
        most = LONGEST if number % 16 == 0 else 200
        frame = near(draw, entries, most)
        h.chip.receive(nibbles(frame), 50)
        h.chip.advance(NIBBLE * (2 * len(frame) + 40))
        got, size, flags = received(h, number % RING)
        wanted = 0 if flags & 0x40 else path(entries, frame)
        assert size == len(frame), f"seed {seed}, frame {number}: {size} bytes"
        assert got == wanted, f"seed {seed}, frame {number}: id {got} instead of {wanted}"
        found[got] += 1
        h.give(RECEIVE, number % RING, 1536, 0x8000)
    h.chip.close()
    return found
