# SPDX-License-Identifier: BSD-2-Clause
"""``docs/reference/memory-map.md`` from ``machines/memory-map.toml``; a test keeps the two equal.

``python -m mcpi.docgen.memory_map`` writes the page.
"""

import tomllib

from mcpi.base.repo import MACHINES, ROOT

PAGE = ROOT / "docs" / "reference" / "memory-map.md"
_REGISTERS = {
    "ioasic": "IOASIC, in TURBOchannel slot 7 (dense offsets; sparse: twice that + 1000 0000)",
    "pmad": "PMAD-AA, in TURBOchannel slot 0 (dense offsets)",
    "system": "System registers (quadwords)",
    "boot_block": "Boot-parameter block (quadwords, little-endian, filled by the loader)",
}


def _hex(number: int, digits: int) -> str:
    """Hexadecimal in groups of four, as the data books print addresses."""
    text = f"{number:0{digits}X}"
    head = len(text) % 4
    groups = [text[:head]] if head else []
    return " ".join(groups + [text[i : i + 4] for i in range(head, len(text), 4)])


def render() -> str:
    """The page as Markdown."""
    table = tomllib.loads((MACHINES / "memory-map.toml").read_text())
    lines = [
        "# Memory map",
        "",
        "Made from `machines/memory-map.toml` by `python -m mcpi.docgen.memory_map`; do not edit.",
        "Physical addresses, hexadecimal. Virtual addresses add KSEG, `FFFF FC00 0000 0000`, whose",
        "bits the machine drops.",
        "",
        "| from | to | what | |",
        "|---|---|---|---|",
    ]
    for section in ("ram", "io"):
        for name, row in table[section].items():
            last = row["base"] + row["size"] - 1
            span = f"{_hex(row['base'], 9)} | {_hex(last, 9)}"
            lines.append(f"| {span} | `{section}.{name}` | {row['doc']} |")
    for section, title in _REGISTERS.items():
        lines += ["", f"## {title}", "", "| offset | register | |", "|---|---|---|"]
        for name, row in table[section].items():
            lines.append(f"| {_hex(row['offset'], 4)} | `{name}` | {row['doc']} |")
    lines += [
        "",
        "## Interrupts",
        "",
        "| HIRR/HIER bit | source | held off at IPL | |",
        "|---|---|---|---|",
    ]
    for name, row in table["interrupt"].items():
        lines.append(f"| {row['bit']} | `{name}` | {row['ipl']} and above | {row['doc']} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
