# SPDX-License-Identifier: BSD-2-Clause
"""A program's bounds: its stack, its code, and what it may read and write.

The simulators stop a program that leaves them (sim/check/program/program_guard.h), and, if they
are asked to, a program that uses memory that nobody has written (sim/check/program/unwritten.h).
The machine itself has no such checks.
"""

from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError
from mcpi.firmware import allocators
from mcpi.firmware.clone.program import Program
from mcpi.firmware.floating import assembly
from mcpi.machine.c_header import KSEG
from mcpi.machine.profile import Machine

TOP, BYTES = "stack_top", "BOOT_STACK"  # boot/link.ld
PALCODE, IMAGE = "pal", "image"
NOT_CLEARED, END = ".noinit", "image_end"  # a section, a symbol: boot/link.ld


def text(elf: Path, machine: Machine) -> str:
    """The file that a simulator takes with ``--node N:guard=FILE``; empty for an image that does
    not say where its stack is."""
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        named = {s.name: s["st_value"] for s in table.iter_symbols()} if table else {}
    if TOP not in named or BYTES not in named:
        return ""
    kseg = 0 if named[TOP] < KSEG else KSEG  # where code and data are
    ram = machine.memory_map["ram"]
    image = ram[IMAGE] | {"size": machine.parameters["memory.size"] - ram[IMAGE]["base"]}
    rows = [("stack", KSEG - kseg + named[TOP] - named[BYTES], named[BYTES])]
    # Mapped code is entered in KSEG. Where nothing is mapped in between, the TLB notices.
    rows.append(("code", kseg + image["base"], KSEG - kseg + image["size"]))
    if not kseg:
        rows.append(("data", image["base"], image["size"]))
    regions = [image, *(row for name, row in ram.items() if name not in (PALCODE, IMAGE))]
    regions += machine.memory_map["io"].values()
    rows += [("data", KSEG + row["base"], row["size"]) for row in regions]
    return "".join(f"{what},{start:x},{start + size:x}\n" for what, start, size in rows)


def unwritten(elf: Path, machine: Machine) -> str:
    """The file that a simulator takes with ``--node N:unwritten=FILE``. UserError for an image that
    does not say where its heap and its stack are."""
    program = Program(elf)
    symbols, size = program.symbols, machine.parameters["memory.size"]
    if not {TOP, BYTES, END} <= symbols.keys() or NOT_CLEARED not in program.sections:
        raise UserError(
            f"--check memory: {elf.name} does not say where its heap and its stack are; "
            "give the program's sources."
        )
    top = symbols[TOP]
    rows = [("unwritten", *program.sections[NOT_CLEARED])]
    rows.append(("unwritten", symbols[END], KSEG + size))
    rows.append(("stack", top - symbols[BYTES], top))
    for at, passed in allocators.places(elf).items():
        if passed.function in allocators.ALLOCATORS:
            what = "allocated" if passed.returns else "allocates"
        else:
            what = "frees" if passed.function in allocators.FREES else "for-others"
        rows.append((what, at, at + 4))
    for name in (*assembly.CALLED, "lds", "sts"):
        if function := program.functions.get(f"mcpi_{name.partition('/')[0]}"):
            at = function.entry or function.start
            rows.append(("computes", at, at + 4))
    return "".join(f"{what},{start:x},{end:x}\n" for what, start, end in sorted(rows))
