# SPDX-License-Identifier: BSD-2-Clause
"""Evictors of the lines that a probe misses: by the domain of the line's last contents."""

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base import run_store
from mcpi.firmware.programs import SLOT_BYTES

PAGE = 4096
WINDOW = (0x20000, 0x40000)  # physical: the controller's, with rings and their frames
PHYSICAL = (1 << 34) - 1
KSEG = 1 << 63
READER, SERVER, KERNEL_BUFFERS = 1, 2, 3  # slots
SLOTS = {READER: "reader", SERVER: "server"}
DMA, NOBODY = "DMA", "nobody"
DOMAINS = ("clusters", "mbufs", "messages", "frames", "kernel", "reader", "server", DMA, NOBODY)
_NAMED = ("clusters", "mbufs", "messages")


@dataclass(frozen=True)
class Domains:
    """``kernel``, ``server``, ``reader``: named ranges of addresses, physical and the programs'
    own."""

    kernel: dict[str, tuple[int, int]]
    server: dict[str, tuple[int, int]]
    reader: dict[str, tuple[int, int]] = field(default_factory=dict)

    def of(self, page: int) -> str:
        """Domain of a page by its number, from the address that its program uses."""
        address = page * PAGE
        slot = address // SLOT_BYTES
        if not address & KSEG and slot in SLOTS:
            named = self.reader if slot == READER else self.server
            return _within(named, address) or SLOTS[slot]
        if not address & KSEG and slot == KERNEL_BUFFERS:
            address -= slot * SLOT_BYTES
        address &= PHYSICAL
        if WINDOW[0] <= address < WINDOW[1]:
            return "frames"
        return _within(self.kernel, address) or "kernel"


def _within(ranges: dict[str, tuple[int, int]], address: int) -> str | None:
    """The range that has any of the page."""
    there = (name for name, (a, b) in ranges.items() if address < b and a < address + PAGE)
    return next(there, None)


def domains(folder: Path) -> Domains:
    """Domains of the image in the folder of a run."""
    kernel = folder / "image.elf"
    programs = [folder / f"{name}.elf" for name in ("mach_server", "first_program")]
    ranges = _ranges(run_store.digest(kernel), kernel)
    return Domains(
        {k: (a & PHYSICAL, b & PHYSICAL) for k, (a, b) in ranges.items()},
        *(_ranges(run_store.digest(elf), elf) if elf.is_file() else {} for elf in programs),
    )


_known: dict[str, dict[str, tuple[int, int]]] = {}


def _ranges(digest: str, path: Path) -> dict[str, tuple[int, int]]:
    """Named ranges of the ELF file; the images of many runs are the same, and read once."""
    if digest not in _known:
        _known[digest] = _read_ranges(path)
    return _known[digest]


def _read_ranges(path: Path) -> dict[str, tuple[int, int]]:
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return {
            symbol.name: (at, at + symbol["st_size"])
            for symbol in table.iter_symbols()
            if symbol.name in _NAMED and (at := symbol["st_value"])
        }


def read(evictions: str, known: Domains) -> dict[str, int]:
    """Lines of ``evictions.N.csv`` that were filled for the probes, by the domain that was there
    before."""
    found: Counter = Counter()
    for row in csv.DictReader(evictions.splitlines()):
        lines, same = int(row["lines"]), int(row["same"])
        before = known.of(int(row["displaced"], 16)) if row["displaced"] else NOBODY
        found[before] += lines - same
        found[DMA] += same
    return {name: n for name, n in found.items() if n}
