# SPDX-License-Identifier: BSD-2-Clause
"""The tool environment that ``./mcpi`` has made, and how a command asks for more of it."""

import hashlib
import importlib
import os
import subprocess
import sys
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT

RECORD = "debian/packages.txt"  # name, version, architecture and SHA-256 of each package
# The packages whose version decides what an image is.
OF_IMAGES = ("gcc-12-alpha-linux-gnu", "binutils-alpha-linux-gnu")


def place() -> Path | None:
    """Its folder; none where mCPI was not started through ``./mcpi``."""
    return Path(os.environ["MCPI_ENV"]) if "MCPI_ENV" in os.environ else None


def tree() -> Path:
    """The root of the folders in which compilers and their headers lie."""
    folder = place()
    return folder / "debian" if folder else Path("/")


def linked_with() -> list[str]:
    """Options of the linker that name the tree, as the compiler's script does too: in another
    environment the command is another, and programs are linked anew."""
    return [f"-Wl,-rpath,{tree()}/usr/lib/x86_64-linux-gnu"]


def ready(purpose: str) -> bool:
    """True if all that ``purpose`` wants is there, or if there is no environment to look at."""
    folder = place()
    return folder is None or (folder / f"ready-{purpose}").exists()


def want(purpose: str) -> None:
    """Set up ``purpose`` (setup/bootstrap.py) if it is not there yet, after a line that says what
    is fetched. RunError if that fails, which has said why."""
    if not ready(purpose):
        _set_up(purpose, "", f"./mcpi setup {purpose}")


def want_group(group: str) -> None:
    """The same of a group: Python packages, as setup/python/GROUP.txt pins them, or tools
    (setup/tools/GROUP.txt)."""
    folder = place()
    files = [ROOT / "setup" / kind / f"{group}.txt" for kind in ("python", "tools")]
    pins = next(file for file in files if file.exists()).read_bytes()
    stamp = f"python-{group}-{hashlib.sha256(pins).hexdigest()[:12]}"
    if folder and not (folder / "done" / stamp).exists():
        _set_up("exec", group, f"./mcpi setup exec --with {group}")
        importlib.invalidate_caches()


def _set_up(purpose: str, groups: str, typed: str) -> None:
    given = {"MCPI_PURPOSE": purpose, "MCPI_GROUPS": groups, "PYTHONSAFEPATH": ""}
    words = [sys.executable, "-B", ROOT / "setup" / "bootstrap.py", *sys.argv[1:2]]
    how = {"env": os.environ | given, "stdin": subprocess.DEVNULL, "check": False}
    if subprocess.run(words, **how).returncode:
        raise RunError(f"the tools for this command could not be set up. Type: {typed}")


def packages() -> dict[str, tuple[str, str]]:
    """Version and SHA-256 of each package of Debian that is unpacked, by name."""
    folder = place()
    if folder is None or not (folder / RECORD).exists():
        return {}
    rows = (line.split() for line in (folder / RECORD).read_text().splitlines())
    return {name: (version, digest) for name, version, _, digest in rows}


def of_images() -> dict[str, str]:
    """The same of the packages that make images, for the provenance of a result."""
    found = packages()
    return {name: f"{found[name][0]} {found[name][1][:16]}" for name in OF_IMAGES if name in found}
