# SPDX-License-Identifier: BSD-2-Clause
"""A linked image, read for cloning: functions, words, relocations, the one gp."""

import bisect
import struct
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError
from mcpi.firmware.clone import alpha
from mcpi.firmware.languages import mangled
from mcpi.machine.c_header import KSEG

_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")  # elftools takes 50 times as long for one
CONSTANTS = ".mcpi.constants"  # xkernel/own_code, a section that is not loaded
MARKER = struct.Struct("<QII")
FUNCTION, FILE = 2, 4
STD_GPLOAD, NOPV = 0x88, 0x80  # st_other: how a function may be entered (elf/alpha.h)
JSR_USE = 3


class Kind(IntEnum):
    """Relocations (elf/alpha.h)."""

    REFQUAD = 2
    LITERAL = 4
    LITUSE = 5
    GPDISP = 6
    GPRELHIGH = 17
    GPRELLOW = 18
    GPREL16 = 19


@dataclass(frozen=True)
class Function:
    """``cold``: where the outlined tail begins (``end`` if there is none). ``entry``: where a
    caller may enter without loading pv, None if it may not.
    """

    name: str
    start: int
    cold: int
    end: int
    entry: int | None

    @property
    def words(self) -> int:
        return (self.cold - self.start) // 4


@dataclass(frozen=True)
class Relocation:
    kind: int
    at: int
    addend: int


class Program:
    """``bytes`` of the file may be changed; addresses are virtual."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                elf = ELFFile(stream)
                stream.seek(0)
                self.bytes = bytearray(stream.read())
                self._read(elf)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}.") from None
        except (ELFError, struct.error) as error:
            raise UserError(f"{path}: not a usable ELF file ({error}).") from None

    def _read(self, elf: ELFFile) -> None:
        loaded = [s for s in elf.iter_sections() if s["sh_flags"] & 2 and s["sh_addr"]]
        self._places = [
            (s["sh_addr"], s["sh_addr"] + s["sh_size"], s["sh_offset"])
            for s in loaded
            if s["sh_type"] == "SHT_PROGBITS"
        ]
        self.sections = {s.name: (s["sh_addr"], s["sh_addr"] + s["sh_size"]) for s in loaded}
        text = elf.get_section_by_name(".text")
        markers = elf.get_section_by_name(".mcpi.markers")
        listed = elf.get_section_by_name(CONSTANTS)
        self._records = listed.data() if listed else b""
        self.text = (text["sh_addr"], text["sh_addr"] + text["sh_size"])
        #: Added to a physical address it is the virtual one; 0 if pages of the image are mapped.
        self.base = KSEG if self.text[0] >= KSEG else 0
        self.markers = (markers["sh_offset"], markers["sh_size"]) if markers else (0, 0)
        self.relocations = [
            Relocation(info & 0xFFFF_FFFF, at, addend)
            for s in elf.iter_sections()
            if s["sh_type"] == "SHT_RELA" and elf.get_section(s["sh_info"])["sh_flags"] & 2
            for at, info, addend in _RELOCATION.iter_unpack(s.data())
        ]
        self._symbols(elf.get_section_by_name(".symtab"))

    def _symbols(self, table) -> None:
        found, file = [], ""
        named = mangled.read(table)
        strings, data = table.stringtable, table.data()
        for name, info, other, section, value, size in _SYMBOL.iter_unpack(data):
            text = strings.get_string(name)
            text = named.get(text, text)
            if info & 15 == FILE:
                file = text
            elif section and text:
                found.append((text, info & 15, other, value, size, file if info >> 4 == 0 else ""))
        self.symbols = {text: value for text, _, _, value, _, _ in found}
        colds = {(t.removesuffix(".cold"), v) for t, _, _, v, _, _ in found if t.endswith(".cold")}
        # Second names of functions have no size of their own.
        functions = [
            f for f in found if f[1] == FUNCTION and self.text[0] <= f[3] < self.text[1] and f[4]
        ]
        many = Counter(f[0] for f in functions)
        self.functions: dict[str, Function] = {}
        for text, _, other, start, size, file in functions:
            end = start + size
            cold = [v for name, v in colds if name == text and start < v < end]
            name = f"{Path(file).stem}:{text}" if many[text] > 1 else text
            entry = self._entry(start, other)
            self.functions[name] = Function(name, start, min([*cold, end]), end, entry)
        self.starts = {f.start: f for f in self.functions.values()}
        self._sorted = sorted(self.starts)

    def _entry(self, start: int, other: int) -> int | None:
        """Past the gp prologue, when that stands where the flag says."""
        if other == NOPV:
            return start
        high, low = self.word(start), self.word(start + 4)
        loads_gp = (alpha.opcode(high), alpha.ra(high), alpha.rb(high)) == (
            alpha.LDAH,
            alpha.GP,
            alpha.PV,
        ) and (alpha.opcode(low), alpha.ra(low), alpha.rb(low)) == (alpha.LDA, alpha.GP, alpha.GP)
        return start + 8 if other == STD_GPLOAD and loads_gp else None

    @cached_property
    def gp(self) -> int:
        """The one gp of all functions."""
        if not self.relocations:
            raise UserError(f"{self.path}: no relocations; link it with --emit-relocs.")
        values: dict[int, int] = {}
        for r in self.relocations:
            if r.kind == Kind.GPDISP:
                pair = self.word(r.at), self.word(r.at + r.addend)
                values.setdefault(r.at + alpha.joined(*pair), r.at)
        if len(values) != 1:
            where = ", ".join(f"{gp:#x} (at {at:#x})" for gp, at in values.items())
            raise UserError(f"{self.path}: cloning needs one gp, and there are {where or 'none'}.")
        return next(iter(values))

    def _offset(self, address: int, size: int) -> int:
        for start, end, offset in self._places:
            if start <= address and address + size <= end:
                return address - start + offset
        raise UserError(f"{self.path}: {address:#x} has no contents in the file.")

    def word(self, address: int) -> int:
        return struct.unpack_from("<I", self.bytes, self._offset(address, 4))[0]

    def quad(self, address: int) -> int:
        return struct.unpack_from("<Q", self.bytes, self._offset(address, 8))[0]

    def holds(self, address: int) -> bool:
        return any(start <= address < end for start, end, _ in self._places)

    def marked(self) -> list[int]:
        """Addresses of the markers (firmware/platform/marker.h)."""
        start, size = self.markers
        return [at for at, _, _ in MARKER.iter_unpack(self.bytes[start : start + size])]

    def records(self) -> bytes:
        """The constants that the image lists (constants.py)."""
        return self._records

    def put(self, address: int, data: bytes) -> None:
        offset = self._offset(address, len(data))
        self.bytes[offset : offset + len(data)] = data

    def section_at(self, address: int) -> str | None:
        """The section in memory that holds ``address``."""
        for name, (start, end) in self.sections.items():
            if start <= address < end:
                return name
        return None

    def function_at(self, address: int) -> Function | None:
        """The function whose main line or tail holds ``address``."""
        i = bisect.bisect_right(self._sorted, address) - 1
        f = self.starts[self._sorted[i]] if i >= 0 else None
        return f if f and address < f.end else None
