# SPDX-License-Identifier: BSD-2-Clause
"""The one way a C or C++ file is compiled: through ccache, with the headers it read noted."""

import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mcpi.base.ninja import Edge


@cache
def _ccache() -> tuple[str, ...]:
    return ("ccache",) if shutil.which("ccache") else ()


def compiled(
    source: Path,
    target: Path,
    command: Sequence[object],
    inputs: Sequence[Path] = (),
    cached: bool = True,
) -> Edge:
    """``source`` to the object ``target``. ``command``: compiler and options; ``inputs``: files
    beyond ``source`` and its headers."""
    depfile = target.with_suffix(".d")
    words = [*(_ccache() if cached else ()), *command, "-MMD", "-MF", depfile]
    words += ["-c", source, "-o", target]
    return Edge(f"compile {source.name}", words, [target], [source, *inputs], depfile)


def linked(
    binary: Path, objects: Sequence[Path], command: Sequence[object], more: Sequence[object] = ()
) -> Edge:
    """``objects`` to the program, or with ``-shared`` the library, ``binary``. ``more``: options
    that follow the objects, as libraries must."""
    words = [*command, *objects, "-o", binary, *more]
    return Edge(f"link {binary.name}", words, [binary], objects)
