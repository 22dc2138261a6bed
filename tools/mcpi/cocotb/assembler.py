# SPDX-License-Identifier: BSD-2-Clause
"""Alpha assembly to bytes, for programs of a few lines."""

import subprocess
import tempfile
from pathlib import Path

PAL = 0x10000  # reset enters here, in PAL mode


def assemble(source: str, base: int = PAL) -> bytes:
    """Machine code of ``source`` at ``base``, as alpha-linux-gnu-as makes it."""
    head = ".set noreorder\n.set noat\n.set nomacro\n.text\n.globl _start\n_start:\n"
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "p.s").write_text(head + source)
        for command in (
            ["as", "-m21064", "-o", "p.o", "p.s"],
            ["ld", "--no-relax", "-nostdlib", f"-Ttext={base:#x}", "-o", "p.elf", "p.o"],
            ["objcopy", "-O", "binary", "-j", ".text", "p.elf", "p.bin"],
        ):
            command[0] = f"alpha-linux-gnu-{command[0]}"
            subprocess.run(command, cwd=at, check=True)
        return (at / "p.bin").read_bytes()
