# SPDX-License-Identifier: BSD-2-Clause
"""The part's registers: SystemRDL, C header and page, from two tables.

``registers.csv`` has the longwords on the bus (of a TURBOchannel the other file),
``docs/sources/lance_bits.csv`` the chip's own registers behind RDP.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import blocks
from mcpi.base.repo import ROOT

LONGWORDS = ROOT / "lance-ip" / "parts" / "files" / "registers.csv"
OPTION = LONGWORDS.with_name("registers-turbochannel.csv")
CHIP = ROOT / "docs" / "sources" / "lance_bits.csv"
_ACCESS = {
    "rw": "sw = rw; hw = r;",
    "r": "sw = r; hw = w;",
    "w1c": "sw = rw; hw = w; onwrite = woclr;",
    "w1s": "sw = rw; hw = rw; onwrite = woset;",
}
# The words of the chip's sheet for who may write a bit.
_CHIP_ACCESS = {"read-only": "r", "W1C": "w1c", "write 1": "w1s", "any": "rw"}
# CSR1 and CSR2 are words of the sheet's text, no bits.
_ADDRESS = [
    ("CSR1", 15, 1, "IADR_LOW", "address bits 15:1 of the init block; only while stopped"),
    ("CSR2", 7, 0, "IADR_HIGH", "address bits 23:16 of the init block; only while stopped"),
]


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


def read(bus_name: str = "wishbone") -> Table:
    """Both tables."""
    bus = []
    for row in _rows(OPTION if bus_name == "turbochannel" else LONGWORDS):
        high, _, low = row["bits"].partition(":")
        place = int(row["offset"], 16), int(high), int(low or high)
        bus.append(Field(row["register"], *place, row["field"], row["access"], row["meaning"]))
    return Table(tuple(bus), tuple(_chip()))


def _chip() -> list[Field]:
    found = [Field(r, int(r[-1]), h, low, n, "rw", m) for r, h, low, n, m in _ADDRESS]
    for row in _rows(CHIP):
        if row["section"] != "1.1" or not re.fullmatch(r"CSR\d", row["word"]):
            continue
        register, access = row["word"], _CHIP_ACCESS.get(row["write"], "rw")
        for bit, name in zip(row["bits"].split(","), row["name"].split(","), strict=True):
            at = int(bit)
            found.append(
                Field(register, int(register[-1]), at, at, name.strip(), access, row["meaning"])
            )
    return sorted(found, key=lambda f: (f.offset, -f.high))


def _rows(path: Path) -> list[dict[str, str]]:
    lines = [line for line in path.read_text().splitlines() if line[:1] != "#"]
    return list(csv.DictReader(lines))


def _registers(fields: tuple[Field, ...]) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for one in fields:
        found.setdefault(one.register, []).append(one)
    return found


def rdl(table: Table) -> str:
    """SystemRDL 2.0: ``lance`` on the bus, ``lance_csr`` behind RAP and RDP, a word a number."""
    return _addrmap("lance", table.bus, 32, 1) + "\n" + _addrmap("lance_csr", table.chip, 16, 2)


def _addrmap(name: str, fields: tuple[Field, ...], width: int, step: int) -> str:
    lines = [f"addrmap {name} {{", f"  default regwidth = {width};"]
    for register, inside in _registers(fields).items():
        lines.append("  reg {")
        for one in inside:
            text = one.meaning.replace('"', "'")
            lines.append(f"    field {{ {_ACCESS[one.access]}")
            lines.append(f'      desc = "{text}"; }} {one.name.lower()}_f[{one.high}:{one.low}];')
        lines.append(f"  }} {register.lower()} @ {step * inside[0].offset:#x};")
    return "\n".join([*lines, "};"]) + "\n"


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
