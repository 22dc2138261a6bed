# SPDX-License-Identifier: BSD-2-Clause
"""Instructions of a run as the assembler writes them, and where they are."""

import re
from functools import cached_property
from pathlib import Path

from mcpi.analysis.places import Place, Places
from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.machine.c_header import KSEG

OBJDUMP = "alpha-linux-gnu-objdump"
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(.*)$", re.M)


class Disassembly:
    """Disassembly of one machine's image and PALcode."""

    def __init__(self, places: Places, pal: Path) -> None:
        self.places = places
        self._pal = pal
        self._found: dict[int, Place] = {}

    def place(self, pc: int) -> Place:
        """``pc`` as a run has it: physical, bit 0 set in PAL mode."""
        if pc not in self._found:
            self._found[pc] = self.places.at(pc)
        return self._found[pc]

    def text(self, pc: int) -> str:
        """The instruction; empty where neither image nor PALcode has one."""
        place = self.place(pc)
        if place.is_pal:
            return self._palcode.get(KSEG + place.original, "")
        return self._image.get(place.original, "")

    def word(self, pc: int) -> int | None:
        """The same as a number; None where there is none."""
        return self.places.word(self.place(pc))

    def starts(self, pc: int) -> bool:
        """Return true if a function begins at ``pc``."""
        place = self.place(pc)
        return self._starts.get(place.function) == place.original

    def name(self, pc: int) -> str:
        """``function+0x40``; ``'`` after the name of a copy."""
        place = self.place(pc)
        start = self._starts.get(place.function)
        copy = "'" if place.copy else ""
        offset = f"+{place.original - start:#x}" if start is not None else ""
        return f"{place.function}{copy}{offset}"

    @cached_property
    def _starts(self) -> dict[str, int]:
        return self.places.starts()

    @cached_property
    def _image(self) -> dict[int, str]:
        return _read(self.places.elf)

    @cached_property
    def _palcode(self) -> dict[int, str]:
        return _read(self._pal)


def _read(elf: Path) -> dict[int, str]:
    done = heard([OBJDUMP, "--disassemble", "--no-show-raw-insn", elf.resolve()])
    if done.returncode:
        raise RunError(f"{OBJDUMP} ended with status {done.returncode}: {done.stderr.strip()}")
    found = _INSTRUCTION.findall(done.stdout)
    return {int(at, 16): " ".join(text.split()) for at, text in found}
