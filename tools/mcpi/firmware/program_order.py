# SPDX-License-Identifier: BSD-2-Clause
"""The order of a program's functions in memory, for boot/link.ld.

``python -m mcpi.firmware.program_order FILE SEED|- OBJECT ...`` writes it: as the objects come, or
with a seed every function of every object in an order drawn from it.
"""

import random
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

FIRST = ".text.start"  # link.ld has it already


def script(objects: list[Path], seed: int | None) -> str:
    """Lines ``*/OBJECT(SECTION)``."""
    lines = [f"*/{path.name}({name})\n" for path in objects for name in _sections(path)]
    if seed is not None:
        random.Random(seed).shuffle(lines)
    return "".join(lines)


def _sections(path: Path) -> list[str]:
    with path.open("rb") as stream:
        found = [s.name for s in ELFFile(stream).iter_sections() if s["sh_flags"] & 4]
    return [name for name in found if name.startswith(".text") and name != FIRST]


if __name__ == "__main__":
    file, seed, *objects = sys.argv[1:]
    text = script([Path(path) for path in objects], None if seed == "-" else int(seed))
    Path(file).write_text(text)
