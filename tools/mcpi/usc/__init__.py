# SPDX-License-Identifier: BSD-2-Clause
"""The universal stub compiler (docs/usc.md): accessors in C from descriptions of structures.

``parse`` reads a description (``*.usc``), ``generate`` makes the header.
Run as ``python -m mcpi.usc lance.usc [--out lance.usc.h]``.
"""

from pathlib import Path

from mcpi.usc.generate import generate
from mcpi.usc.language import parse

__all__ = ["generate", "header", "parse"]


def header(source: Path) -> str:
    """The header for a description in a file."""
    return generate(parse(source.read_text(), source.name), source.name)
