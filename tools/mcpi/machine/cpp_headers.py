# SPDX-License-Identifier: BSD-2-Clause
"""Generated headers of ``sim/``: ``machines/counters.h`` and ``machines/instructions.h``."""

from pathlib import Path

from mcpi.base import staging
from mcpi.base.repo import BUILD
from mcpi.isa import cpp_header
from mcpi.machine import cpp_counters

#: The folder that compilers look in.
FOLDER = BUILD / "generated"
_HEADERS = {"counters.h": cpp_counters.header, "instructions.h": cpp_header.header}


def write() -> Path:
    """Write each file that changed; returns the folder for ``-I``."""
    for name, header in _HEADERS.items():
        file, text = FOLDER / "machines" / name, header()
        if not file.is_file() or file.read_text() != text:
            staging.write(file, text)
    return FOLDER
