# SPDX-License-Identifier: BSD-2-Clause
"""``machines/instructions.toml``: each instruction's code, format and group.

``Machine.to_json`` has the codes for Scala, ``cpp_header`` those for C++; random programs, benches,
proofs and the assembler take them from here.
"""

import functools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from mcpi.base.errors import UserError, nearest
from mcpi.base.repo import MACHINES

FILE = MACHINES / "instructions.toml"
#: By format the function's lowest bit and its number of bits.
FUNCTIONS = {"operate": (5, 7), "misc": (0, 16), "jump": (14, 2), "call": (0, 26)}
Format = Literal[
    "memory", "branch", "jump", "operate", "misc", "call", "internal", "physical", "return"
]
_OPCODES = 64


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """The registers that instructions of a group read and write, and the chapter that says so."""

    reads: str
    writes: str
    source: str


class Instruction(Struct, frozen=True, forbid_unknown_fields=True):
    """A row; the comment of the file defines the fields."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(/v)?$")]
    code: Annotated[str, Meta(pattern=r"^[0-9A-F]{2}(\.[0-9A-F]+)?$")]
    format: Format
    group: str
    bytes: Literal[0, 4, 8] = 0
    any_alignment: bool = False
    overflow: bool = False
    mode: Literal["", "kernel", "pal"] = ""
    ours: bool = False
    doc: str = ""

    @property
    def opcode(self) -> int:
        return int(self.code[:2], 16)

    @property
    def function(self) -> int | None:
        """The function; None if the opcode alone says which instruction it is."""
        return int(self.code[3:], 16) if "." in self.code else None

    @property
    def match(self) -> int:
        """The bits of ``mask``; all others are zero."""
        low, _ = FUNCTIONS.get(self.format, (0, 0))
        return self.opcode << 26 | (self.function or 0) << low

    @property
    def mask(self) -> int:
        """The bits that say which instruction it is."""
        low, bits = FUNCTIONS.get(self.format, (0, 0))
        return 0xFC000000 | ((1 << bits) - 1) << low

    @property
    def identifier(self) -> str:
        """``ADDQ_V`` of ``addq/v``."""
        return self.name.replace("/", "_").upper()

    def check(self, groups: dict[str, Group]) -> None:
        """Raise ValueError for fields that do not go together."""
        if self.group not in groups:
            raise ValueError(f"no such group '{self.group}'.{nearest(self.group, sorted(groups))}")
        if self.opcode >= _OPCODES:
            raise ValueError(f"code: opcode {self.opcode:02X} has more than six bits")
        wanted = self.format in FUNCTIONS
        if wanted != (self.function is not None):
            raise ValueError(f"code: format {self.format} has {'a' if wanted else 'no'} function")
        if wanted and self.function >> FUNCTIONS[self.format][1]:
            bits = FUNCTIONS[self.format][1]
            raise ValueError(f"code: a function of format {self.format} has {bits} bits")


class Table(Struct, frozen=True):
    """All of the file."""

    groups: dict[str, Group]
    opcodes: dict[str, list[int]]
    instructions: tuple[Instruction, ...]
    by_name: dict[str, Instruction]
    by_opcode: list[list[Instruction]]


def table(path: Path | None = None) -> Table:
    """The file, read once. UserError for a row that is wrong."""
    return _table(path or FILE)


def rows() -> tuple[Instruction, ...]:
    return table().instructions


def named(name: str) -> Instruction:
    """The row of a mnemonic. UserError if there is none."""
    if name not in (found := table().by_name):
        raise UserError(f"'{name}' is no instruction.{nearest(name, sorted(found))}")
    return found[name]


def find(word: int) -> Instruction | None:
    """The row of an instruction word."""
    there = table().by_opcode[word >> 26]
    return next((row for row in there if word & row.mask == row.match), None)


def of_group(*groups: str) -> list[Instruction]:
    """Rows of groups, in the order of the file."""
    return [row for row in rows() if row.group in groups]


def opcodes(name: str) -> list[int]:
    """Opcodes by a name of ``[opcodes]``."""
    return table().opcodes[name]


def reserved() -> list[int]:
    """Opcodes that have no instruction, and are not floating point's."""
    there = {row.opcode for row in rows()} | {*opcodes("floating")}
    return [opcode for opcode in range(_OPCODES) if opcode not in there]


def to_json() -> dict:
    """Codes for the decoder of the hardware, to which each CALL_PAL is one instruction."""
    call = {"name": "call_pal", "opcode": opcodes("call_pal")[0]}
    return {
        "floating": opcodes("floating"),
        "rows": [call, *(_code(row) for row in rows() if row.format != "call")],
    }


def _code(row: Instruction) -> dict:
    """The name and the bits that the decoder looks at: of a jump the opcode alone."""
    code = {"name": row.name, "opcode": row.opcode}
    if row.format in ("operate", "misc"):
        low, bits = FUNCTIONS[row.format]
        return code | {"function": row.function, "high": low + bits - 1, "low": low}
    return code


@functools.cache
def _table(path: Path) -> Table:
    try:
        read = tomllib.loads(path.read_text())
        groups = msgspec.convert(read["groups"], dict[str, Group])
        codes = msgspec.convert(read["opcodes"], dict[str, list[int]])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UserError(f"{path}: {error}. Its comment defines the fields.") from None
    made = tuple(_rows(path, read["instructions"], groups))
    by_opcode: list[list[Instruction]] = [[] for _ in range(_OPCODES)]
    for row in made:
        for other in by_opcode[row.opcode]:
            if (row.match ^ other.match) & row.mask & other.mask == 0:
                raise UserError(f"{path}: '{other.name}' and '{row.name}' have the same code.")
        by_opcode[row.opcode].append(row)
        if row.opcode in codes["floating"]:
            raise UserError(f"{path}: '{row.name}': code: {row.opcode:02X} is floating point's.")
    return Table(groups, codes, made, {row.name: row for row in made}, by_opcode)


def _rows(path: Path, read: dict, groups: dict[str, Group]) -> Iterator[Instruction]:
    for name, row in read.items():
        try:
            made = msgspec.convert({"name": name} | row, Instruction)
            made.check(groups)
        except (TypeError, ValueError) as error:  # msgspec's errors are ValueErrors
            raise UserError(f"{path}: '{name}': {error}. Its comment defines the fields.") from None
        yield made
