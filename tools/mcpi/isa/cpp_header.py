# SPDX-License-Identifier: BSD-2-Clause
"""``machines/instructions.h``: the rows of ``machines/instructions.toml`` for C++."""

from collections.abc import Iterable
from pathlib import Path
from string import Template

from mcpi.isa import table
from mcpi.isa.table import Instruction

TEMPLATE = Template(Path(__file__).with_suffix(".template").read_text())


def header() -> str:
    rows = sorted(table.rows(), key=lambda row: row.match)
    opcodes = {name: codes[0] for name, codes in table.table().opcodes.items() if len(codes) == 1}
    opcodes |= {row.identifier: row.opcode for row in rows if row.function is None}
    functions = {row.identifier: row.function for row in rows if row.function is not None}
    first = [sum(row.opcode < opcode for row in rows) for opcode in range(65)]
    floating = sum(1 << opcode for opcode in table.opcodes("floating"))
    formats = dict.fromkeys(row.format for row in rows)
    constants = [
        *_enumeration("Format", formats),
        *_enumeration("Group", table.table().groups),
        "enum class Mode : uint8_t { all, kernel, pal };",
        *_constants("opcode", opcodes),
        *_constants("function", functions),
    ]
    lines = [
        f"constexpr std::array<Encoding, {len(rows)}> encodings = {{{{",
        *(f"    {_encoding(row)}," for row in rows),
        "}};",
        f"constexpr std::array<uint8_t, {len(first)}> firstOfOpcode = "
        f"{{{{{', '.join(map(str, first))}}}}};",
        f"constexpr uint64_t floatingOpcodes = {floating:#x};",
    ]
    return TEMPLATE.substitute(constants="\n".join(constants), table="\n".join(lines))


def _encoding(row: Instruction) -> str:
    flags = f"{str(row.any_alignment).lower()}, {str(row.overflow).lower()}"
    kind = f"Format::{_name(row.format)}, Group::{_name(row.group)}, Mode::{row.mode or 'all'}"
    return f'{{"{row.name}", {row.match:#x}, {row.mask:#x}, {kind}, {row.bytes}, {flags}}}'


def _name(word: str) -> str:
    """``storeConditional`` of ``store_conditional``; ``returns`` of ``return``, a word of C++."""
    first, *rest = word.split("_")
    return "returns" if word == "return" else first + "".join(map(str.capitalize, rest))


def _enumeration(name: str, words: Iterable[str]) -> list[str]:
    return [f"enum class {name} : uint8_t {{ {', '.join(map(_name, words))} }};"]


def _constants(name: str, values: dict[str, int]) -> list[str]:
    inside = [f"constexpr unsigned {key.upper()} = {value:#x};" for key, value in values.items()]
    return [f"namespace {name} {{", *inside, "}"]
