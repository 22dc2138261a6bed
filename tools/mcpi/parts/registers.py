# SPDX-License-Identifier: BSD-2-Clause
"""The part's registers: SystemRDL, and the C header and the page that are made of it.

The longwords on the bus are written by hand (``registers.rdl``; of a TURBOchannel the other file).
The chip's own registers behind RDP are those of ``docs/sources/lance_bits.csv``.
"""

import csv
import re
from dataclasses import dataclass

from mcpi.base import blocks
from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT

LONGWORDS = ROOT / "lance-ip" / "parts" / "files" / "registers.rdl"
OPTION = LONGWORDS.with_name("registers-turbochannel.rdl")
CHIP = ROOT / "docs" / "sources" / "lance_bits.csv"
CHIP_STEP = 2  # the distance of two of the chip's registers in their address map, in bytes
_ACCESS = {
    "rw": "sw = rw; hw = r;",
    "r": "sw = r; hw = w;",
    "w1c": "sw = rw; hw = w; onwrite = woclr;",
    "w1s": "sw = rw; hw = rw; onwrite = woset;",
}
_ACCESSES = {words: access for access, words in _ACCESS.items()}
# The words of the chip's sheet for who may write a bit.
_CHIP_ACCESS = {"read-only": "r", "W1C": "w1c", "write 1": "w1s", "any": "rw"}
# CSR1 and CSR2 are words of the sheet's text, no bits.
_ADDRESS = [
    ("CSR1", 15, 1, "IADR_LOW", "address bits 15:1 of the init block; only while stopped"),
    ("CSR2", 7, 0, "IADR_HIGH", "address bits 23:16 of the init block; only while stopped"),
]
_MAP = re.compile(r"^addrmap (\w+) \{\n(.*?)^\};", re.M | re.S)
_REGISTER = re.compile(r"^  reg \{\n(.*?)^  \} (\w+) @ (0x[0-9a-f]+);", re.M | re.S)
_FIELD = re.compile(r'^ *field \{ ([^"]*;)\s+desc = "([^"]*)"; \}\s+(\w+)_f\[(\d+):(\d+)\];', re.M)


@dataclass(frozen=True)
class Field:
    """Bits of a register; ``offset`` is a byte's, of a chip's register its number."""

    register: str
    offset: int
    high: int
    low: int
    name: str
    access: str
    meaning: str

    @property
    def bits(self) -> str:
        return f"{self.high}:{self.low}" if self.high != self.low else str(self.low)


@dataclass(frozen=True)
class Table:
    """Fields of the longwords on the bus, and of the chip's registers."""

    bus: tuple[Field, ...]
    chip: tuple[Field, ...]


def rdl(bus: str) -> str:
    """SystemRDL 2.0: ``lance`` on the bus, ``lance_csr`` behind RAP and RDP, a word a number."""
    longwords = OPTION if bus == "turbochannel" else LONGWORDS
    return f"{longwords.read_text()}\n{_chip()}"


def _chip() -> str:
    rows = [(r, high, low, name, "rw", m) for r, high, low, name, m in _ADDRESS]
    lines = (line for line in CHIP.read_text().splitlines() if line[:1] != "#")
    for row in csv.DictReader(lines):
        if row["section"] == "1.1" and re.fullmatch(r"CSR\d", row["word"]):
            access, text = _CHIP_ACCESS.get(row["write"], "rw"), row["meaning"].replace('"', "'")
            for bit, name in zip(row["bits"].split(","), row["name"].split(","), strict=True):
                rows.append((row["word"], int(bit), int(bit), name.strip(), access, text))
    said = ["addrmap lance_csr {", "  default regwidth = 16;"]
    for register in sorted({row[0] for row in rows}):
        said.append("  reg {")
        inside = sorted((row[1:] for row in rows if row[0] == register), key=lambda row: -row[0])
        for high, low, name, access, text in inside:
            said.append(f"    field {{ {_ACCESS[access]}")
            said.append(f'      desc = "{text}"; }} {name.lower()}_f[{high}:{low}];')
        said.append(f"  }} {register.lower()} @ {CHIP_STEP * int(register[-1]):#x};")
    return "\n".join([*said, "};"]) + "\n"


def read(text: str) -> Table:
    """The fields of both maps, as :func:`rdl` writes them; RunError if a field is written
    otherwise, which another compiler of SystemRDL may understand."""
    maps = dict(_MAP.findall(text))
    bus = _fields(maps.get("lance", ""), 1)
    chip = tuple(
        Field(f.register, f.offset, f.high, f.low, f.name.upper(), f.access, f.meaning)
        for f in _fields(maps.get("lance_csr", ""), CHIP_STEP)
    )
    there = len(re.findall(r"\bfield\b", text))
    if len(bus) + len(chip) != there:
        raise RunError(
            f"SystemRDL of the part: {len(bus) + len(chip)} of {there} fields are written as "
            f"those of {LONGWORDS.name} are; write the others so, too."
        )
    return Table(bus, chip)


def _fields(inside: str, step: int) -> tuple[Field, ...]:
    return tuple(
        Field(
            register.upper(),
            int(at, 16) // step,
            int(high),
            int(low),
            name,
            _ACCESSES[access],
            " ".join(text.split()),
        )
        for fields, register, at in _REGISTER.findall(inside)
        for access, text, name, high, low in _FIELD.findall(fields)
    )


def _registers(fields: tuple[Field, ...]) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for one in fields:
        found.setdefault(one.register, []).append(one)
    return found


def header(table: Table) -> str:
    """C: offsets, numbers of the chip's registers, and masks of fields."""
    lines = ["/* Registers of LANCE-IP, made by ./mcpi ip lance. */", "#ifndef LANCE_H"]
    lines.append("#define LANCE_H")
    for register, inside in _registers(table.bus).items():
        lines += ["", f"#define LANCE_{register} {inside[0].offset:#04x}"]
        lines += [_mask(f"LANCE_{register}_{one.name.upper()}", one) for one in inside]
    for register, inside in _registers(table.chip).items():
        lines += ["", f"#define LANCE_{register} {inside[0].offset}"]
        lines += [_mask(f"LANCE_{register}_{one.name}", one) for one in inside]
    return "\n".join([*lines, "", "#endif"]) + "\n"


def _mask(name: str, one: Field) -> str:
    mask = (1 << one.high + 1) - (1 << one.low)
    return f"#define {name} {mask:#x}"


def page(table: Table) -> str:
    """Both tables for a reader."""
    head = ("register", "offset", "bits", "field", "access", "meaning")
    bus = [(f.register, f"{f.offset:02x}", f.bits, f.name, f.access, f.meaning) for f in table.bus]
    chip = [(f.register, f.offset, f.bits, f.name, f.access, f.meaning) for f in table.chip]
    chip_head = ("register", "RAP", *head[2:])
    safe = [
        [tuple(str(c).replace("|", "\\|") for c in row) for row in rows] for rows in (bus, chip)
    ]
    return blocks.table(head, safe[0]) + "\n\n" + blocks.table(chip_head, safe[1])
