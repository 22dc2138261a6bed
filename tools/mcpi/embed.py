# SPDX-License-Identifier: BSD-2-Clause
"""Firmware in a bitstream: what RAM and page map hold, put into the configuration that was routed.

A board whose RAM is block RAM (``embed`` of board.toml) takes its first pages from there, and a
record that says which they are (docs/boards.md). Neither yosys nor nextpnr runs for it.

Which block RAM of the configuration is which of the netlist, nextpnr does not tell. So each has its
number in its ninth bits, which widths of 1, 2 and 4 leave alone: ``number`` writes it into the
netlist before placement, ``_numbered`` finds it in the configuration.
"""

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpi.errors import RunError, UserError

BLOCK = 32  # bytes, of RAM
TABLES = 1 << 26  # where the residency tables begin on the bus
MAGIC = b"mCPIpage"
SHARDS = 2048  # of nine bits each, a block RAM has
_TAG_BITS = 16
_CELL = re.compile(r"(?:.*\.)?(?:ram\.bytes_symbol(?P<lane>\d+)|map(?:_1)?\.map(?:_1)?)\.0\.(?P<part>\d+)$")
_CONTENTS = re.compile(r"^\.bram_init (\d+)\n((?:[0-9a-f ]+\n)+)", re.M)


# ---- which block RAM holds what


@dataclass(frozen=True)
class Part:
    """A block RAM: bits ``low`` and up, ``width`` of them, of each row of a memory. ``lane``: of
    RAM, the byte of a block; None: it is of the page map."""

    lane: int | None
    low: int
    width: int

    def shards(self, rows: Iterable[int]) -> list[int]:
        """Nine bits each: ``rows`` packed, lowest first, eight bits to a shard."""
        found, at, mask = [0] * SHARDS, 0, (1 << self.width) - 1
        for row in rows:
            found[at >> 3] |= (row >> self.low & mask) << (at & 7)
            at += self.width
        return found


def parts(cells: Mapping[str, dict]) -> dict[str, Part]:
    """Of a netlist's cells those that can be embedded, by name, in the order of their numbers.
    RunError if yosys has laid them out in another way than is known here."""
    found = {}
    for name in sorted(cells):
        hit = _CELL.match(name)
        if not hit or cells[name]["type"] != "DP16KD":
            continue
        given = cells[name]["parameters"]["DATA_WIDTH_A"]
        width = int(given, 2) if isinstance(given, str) else given
        if width not in (1, 2, 4):
            raise RunError(f"{name} is {width} bits wide; 1, 2 or 4 are known here.")
        lane = hit["lane"] and int(hit["lane"])
        found[name] = Part(lane, int(hit["part"]) * width, width)
    return found


def number(cells: Mapping[str, dict]) -> int:
    """Gives each part its number, from 1 up; how many there are."""
    found = parts(cells)
    for n, name in enumerate(found, 1):
        values = cells[name]["parameters"]
        bits = list(values["INITVAL_00"][::-1])
        for i in range(_TAG_BITS):
            # Two shards lie in 20 bits, of which 18 are used.
            bits[20 * (i // 2) + 8 + 9 * (i % 2)] = str(n >> i & 1)
        values["INITVAL_00"] = "".join(bits)[::-1]
    return len(found)


def _numbered(shards: list[int]) -> int:
    return sum((shards[i] >> 8) << i for i in range(_TAG_BITS))
