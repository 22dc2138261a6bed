# SPDX-License-Identifier: BSD-2-Clause
"""An image's code as the path-finder reads it: who is called where, and of which source line."""

import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD, FIRMWARE, ROOT
from mcpi.firmware import c_functions
from mcpi.firmware.c_functions import Item, Source
from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.program import Function, Program
from mcpi.firmware.path_inline import CALLS, POINTER
from mcpi.firmware.rooms import room_of
from mcpi.layout.lines import Lines

INTERFACE = "firmware/xkernel/upi.h"
_INLINE = re.compile(r"^static inline .*?(\w+)\(")
_THROUGH = re.compile(r"->(\w+)\(")
_BACK = 64  # instructions before a call among which its target is loaded


@cache
def interface() -> list[str]:
    """By line of upi.h, from 0: the inline function that the line belongs to."""
    found, name = [""], ""
    for line in (FIRMWARE.parent / INTERFACE).read_text().splitlines():
        if match := _INLINE.match(line):
            name = match[1]
        found.append(name)
    return found


class Code:
    """The image ``elf`` of these sources; ``rooms``: the graph's protocols."""

    def __init__(self, elf: Path, sources: Iterable[Path], rooms: Iterable[str]) -> None:
        self.program = Program(elf)
        self.rooms = frozenset(rooms)
        self.files = {f"{room_of(s).name}/{s.name}": s for s in sources if _is_written(s)}
        self._lines = Lines(elf)
        self._labels = {path.resolve(): label for label, path in self.files.items()}
        self._sources: dict[str, Source | None] = {}
        self._texts = {
            label: c_functions.COMMENT.sub(_lines_of, path.read_text())
            for label, path in self.files.items()
        }
        self._places: dict[int, tuple[str, int]] = {}
        self._calls: dict[int, tuple[str, int | None]] = {}
        self._homes: dict[int, str] = {}
        self._items: dict[int, tuple[str, Item] | None] = {}
        self.refusals: dict[tuple[str, str], str] = {}

    def place(self, pc: int) -> tuple[str, int]:
        """File and line; a file of the image by ``room/file.c``."""
        if pc not in self._places:
            file, _, line = self._lines.source(pc).rpartition(":")
            label = self._labels.get((ROOT / file).resolve(), file) if file else ""
            self._places[pc] = label, int(line or 0)
        return self._places[pc]

    def file_of(self, function: Function) -> str:
        """The file of the first instruction that no inline function of a header has brought."""
        if function.start not in self._homes:
            found = (self.place(pc)[0] for pc in range(function.start, function.end, 4))
            home = next((file for file in found if file in self.files), "")
            self._homes[function.start] = home
        return self._homes[function.start]

    def room_of(self, function: Function) -> str:
        return self.file_of(function).partition("/")[0]

    def source(self, file: str) -> Source | None:
        """Read a file; None if no function of it can be copied."""
        if file not in self._sources:
            try:
                self._sources[file] = c_functions.read(self.files[file])
            except (KeyError, UserError):
                self._sources[file] = None
        return self._sources[file]

    def item(self, pc: int) -> tuple[str, Item] | None:
        """The file and the function of its text that this instruction comes from."""
        if pc not in self._items:
            self._items[pc] = self._item(pc)
        return self._items[pc]

    def _item(self, pc: int) -> tuple[str, Item] | None:
        file, line = self.place(pc)
        source = self.source(file) if file in self.files else None
        for item in source.items if source else ():
            if item.kind == "function" and item.line <= line <= item.line + item.text.count("\n"):
                return file, item
        return None

    def is_named_elsewhere(self, name: str, file: str) -> bool:
        """Return true if another file names the function, so that the linker can replace it."""
        word = re.compile(rf"\b{name}\b")
        return any(word.search(text) for other, text in self._texts.items() if other != file)

    def call(self, pc: int) -> tuple[str, int | None]:
        """Kind and target of a call: ``direct`` with its target; or without one an operation of
        the uniform interface, ``->`` and the member that its line calls, or ``indirect``."""
        if pc not in self._calls:
            self._calls[pc] = self._call(pc)
        return self._calls[pc]

    def _call(self, pc: int) -> tuple[str, int | None]:
        word = self.program.word(pc)
        if alpha.is_branch(word):
            return "direct", alpha.branch_target(word, pc)
        file, line = self.place(pc)
        if file == INTERFACE and (name := interface()[line]) in CALLS:
            return name, None
        register = alpha.rb(word)
        for at in range(pc - 4, pc - 4 * _BACK, -4):
            loaded = self.program.word(at)
            if alpha.ra(loaded) != register:
                continue
            if alpha.opcode(loaded) == alpha.LDQ and alpha.rb(loaded) == alpha.GP:
                at = self.gp + alpha.displacement(loaded)
                if self.program.holds(at):
                    return "direct", self.program.quad(at)
                break  # a variable
            if alpha.opcode(loaded) in (alpha.LDQ, alpha.LDA, alpha.LDAH):
                break
        return self._member(file, line) or "indirect", None

    def _member(self, file: str, line: int) -> str:
        """The member through which this line of a protocol calls, if there is one only."""
        if file.partition("/")[0] not in self.rooms or not line:
            return ""
        found = _THROUGH.findall(self._texts[file].splitlines()[line - 1])
        return f"{POINTER}{found[0]}" if len(found) == 1 else ""

    @cached_property
    def gp(self) -> int:
        """The one gp of the image, from the first function that loads it."""
        for function in self.program.functions.values():
            if function.entry == function.start + 8:
                pair = (self.program.word(function.start + n) for n in (0, 4))
                return function.start + alpha.joined(*pair)
        raise UserError(f"{self.program.path}: no function loads gp.")


def _lines_of(comment: re.Match) -> str:
    """The lines of a comment, without its text."""
    return "\n" * comment[0].count("\n")


def _is_written(source: Path) -> bool:
    """Return true for C that is not generated."""
    return source.suffix == ".c" and source.is_file() and not source.is_relative_to(BUILD)


def base_name(function: Function) -> str:
    """The name in the sources: two static functions may have the same."""
    return function.name.rpartition(":")[2]
