# SPDX-License-Identifier: BSD-2-Clause
"""Which source lines are annotated as unlikely, and where their code lies in an image.

Made for tests of outlining only: it reads sources, symbols and line tables, and shares nothing
with mcpi.firmware.outline.
"""

import bisect
import re
import struct
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.repo import ROOT
from mcpi.isa import table

COMMENT = re.compile(r"/\*.*?\*/", re.S)
IF = re.compile(r"\bif \(")
LEAVES = re.compile(r"\b(return|continue|break|goto)\b[^;]*;\s*\}?\s*$")
UNCONDITIONAL, JUMPS = (table.named(name).opcode for name in ("br", "jmp"))


@cache
def unlikely_lines(file: Path) -> frozenset[int]:
    """Lines of C that are executed only when an annotated condition goes the unlikely way."""
    text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), file.read_text())
    lines: set[int] = set()
    for found in IF.finditer(text):
        opening = found.end() - 1
        closing = _match(text, opening, "()")
        condition = text[opening:closing]
        then = _statement(text, closing + 1)
        rest = re.compile(r"\s*else\b").match(text, then[1])
        if "PREDICT_FALSE(" in condition:
            lines |= _between(text, then)
        elif condition.startswith("(PREDICT_TRUE(") and "&&" not in condition.split("))")[-1]:
            if rest:
                lines |= _between(text, _statement(text, rest.end()))
            elif LEAVES.search(text[then[0] : then[1]]):
                lines |= _between(text, (then[1], _block_end(text, then[1])))
    return frozenset(lines)


def _match(text: str, at: int, pair: str) -> int:
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    raise AssertionError(f"no {pair[1]} for {text[at : at + 40]!r}")


def _statement(text: str, at: int) -> tuple[int, int]:
    """Begin and end of the statement behind ``at``: a block, or up to its semicolon."""
    begin = at + len(text[at:]) - len(text[at:].lstrip())
    if text[begin] == "{":
        return begin, _match(text, begin, "{}") + 1
    if inner := re.compile(r"(?:if|while|for|switch) \(").match(text, begin):
        return begin, _statement(text, _match(text, inner.end() - 1, "()") + 1)[1]
    return begin, text.index(";", begin) + 1


def _block_end(text: str, at: int) -> int:
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth < 0:
            return i
    raise AssertionError("a block without end")


def _between(text: str, span: tuple[int, int]) -> set[int]:
    """Lines that begin within, so not that of the condition."""
    first, last = (text.count("\n", 0, i) + 1 for i in span)
    lines = text.splitlines()
    starts = text.rfind("\n", 0, span[0]) + 1
    begin = first + bool(text[starts : span[0]].strip())
    return {n for n in range(begin, last + 1) if lines[n - 1].strip(" \t{}")}


@dataclass
class Function:
    name: str
    low: int
    high: int
    cold: int  # where its outlined code begins; `high`: there is none
    lines: dict[int, tuple[Path, int]] = field(default_factory=dict)  # by address


@cache
def functions(image: Path) -> list[Function]:
    """Every function of an image with the source line of each of its instructions."""
    with image.open("rb") as stream:
        elf = ELFFile(stream)
        symbols = list(elf.get_section_by_name(".symtab").iter_symbols())
        cold = {s.name: s["st_value"] for s in symbols if s.name.endswith(".cold")}
        found = [
            Function(s.name, s["st_value"], end, cold.get(f"{s.name}.cold", end))
            for s in symbols
            if s["st_info"]["type"] == "STT_FUNC" and (end := s["st_value"] + s["st_size"])
        ]
        rows = sorted(_rows(elf), key=lambda row: row[0])
    starts = [address for address, _ in rows]
    for f in found:
        for address in range(f.low, f.high, 4):
            at = bisect.bisect_right(starts, address) - 1
            if at >= 0 and rows[at][1]:
                f.lines[address] = rows[at][1]
    return found


def _rows(elf: ELFFile):
    for unit in elf.get_dwarf_info().iter_CUs():
        program = elf.get_dwarf_info().line_program_for_CU(unit)
        if not program:
            continue
        names = []
        for entry in program.header["file_entry"]:
            folder = program.header["include_directory"][entry["dir_index"]].decode()
            path = Path(folder) / entry.name.decode()
            names.append(path if path.is_absolute() else ROOT / path)
        for row in program.get_entries():
            if s := row.state:
                yield s.address, None if s.end_sequence else (names[s.file], s.line)


def words(image: Path) -> dict[int, int]:
    """Instruction words by address."""
    with image.open("rb") as stream:
        text = ELFFile(stream).get_section_by_name(".text")
        data, base = text.data(), text["sh_addr"]
    return {base + 4 * i: w for i, (w,) in enumerate(struct.iter_unpack("<I", data))}


def falls_into(words: dict[int, int], address: int) -> bool:
    """Return true if the instruction at ``address`` can follow the one before it."""
    before = words.get(address - 4, 0)
    opcode = before >> 26
    is_call = opcode == JUMPS and before >> 14 & 3 == 1
    return is_call or opcode not in (UNCONDITIONAL, JUMPS)
