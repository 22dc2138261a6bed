# SPDX-License-Identifier: BSD-2-Clause
"""The universal stub compiler (usc.md): accessors in C from descriptions of structures.

``parse`` reads a description (``*.usc``), ``generate`` makes the header.
Run as ``python -m mcpi.firmware.usc lance.usc [--out lance.usc.h]``.
"""

from pathlib import Path

from mcpi.firmware.usc.generate import generate
from mcpi.firmware.usc.language import parse

__all__ = ["generate", "header", "parse"]


def header(source: Path) -> str:
    """The header for a description in a file."""
    return generate(parse(source.read_text(), source.name), source.name)
