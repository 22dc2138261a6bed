# SPDX-License-Identifier: BSD-2-Clause
"""The library that notes what each process of a session reads (``observed.c``), and its notes."""

import hashlib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base import staging
from mcpi.base.process import heard
from mcpi.base.repo import BUILD

NOTES, OF = "MCPI_READS", "MCPI_READS_OF"  # the folder of notes; the test file they are about
ROOT, LIBRARY = "MCPI_READS_ROOT", "MCPI_READS_LIBRARY"  # of the checkout; this library
PRELOAD = "LD_PRELOAD"
SOURCE = Path(__file__).with_name("observed.c")
_COMMAND = ["gcc", "-shared", "-fPIC", "-O2"]


def library() -> Path | None:
    """The library, compiled once; none where it cannot be compiled or no program takes it."""
    if not shutil.which("gcc"):
        return None
    digest = hashlib.sha256(SOURCE.read_bytes() + " ".join(_COMMAND).encode()).hexdigest()[:16]
    place = BUILD / "observer" / f"{digest}.so"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = staging.sibling(place)
        if heard([*_COMMAND, SOURCE, "-o", made, "-ldl"]).returncode:
            return None
        made.rename(place)
    tried = heard(["cat", "/dev/null"], env={**os.environ, PRELOAD: str(place)})
    return None if tried.returncode or tried.stderr else place


def environment(place: Path, notes: Path, root: Path) -> dict[str, str]:
    """Variables of a process that is observed, as all are that it starts."""
    notes.mkdir(exist_ok=True)
    before = os.environ.get(PRELOAD)
    found = {PRELOAD: f"{place}:{before}" if before else str(place), NOTES: str(notes)}
    return found | {ROOT: str(root), LIBRARY: str(place)}


@dataclass
class Reads:
    """Paths below the checkout. ``files`` were opened or asked for, ``folders`` were listed, all
    below ``trees`` may have been read. ``anything``: why the rest may have been read too."""

    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    trees: set[str] = field(default_factory=set)
    anything: str = ""

    def __or__(self, other: "Reads") -> "Reads":
        sets = ("files", "folders", "trees")
        union = (getattr(self, name) | getattr(other, name) for name in sets)
        return Reads(*union, self.anything or other.anything)


def _place(notes: Path, name: str) -> Path:
    """Return the file of notes, named as ``line`` in observed.c does: FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return notes / f"{value:016x}"


def note(notes: Path, name: str, kind: str, path: str) -> None:
    """Add a line to the notes of ``name``."""
    with _place(notes, name).open("a") as file:
        file.write(f"{kind} {path}\n")


def of(notes: Path, name: str) -> Reads:
    """All that ``name``, a file of tests, has read; and what the modules read that it imports,
    when they were imported: lines ``m PATH``."""
    found, modules, left, why = Reads(), {name}, [name], set()
    kinds = {"f": found.files, "d": found.folders, "t": found.trees}
    while left:
        one = left.pop()
        found.files.add(one)
        place = _place(notes, one)
        for line in set(place.read_text().splitlines()) if place.exists() else ():
            kind, _, path = line.partition(" ")
            if kind == "m" and path not in modules:
                modules.add(path)
                left.append(path)
            elif kind in kinds:
                kinds[kind].add(path)
            elif kind == "*":
                why.add(path)
    found.anything = ", ".join(sorted(why))
    return found
