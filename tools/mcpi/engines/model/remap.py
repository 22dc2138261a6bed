# SPDX-License-Identifier: BSD-2-Clause
"""Where what lay at an address of one image lies in another image of the same objects."""

import json
import re
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError
from mcpi.firmware.elf import PHYSICAL

# An input section in the linker's map: its name, on a line of its own if it is long.
# Strings that are merged, and the GOT, are not any object's.
_INPUT = re.compile(
    r"^ (\.(?:text|rodata(?!\.str)|data|sdata|sbss|bss|noinit)\S*)"
    r"\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$",
    re.M,
)
_WRAPPED = re.compile(r"^( \.\S+)\n\s+(0x)", re.M)
STACK = 64 * 1024  # BOOT_STACK of firmware/boot/link.ld
SLOT = 8


@dataclass(frozen=True)
class Range:
    """``[start, start + size)`` of the old image begins at ``to`` in the new one; physical."""

    start: int
    to: int
    size: int


def sections(map_: Path) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Address and size of every input section that has one; by name, object and number."""
    text = _WRAPPED.sub(r"\1 \2", map_.read_text())
    found, seen = {}, Counter()
    for name, address, size, source in _INPUT.findall(text):
        where = int(address, 16) & PHYSICAL
        if int(size, 16) and where:
            found[name, source, seen[name, source]] = where, int(size, 16)
            seen[name, source] += 1
    return found


def ranges(old: Path, new: Path) -> list[Range]:
    """``old``, ``new``: folders of images as ``firmware.linked`` leaves them. Only what has moved.

    UserError unless both are made of the same sections and copies.
    """
    before, after = sections(old / "image.map"), sections(new / "image.map")
    if {k: size for k, (_, size) in before.items()} != {k: size for k, (_, size) in after.items()}:
        raise UserError(f"{new}: not made of the same objects as {old}; record a run of it.")
    found = [Range(at, after[key][0], size) for key, (at, size) in before.items()]
    found += _got(old, new, found) + _copies(old, new) + _stack(old, new)
    return [r for r in found if r.start != r.to]


def write(path: Path, found: list[Range]) -> None:
    path.write_text("".join(f"{r.start:x},{r.to:x},{r.size:x}\n" for r in found))


def _elf(folder: Path) -> tuple[dict[str, tuple[int, bytes]], dict[str, int]]:
    """Sections of ``image.elf`` (address, content) and symbols."""
    with (folder / "image.elf").open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        symbols = {s.name: s["st_value"] & PHYSICAL for s in table.iter_symbols() if s.name}
        got = elf.get_section_by_name(".got")
        return {".got": (got["sh_addr"] & PHYSICAL, got.data())} if got else {}, symbols


_KEPT: dict[Path, tuple] = {}


def _elf_cached(folder: Path) -> tuple[dict[str, tuple[int, bytes]], dict[str, int]]:
    stamp = (folder / "image.elf").stat().st_mtime_ns
    if folder not in _KEPT or _KEPT[folder][0] != stamp:
        _KEPT[folder] = stamp, _elf(folder)
    return _KEPT[folder][1]


def _got(old: Path, new: Path, moved: list[Range]) -> list[Range]:
    """The linker orders the GOT by objects; a slot is the same if it holds the same address."""
    parts, there = _elf_cached(old)[0], _elf_cached(new)[0]
    if ".got" not in parts:
        return []
    places: dict[int, list[int]] = {}
    at, data = there[".got"]
    for n, (value,) in enumerate(struct.iter_unpack("<Q", data)):
        places.setdefault(value & PHYSICAL, []).append(at + SLOT * n)
    by_start = sorted(moved, key=lambda r: r.start)
    found = []
    at, data = parts[".got"]
    for n, (value,) in enumerate(struct.iter_unpack("<Q", data)):
        slots = places.get(_where(by_start, value & PHYSICAL), [])
        if slots:
            found.append(Range(at + SLOT * n, slots.pop(0), SLOT))
    return found


def _where(by_start: list[Range], address: int) -> int:
    import bisect

    n = bisect.bisect_right(by_start, address, key=lambda r: r.start) - 1
    if n >= 0 and address - by_start[n].start <= by_start[n].size:
        return by_start[n].to + address - by_start[n].start
    return address


def _copies(old: Path, new: Path) -> list[Range]:
    if not (old / "image.json").is_file():
        return []
    before, after = (
        {c["function"]: c for c in json.loads((folder / "image.json").read_text())["copies"]}
        for folder in (old, new)
    )
    if {n: c["words"] for n, c in before.items()} != {n: c["words"] for n, c in after.items()}:
        raise UserError(f"{new}: other copies than {old}'s; record a run of it.")
    return [
        Range(c["target"] & PHYSICAL, after[name]["target"] & PHYSICAL, 4 * c["words"])
        for name, c in before.items()
    ]


def _stack(old: Path, new: Path) -> list[Range]:
    tops = [_elf_cached(folder)[1].get("stack_top") for folder in (old, new)]
    return [] if None in tops else [Range(tops[0] - STACK, tops[1] - STACK, STACK)]
