# SPDX-License-Identifier: BSD-2-Clause
"""Instruction words from a mnemonic and the values of its fields (docs/sources/ev4.md 1.1)."""

from mcpi.isa import table
from mcpi.isa.table import Instruction

NONE = 31  # the register that reads as zero, in fields that an instruction does not use
RETURN_FIELDS = 0x3FF8000  # of HW_REI, as assemblers write it
PHYSICAL, ALTERNATE, CHECK, QUADWORD = (1 << bit for bit in (15, 14, 13, 12))  # of HW_LD, HW_ST
_DISPLACEMENTS = {"memory": 16, "branch": 21, "jump": 14, "internal": 8, "physical": 16}


def word(
    what: str | Instruction,
    *,
    ra: int = NONE,
    rb: int = NONE,
    rc: int = NONE,
    literal: int | None = None,
    disp: int = 0,
) -> int:
    """The word of an instruction. ``disp``: bytes for a memory instruction, words for a branch,
    the hint of a jump, the internal register of HW_MFPR and HW_MTPR; of HW_LD and HW_ST 12 bits and
    flags. A ``literal`` takes the place of ``rb``. ValueError for a value that its field cannot
    have."""
    row = table.named(what) if isinstance(what, str) else what
    if row.format == "call":
        return row.match
    if row.format == "return":
        return row.match | RETURN_FIELDS
    made = row.match | _field(row, "ra", ra, 5) << 21
    if row.format == "operate":
        made |= _field(row, "rc", rc, 5)
        if literal is not None:
            return made | _field(row, "literal", literal, 8) << 13 | 1 << 12
    made |= _field(row, "rb", rb, 5) << 16 if row.format != "branch" else 0
    if bits := _DISPLACEMENTS.get(row.format):
        made |= _field(row, "displacement", disp, bits)
    return made


def call(function: int) -> int:
    """CALL_PAL with any function."""
    return table.opcodes("call_pal")[0] << 26 | function & 0x3FFFFFF


def branch(what: str, ra: int, source: int, target: int) -> int:
    """The branch at ``source`` to ``target``."""
    return word(what, ra=ra, disp=(target - source - 4) // 4)


def _field(row: Instruction, name: str, value: int, bits: int) -> int:
    signed = name == "displacement"
    if not (-(1 << bits - 1) if signed else 0) <= value < 1 << bits:
        raise ValueError(f"{row.name}: {name} {value} does not fit into {bits} bits")
    return value & (1 << bits) - 1
