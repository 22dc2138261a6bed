# SPDX-License-Identifier: BSD-2-Clause
"""Places of a run by program counter: function, source line, and the word that is there.

A copy that the cloner made has the line and the word of its original.
"""

import bisect
import json
from dataclasses import dataclass, replace
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError, nearest
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import PHYSICAL
from mcpi.layout import symbols
from mcpi.layout.lines import Lines
from mcpi.spec.numbers import SIDES

PAL_MODE = 1  # bit 0 of a program counter


@dataclass(frozen=True)
class Place:
    """``address`` is where it runs, virtual (physical in PAL mode); ``source`` is ``file:line``, or
    empty; ``original`` is where the linker put it."""

    address: int
    function: str
    source: str
    original: int
    copy: bool = False

    @property
    def is_pal(self) -> bool:
        return self.function.startswith("PAL ")


@dataclass(frozen=True)
class _Copy:
    start: int
    source: int
    dropped: tuple[int, ...]  # words of the original that the copy has not

    def original(self, address: int) -> int:
        at = (address - self.start) // 4
        for dropped in self.dropped:
            at += dropped <= at
        return self.source + 4 * at


class Places:
    """Places of the image ``elf`` and the PALcode ``pal``; ``elf`` with a ``.json`` next to it
    clones."""

    def __init__(self, elf: Path, pal: Path) -> None:
        self.elf = elf
        self._program = Program(elf)
        self._lines = Lines(elf)
        self._spans, _, _ = symbols.spans(elf)
        self._copies = _copies(elf.with_suffix(".json"))
        self._pal, self._pal_start, self._pal_words = _pal(pal)

    def at(self, pc: int) -> Place:
        """``pc`` as a run has it: physical, bit 0 set in PAL mode."""
        found = self._without_source(pc)
        of_image = not found.is_pal and found.function != symbols.ELSEWHERE
        return replace(found, source=self.source(found.original)) if of_image else found

    def name(self, pc: int) -> str:
        """``at(pc).function``, without the lines of the image, which take a quarter of a second."""
        return self._without_source(pc).function

    def _without_source(self, pc: int) -> Place:
        if pc & PAL_MODE:
            address = pc & ~3
            i = bisect.bisect_right(self._pal, address, key=lambda label: label[0]) - 1
            name = self._pal[i][1] if i >= 0 else "?"
            return Place(address, f"PAL {name}", "", address)
        address = self._program.base + (pc & ~3)
        i = bisect.bisect_right(self._spans, address, key=lambda s: s.start) - 1
        span = self._spans[i] if i >= 0 else None
        if span is None or address >= span.end:
            return Place(address, symbols.ELSEWHERE, "", address)
        original = self._copies[span.start].original(address) if span.copy else address
        return Place(address, span.function, "", original, span.copy)

    def code(self, address: int) -> str:
        """Name of the function or of the label of the PALcode that a physical address lies in;
        empty where no code is."""
        in_pal = self._pal_start <= address < self._pal_start + len(self._pal_words)
        name = self.name(address | PAL_MODE if in_pal else address)
        return "" if name == symbols.ELSEWHERE else name

    def word(self, place: Place) -> int | None:
        """The instruction at ``place``; None where neither image nor PALcode has one."""
        if place.is_pal:
            at = place.address - self._pal_start
            inside = 0 <= at < len(self._pal_words)
            return int.from_bytes(self._pal_words[at : at + 4], "little") if inside else None
        return self._program.word(place.original) if self._program.holds(place.original) else None

    def function(self, name: str) -> tuple[int, int]:
        """Start and end of the original. UserError if there is none of the name."""
        found = self._program.functions.get(name)
        if found is None:
            hint = nearest(name, self._program.functions)
            raise UserError(
                f"{self.elf.name} has no function {name}. A static one may have been compiled into "
                f"its callers: __attribute__((noinline)) keeps it.{hint}"
            )
        return found.start, found.end

    def starts(self) -> dict[str, int]:
        """Where functions of the image and labels of the PALcode begin, by ``Place.function``."""
        pal = {f"PAL {name}": address for address, name in self._pal}
        return pal | {name: f.start for name, f in self._program.functions.items()}

    def ranges(self) -> list[tuple[int, int, str]]:
        """Physical start and end of each function, copy, and label of the PALcode, and the name
        that ``name`` gives their instructions."""
        base = self._program.base
        found = [(s.start - base, s.end - base, s.function) for s in self._spans]
        ends = [address for address, _ in self._pal[1:]]
        ends.append(self._pal_start + len(self._pal_words))
        pal = [(a, end, f"PAL {name}") for (a, name), end in zip(self._pal, ends) if end > a]
        return found + pal

    def copies(self, original: int) -> list[int]:
        """Where the cloner's copies of the instruction at this address of the image are."""
        spans = [(s.start, s.end) for s in self._spans if s.copy]
        return [
            address
            for start, end in spans
            if self._copies[start].source <= original
            for address in range(start, end, 4)
            if self._copies[start].original(address) == original
        ]

    def source(self, original: int) -> str:
        """``file:line`` of an address of the image, empty if it has none."""
        return self._lines.source(original)


def of_side(folder: Path, side: str) -> Places:
    """Places of one machine's image in a run's folder."""
    peer = folder / "peer.elf"
    image = peer if SIDES[side] and peer.exists() else folder / "image.elf"
    return Places(image, folder / "pal.elf")


def _copies(about: Path) -> dict[int, _Copy]:
    if not about.exists():
        return {}
    return {
        c["target"]: _Copy(c["target"], c["source"], tuple(c["dropped"]))
        for c in json.loads(about.read_text())["copies"]
    }


def _pal(pal: Path) -> tuple[list[tuple[int, str]], int, bytes]:
    """Labels of the PALcode by physical address, its start address, and its bytes."""
    with pal.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        named = [(s["st_value"] & PHYSICAL, s.name) for s in table.iter_symbols() if s.name]
        code = next(s for s in elf.iter_segments("PT_LOAD") if s["p_filesz"])
        start, words = code["p_vaddr"] & PHYSICAL, code.data()
    return sorted((a, n) for a, n in named if a and not n.startswith((".", "$"))), start, words
