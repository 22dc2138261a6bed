# SPDX-License-Identifier: BSD-2-Clause
"""Firmware in a bitstream: what RAM and page map hold, put into the configuration that was routed.

A board whose RAM is block RAM (``embed`` of board.toml) takes its first pages from there, and a
record that says which they are (docs/reference/boards.md). Neither yosys nor nextpnr runs for it.

Which block RAM of the configuration is which of the netlist, nextpnr does not tell. So each begins
with its number: ``number`` writes it into the netlist before placement, ``numbered`` finds it in
the configuration. A board without a record looks at none of it.
"""

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpi.base.errors import RunError, UserError

BLOCK = 32  # bytes, of RAM
TABLES = 1 << 26  # where the residency tables begin on the bus
MAGIC = b"mCPIpage"
SHARDS = 2048  # of nine bits each, a block RAM has
_SIGN = (0x1A5, 0x05A)  # in front of a number and its complement, nine bits each
_CELL = re.compile(
    r"(?:.*[._])?(?:ram\.bytes_symbol(?P<lane>\d+)|map(?:_1)?\.map(?:_1)?)\.0\.(?P<part>\d+)$"
)
CONTENTS = re.compile(r"^\.bram_init (\d+)\n((?:[0-9a-f ]+\n)+)", re.M)


# ---- which block RAM holds what


@dataclass(frozen=True)
class Part:
    """A block RAM: bits ``low`` and up, ``width`` of them, of each row of a memory. ``lane``: of
    RAM, the byte of a block; None: it is of the page map."""

    lane: int | None
    low: int
    width: int

    def shards(self, rows: Iterable[int]) -> list[int]:
        """Nine bits each: ``rows`` packed, lowest first; widths below nine leave the ninth bit."""
        found, at, mask = [0] * SHARDS, 0, (1 << self.width) - 1
        usable = 9 if self.width % 9 == 0 else 8
        for row in rows:
            bits = row >> self.low & mask
            for low in range(0, self.width, usable):
                shard, shift = divmod(at, usable)
                found[shard] |= (bits >> low & (1 << usable) - 1) << shift
                at += min(self.width, usable)
        return found


def parts(cells: Mapping[str, dict]) -> dict[str, Part]:
    """Cells of a netlist that can be embedded, by name, in the order of their numbers. RunError if
    yosys has laid them out in another way than is known here."""
    found = {}
    for name in sorted(cells):
        hit = _CELL.match(name)
        if not hit or cells[name]["type"] != "DP16KD":
            continue
        given = cells[name]["parameters"]["DATA_WIDTH_A"]
        width = int(given, 2) if isinstance(given, str) else given
        if width not in (1, 2, 4, 9, 18):
            raise RunError(f"{name} is {width} bits wide, which is not known here.")
        lane = hit["lane"] and int(hit["lane"])
        found[name] = Part(lane, int(hit["part"]) * width, width)
    return found


