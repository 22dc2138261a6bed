# SPDX-License-Identifier: BSD-2-Clause
"""Build and run what the tests of this room need."""

import subprocess
from pathlib import Path

from mcpi.paths import BUILD, ROOT

SIM = ROOT / "sim"
OUT = BUILD / "sim"
GUEST = Path(__file__).parent / "guest"
ALPHA_GCC = "alpha-linux-gnu-gcc"
PAL_BASE = "0x10000"
IMAGE_BASE = "0xfffffc0000100000"


def run(*command: object, check: bool = True, **options) -> subprocess.CompletedProcess:
    """Run a command, output captured; a failure shows the command and what it said."""
    words = [str(word) for word in command]
    options = {"capture_output": True, "timeout": 1800} | options
    done = subprocess.run(words, **options)
    if check and done.returncode:
        said = b"" if done.stderr is None else done.stderr[-3000:]
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}\n{said!r}")
    return done


def guest(name: str, folder: Path, base: str = IMAGE_BASE, source: Path | None = None) -> Path:
    """Assemble and link `guest/<name>.S` at `base`; the ELF lands in `folder`."""
    elf = folder / f"{name}.elf"
    flags = f"-Wl,-N,--no-relax,--build-id=none,--no-warn-rwx-segments,-Ttext={base}"
    run(ALPHA_GCC, "-nostdlib", "-static", flags, "-o", elf, source or GUEST / f"{name}.S")
    return elf


def machine_json(folder: Path, **settings: str) -> Path:
    """The resolved default machine as a file."""
    from mcpi import machine

    path = folder / "machine.json"
    path.write_text(machine.load("dec3000-600", settings or None).to_json())
    return path
