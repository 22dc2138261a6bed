# SPDX-License-Identifier: BSD-2-Clause
"""The one way a C or C++ file is compiled: through ccache, with the headers it read noted."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from mcpi.base import ccache, environment
from mcpi.base.ninja import Edge
from mcpi.base.repo import ROOT

LONGEST = 100  # letters of a source in the name of its object
ZLIB = "-l:libz.a"  # of programs with logs: sim/log/gzip.cpp


def compiled(
    source: Path,
    target: Path,
    command: Sequence[object],
    inputs: Sequence[Path] = (),
) -> Edge:
    """``source`` to the object ``target``. ``command``: compiler and options; ``inputs``: files
    beyond ``source`` and its headers."""
    depfile = target.with_suffix(".d")
    words = [*ccache.words(), *command, "-MMD", "-MF", depfile]
    words += ["-c", source, "-o", target]
    return Edge(f"compile {source.name}", words, [target], [source, *inputs], depfile)


def named(folder: Path, source: Path, command: Sequence[object]) -> Path:
    """The object of ``source`` in ``folder``: another compiler or other options give another."""
    inside = source.is_relative_to(ROOT)
    name = str(source.relative_to(ROOT) if inside else source).replace("/", "-").lstrip("-")
    digest = hashlib.sha256(" ".join(map(str, command)).encode()).hexdigest()[:8]
    return folder / f"{plain(name)}.{digest}.o"


def plain(name: str) -> str:
    """``name`` if a linker's script can have it as it is, else a name like it that can. Other names
    give others."""
    if re.fullmatch(r"[A-Za-z0-9._+-]+", name) and len(name) <= LONGEST:
        return name
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:8]
    return re.sub(r"[^A-Za-z0-9._+-]", "_", name)[-LONGEST:] + f".{digest}"


def linked(
    binary: Path, objects: Sequence[Path], command: Sequence[object], more: Sequence[object] = ()
) -> Edge:
    """``objects`` to the program, or with ``-shared`` the library, ``binary``. ``more``: options
    that follow the objects, as libraries must."""
    words = [*command, *objects, "-o", binary, *more]
    if command[0] in ("g++", "gcc", "clang++-14", "clang-14"):  # what is linked names its folders
        words += environment.linked_with()
    return Edge(f"link {binary.name}", words, [binary], objects)


def shipped() -> list[object]:
    """The linker of what runs on other computers. The script of ``g++`` starts the same program,
    and names folders of this computer."""
    tree = environment.tree()
    return [tree / "usr/bin/g++-12", f"--sysroot={tree}", f"-B{tree}/usr/bin/"]


def unplaced() -> list[str]:
    """Options by which no object names this computer's folder of tools, or the checkout's, as
    ``assert`` does with the name of its file."""
    return [f"-ffile-prefix-map={place}/=" for place in (environment.place(), ROOT) if place]


def together(whole: Path, parts: Sequence[Path]) -> list[Path]:
    """``whole``, one file of many, written only if it changes; nothing of no parts."""
    text = "".join(f'#include "{path}"\n' for path in parts)
    if parts and not (whole.exists() and whole.read_text() == text):
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text)
    return [whole] if parts else []
