# SPDX-License-Identifier: BSD-2-Clause
"""A board's Verilog as it would be if its memories had come with the bitstream."""

import re
from pathlib import Path

from mcpi.fpga import bram_image

_MEMORIES = re.compile(r"^ *(?:\(\*.*\*\) )?reg .*\b(bytes_symbol\d+|map_1) \[.*\];$", re.M)


def reading(verilog: str, prefix: str = "") -> str:
    """``verilog`` whose RAM and page map hold from the start what ``write`` left at ``prefix``."""
    return _MEMORIES.sub(rf'\g<0>\n  initial $readmemh("{prefix}\1.hex", \1);', verilog)


def write(wanted: bram_image.Contents, folder: Path) -> None:
    for lane in (*range(bram_image.BLOCK), None):
        rows = wanted.rows(bram_image.Part(lane, 0, 0))
        file = folder / ("map_1.hex" if lane is None else f"bytes_symbol{lane}.hex")
        file.write_text("".join(f"{row:x}\n" for row in rows))
