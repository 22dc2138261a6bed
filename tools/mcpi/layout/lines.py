# SPDX-License-Identifier: BSD-2-Clause
"""Source lines of an image, from its line programs (DWARF)."""

import bisect
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.repo import ROOT

OURS = ("firmware/", "build/")


class Lines:
    """Source lines of the image ``elf``."""

    def __init__(self, elf: Path) -> None:
        self._elf = elf

    def source(self, address: int) -> str:
        """``file:line`` of a virtual address, empty if it has none."""
        i = bisect.bisect_right(self._rows, address, key=lambda row: row[0]) - 1
        return self._rows[i][1] if i >= 0 else ""

    @cached_property
    def _rows(self) -> list[tuple[int, str]]:
        """Rows of all line programs, by address; an empty text ends a sequence."""
        rows: list[tuple[int, str]] = []
        with self._elf.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return rows
            dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)  # the linker has
            for unit in dwarf.iter_CUs():
                if (program := dwarf.line_program_for_CU(unit)) is None:
                    continue
                names = _file_names(program)
                for entry in program.get_entries():
                    if (state := entry.state) is not None:
                        text = "" if state.end_sequence else f"{names(state.file)}:{state.line}"
                        rows.append((state.address, text))
        # Where one sequence ends and another begins, the beginning counts.
        return sorted(rows, key=lambda row: (row[0], row[1] != ""))


def _file_names(program) -> Callable[[int], str]:
    """From a file's number to its path, short where it is one of ours."""
    header = program.header
    first = 0 if header.version >= 5 else 1

    def name(number: int) -> str:
        entry = header.file_entry[number - first]
        folder = ""
        if header.version >= 5 or entry.dir_index:
            at = entry.dir_index - (0 if header.version >= 5 else 1)
            folder = header.include_directory[at].decode() + "/"
        path = entry.name.decode() if entry.name.startswith(b"/") else folder + entry.name.decode()
        for ours in OURS:
            if f"/{ours}" in f"/{path}":
                return ours + path.rpartition(ours)[2]
        return path.removeprefix(f"{ROOT}/")

    return name
