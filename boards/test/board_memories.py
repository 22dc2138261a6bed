# SPDX-License-Identifier: BSD-2-Clause
"""A board's Verilog as it would be if its memories had come with the bitstream."""

import re
from pathlib import Path

from mcpi import embed

_MEMORIES = re.compile(r"^ *(?:\(\*.*\*\) )?reg .*\b(bytes_symbol(\d+)|map_1) \[.*\];$", re.M)


def filled(verilog: str, wanted: embed.Contents, folder: Path, prefix: str = "") -> str:
    """``verilog`` whose RAM and page map hold ``wanted`` from the start; the files for that go into
    ``folder``, which is ``prefix`` to whoever reads the Verilog."""

    def one(hit: re.Match) -> str:
        rows = wanted.rows(embed.Part(hit[2] and int(hit[2]), 0, 0))
        (folder / f"{hit[1]}.hex").write_text("".join(f"{row:x}\n" for row in rows))
        return f'{hit[0]}\n  initial $readmemh("{prefix}{hit[1]}.hex", {hit[1]});'

    return _MEMORIES.sub(one, verilog)