def number(cells: Mapping[str, dict]) -> list[Part]:
    """Gives each part its number, from 1 up; the parts in their order."""
    found = parts(cells)
    for n, name in enumerate(found, 1):
        values = cells[name]["parameters"]
        # Two shards lie in 20 bits, of which 18 are used.
        begins = sum(
            shard << 20 * (i // 2) + 9 * (i % 2) for i, shard in enumerate((*_SIGN, n, 511 - n))
        )
        values["INITVAL_00"] = f"{begins:0320b}"
    return list(found.values())


# ---- what they hold


@dataclass(frozen=True)
class Contents:
    """``ram``: all of it. ``map``: of each frame the page it holds, as the hardware writes it
    (rtl/memory/PageMap.scala); 0: none. ``pages``: how many that is."""

    ram: bytes
    map: tuple[int, ...]
    pages: int

    def rows(self, part: Part) -> Iterable[int]:
        """Contents of the memory that the part belongs to, row by row."""
        return self.map if part.lane is None else self.ram[part.lane :: BLOCK]


def name(segments: Iterable[tuple[int, bytes]]) -> int:
    """64 bits that stand for these bytes of RAM; never 0."""
    said = hashlib.sha256()
    for page, data in sorted(pages(segments, 1024).items()):
        said.update(struct.pack("<Q", page) + data)
    return int.from_bytes(said.digest()[:8], "little") or 1


def contents(segments: Iterable[tuple[int, bytes]], frames: int, page_bytes: int) -> Contents:
    """RAM with ``segments`` and their record. UserError if ``frames`` of ``page_bytes`` are too
    few: one must stay empty."""
    segments = list(segments)
    there = pages(segments, page_bytes)
    numbers = 2 * TABLES // page_bytes
    used = len(there) + 1
    record = struct.pack("<8sQI", MAGIC, name(segments), used)
    there[numbers - 1] = record + bytes(page_bytes - len(record))
    if used >= frames:
        raise UserError(too_large(used, frames - 1, page_bytes))
    ram, held = bytearray(frames * page_bytes), [0] * frames
    for number, data in sorted(there.items()):
        frame = first(number, frames)
        while held[frame]:
            frame = (frame + 1) % frames
        held[frame] = numbers | number
        ram[frame * page_bytes : frame * page_bytes + page_bytes] = data
    return Contents(bytes(ram), tuple(held), used)


def too_large(used: int, there: int, page_bytes: int) -> str:
    """Message for images that do not fit."""
    return (
        f"the images take {used} pages of {page_bytes} bytes, and this board has {there}. A board "
        "with SDRAM, or a variant whose code is smaller, has room."
    )


def first(number: int, frames: int) -> int:
    """The frame where a page is looked for first (``PageConfig.first``)."""
    width = frames.bit_length() - 1
    return int(f"{number % frames:0{width}b}"[::-1], 2) ^ number // frames % frames


def pages(segments: Iterable[tuple[int, bytes]], page_bytes: int) -> dict[int, bytes]:
    """By number, those that are not all zeros."""
    found: dict[int, bytearray] = {}
    for address, data in segments:
        for at, piece in _cut(address, data, page_bytes):
            page = found.setdefault(at // page_bytes, bytearray(page_bytes))
            page[at % page_bytes : at % page_bytes + len(piece)] = piece
    return {number: bytes(page) for number, page in found.items() if any(page)}


def _cut(address: int, data: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """``data`` cut where a page ends."""
    at = 0
    while at < len(data):
        end = min(at + size - (address + at) % size, len(data))
        yield address + at, data[at:end]
        at = end


# ---- into the configuration


def into(config: str, known: list[Part], wanted: Contents) -> str:
    """The text of a routed configuration with ``wanted`` in it. RunError unless each of ``known``,
    in the order of their numbers, is in it once, and if there are none."""
    if not known:
        raise RunError("the bitstream's block RAMs have no numbers: ./mcpi board build it again.")
    seen: set[int] = set()

    def one(hit: re.Match) -> str:
        n = numbered([int(word, 16) for word in hit[2].split(maxsplit=4)[:4]])
        if not 0 < n <= len(known):
            return hit[0]
        if n in seen:
            raise RunError(f"two block RAMs of the configuration have number {n}.")
        seen.add(n)
        part = known[n - 1]
        words = [f"{shard:03x}" for shard in part.shards(wanted.rows(part))]
        lines = (" ".join(words[i : i + 8]) for i in range(0, SHARDS, 8))
        return f".bram_init {hit[1]}\n" + "".join(f"{line}\n" for line in lines)

    text = CONTENTS.sub(one, config)
    if len(seen) < len(known):
        raise RunError(
            f"the configuration has {len(seen)} of {len(known)} block RAMs of RAM and page map."
        )
    return text


def numbered(shards: list[int]) -> int:
    """The number with which a block RAM begins; 0: none."""
    begins = shards[:4]
    return begins[2] if begins == [*_SIGN, begins[2], 511 - begins[2]] else 0
