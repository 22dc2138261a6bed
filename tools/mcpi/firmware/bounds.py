# SPDX-License-Identifier: BSD-2-Clause
"""A program's bounds: its stack, its code, and what it may read and write.

The simulators stop a program that leaves them (sim/check/program_guard.h). The machine itself has
no such check.
"""

from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.machine.c_header import KSEG
from mcpi.machine.profile import Machine

TOP, BYTES = "stack_top", "BOOT_STACK"  # boot/link.ld
PALCODE, IMAGE = "pal", "image"


def text(elf: Path, machine: Machine) -> str:
    """The file that a simulator takes with ``--node N:guard=FILE``; empty for an image that does
    not say where its stack is."""
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        named = {s.name: s["st_value"] for s in table.iter_symbols()} if table else {}
    if TOP not in named or BYTES not in named:
        return ""
    ram = machine.memory_map["ram"]
    image = ram[IMAGE] | {"size": machine.parameters["memory.size"] - ram[IMAGE]["base"]}
    rows = [("stack", named[TOP] - named[BYTES], named[BYTES])]
    rows.append(("code", KSEG + image["base"], image["size"]))
    regions = [image, *(row for name, row in ram.items() if name not in (PALCODE, IMAGE))]
    regions += machine.memory_map["io"].values()
    rows += [("data", KSEG + row["base"], row["size"]) for row in regions]
    return "".join(f"{what},{start:x},{start + size:x}\n" for what, start, size in rows)
