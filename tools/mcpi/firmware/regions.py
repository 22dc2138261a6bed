# SPDX-License-Identifier: BSD-2-Clause
"""Measured regions of a program: the places that it marks with MCPI_MEASURE, or whole functions.

Each region has markers of window 1 (docs/reference/counters.md): it opens at one instruction and
closes before others. The window is the same for all, so regions may not lie in each other.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError, nearest
from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.program import Function, Program
from mcpi.firmware.elf import ACTIONS, COMPARATORS, EVENT, MARKERS, PATH, Marker

REGIONS = ".mcpi.regions"
OPEN, CLOSE = 1, 2
MAIN, EXIT = "main", "exit"
_REGION = struct.Struct("<QQ")  # include/mcpi.h: address, line; then the name
_MARKER = struct.Struct("<QII")
_RETURN = 2  # of a jump's two hint bits


@dataclass(frozen=True)
class Region:
    """``opens``: the addresses (virtual) at which it begins, several where the compiler has made
    copies; ``closes``: those before which it ends, empty for a mark, whose ends are the image's."""

    name: str
    opens: tuple[int, ...]
    closes: tuple[int, ...] = ()


class Image:
    """An ELF file of a program. UserError if it is none of Alpha's."""

    def __init__(self, path: Path) -> None:
        self.program = Program(path)
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            self._marks = _section(elf, REGIONS)
            self.markers = [Marker(*m) for m in _MARKER.iter_unpack(_section(elf, MARKERS))]

    def marked(self, source) -> list[Region]:
        """The places that the program marks. ``source``: ``file:line`` of an address."""
        found: dict[str, list[int]] = {}
        at = 0
        while at < len(self._marks):
            address, line = _REGION.unpack_from(self._marks, at)
            end = self._marks.index(0, at := at + _REGION.size)
            text = self._marks[at:end].decode(errors="replace")
            at = (end + 8) & ~7
            if not text:
                file = source(address).rpartition(":")[0] or "line"
                text = f"{file.rpartition('/')[2]}:{line}"
            found.setdefault(text, []).append(address)
        return [Region(name, tuple(opens)) for name, opens in found.items()]

    def function(self, name: str) -> Region:
        """A whole function: from its first instruction to each of its returns. UserError if there
        is none of the name, or none whose end can be found."""
        found = self.program.functions.get(name)
        if found is None:
            raise UserError(f"--measure {name}: {self._no_function(name)}")
        closes, program = [], self.program
        for at in range(found.start, found.end, 4):
            word = program.word(at)
            if returns(word):
                closes.append(at)
            elif _exits(word, at, found):
                raise UserError(
                    f"--measure {name}: it ends with a jump to another function, at {at:#x}; "
                    "compile it with -fno-optimize-sibling-calls."
                )
            elif alpha.is_call(word) and alpha.opcode(word) == alpha.BSR:
                if found.start <= alpha.branch_target(word, at) < found.end:
                    raise UserError(
                        f"--measure {name}: it calls itself, at {self.program.path.name} "
                        f"{at:#x}; mark the outermost call with MCPI_MEASURE."
                    )
        if name == MAIN and EXIT in program.functions:
            closes.append(program.functions[EXIT].start)
        if not closes:
            raise UserError(f"--measure {name}: it never returns.")
        return Region(name, (self._entry(found),), tuple(closes))

    def returns(self, name: str) -> bool:
        """Return true if the function returns a value by its debug information, or if there is
        none."""
        with self.program.path.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return True
            for unit in elf.get_dwarf_info(relocate_dwarf_sections=False).iter_CUs():
                for entry in unit.get_top_DIE().iter_children():
                    named = entry.attributes.get("DW_AT_name")
                    if (
                        entry.tag == "DW_TAG_subprogram"
                        and named
                        and "DW_AT_low_pc" in (entry.attributes)
                    ):
                        if named.value == name.encode():
                            return "DW_AT_type" in entry.attributes
        return True

    def table(self, regions: list[Region], own: bool) -> list[Marker]:
        """All markers of a run that measures ``regions``; ``own``: the image's marks stay."""
        kept = [m for m in self.markers if own or m.action not in (OPEN, CLOSE)]
        if own:
            opens = {address for region in regions for address in region.opens}
            kept = [m for m in kept if m.action != OPEN or m.address in opens]
        found = list(kept)
        if not own:
            for region in regions:
                found += [Marker(address, OPEN, PATH) for address in region.opens]
                found += [Marker(address, CLOSE, PATH) for address in region.closes]
        needed = sum(m.action != EVENT for m in found)
        if needed > COMPARATORS:
            raise UserError(
                f"{needed} places want a comparator and there are {COMPARATORS}: each mark has "
                "two, interrupts have two, and the compiler may have made copies. Mark fewer."
            )
        return found

    def _no_function(self, name: str) -> str:
        hint = nearest(name, self.program.functions)
        return (
            f"{self.program.path.name} has no function of that name. A static one may have been "
            f"compiled into its callers: __attribute__((noinline)) keeps it.{hint}"
        )

    def _entry(self, function: Function) -> int:
        """Behind the load of gp, if anybody enters there: who begins before it comes by."""
        program = self.program
        if function.entry in (None, function.start):
            return function.start
        for other in program.functions.values():
            for at in range(other.start, other.end, 4):
                word = program.word(at)
                if alpha.is_call(word) and alpha.opcode(word) == alpha.BSR:
                    if alpha.branch_target(word, at) == function.entry:
                        return function.entry
        return function.start


def text(markers: list[Marker]) -> str:
    """The file that ``mcpi-sim`` takes with ``--node N:markers=FILE``."""
    known = [m for m in markers if m.action in ACTIONS]
    return "".join(f"{m.address:#x},{m.action},{m.window}\n" for m in known)


def _section(elf: ELFFile, name: str) -> bytes:
    section = elf.get_section_by_name(name)
    return section.data() if section else b""


def returns(word: int) -> bool:
    """Return true if the instruction ends a function."""
    return alpha.opcode(word) == alpha.JUMP and word >> 14 & 3 == _RETURN


def _exits(word: int, at: int, function: Function) -> bool:
    """A branch or jump out of the function that does not come back."""
    if alpha.opcode(word) == alpha.JUMP:
        return not alpha.is_call(word)
    if not alpha.is_branch(word) or alpha.is_call(word):
        return False
    return not function.start <= alpha.branch_target(word, at) < function.end
