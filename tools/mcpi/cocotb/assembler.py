# SPDX-License-Identifier: BSD-2-Clause
"""Alpha assembly to bytes, for programs of a few lines."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from mcpi.base.repo import BUILD

PAL = 0x10000  # reset enters here, in PAL mode
AS = "alpha-linux-gnu-as"


def assemble(source: str, base: int = PAL) -> bytes:
    """Machine code of ``source`` at ``base``, as alpha-linux-gnu-as makes it. Kept in
    ``build/assembled``, named by the source, the place, and which assembler it was."""
    digest = hashlib.sha256(f"{_assembler()} {base:#x}\n{source}".encode()).hexdigest()[:32]
    kept = BUILD / "assembled" / f"{digest}.bin"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            os.replace(_assembled(source, base, Path(folder)), kept)
    return kept.read_bytes()


@cache
def _assembler() -> str:
    path = shutil.which(AS)
    return f"{path} {os.stat(path).st_mtime_ns}" if path else ""


def _assembled(source: str, base: int, at: Path) -> Path:
    head = ".set noreorder\n.set noat\n.set nomacro\n.text\n.globl _start\n_start:\n"
    (at / "p.s").write_text(head + source)
    for command in (
        [AS, "-m21064", "-o", "p.o", "p.s"],
        ["alpha-linux-gnu-ld", "--no-relax", "-nostdlib", f"-Ttext={base:#x}"]
        + ["-o", "p.elf", "p.o"],
        ["alpha-linux-gnu-objcopy", "-O", "binary", "-j", ".text", "p.elf", "p.bin"],
    ):
        subprocess.run(command, cwd=at, check=True)
    return at / "p.bin"
