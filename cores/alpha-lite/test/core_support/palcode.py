# SPDX-License-Identifier: BSD-2-Clause
"""PALcode of the directed tests: every entry notes where it was entered."""

from mcpi.cocotb.core import HALT, USER

# Every entry notes its own offset in $20 and EXC_ADDR in $21, then goes to `after` (or halts).
ENTRIES = {
    "MCHK": 0x20,
    "ARITH": 0x60,
    "INTERRUPT": 0xE0,
    "UNALIGN": 0x11E0,
    "OPCDEC": 0x13E0,
    "FEN": 0x17E0,
}


def palcode(start: str, handlers: dict[int, str] | None = None) -> str:
    """PALcode at PAL: `start` at reset, handlers at their offsets; those not given halt."""
    default = {
        offset: f"hw_mfpr $21, 0x24\nlda $20, {offset}($31)\n{HALT}" for offset in ENTRIES.values()
    }
    text = "br $31, start\n"
    for offset, body in sorted((default | (handlers or {})).items()):
        text += f".org {offset}\n{body}\n"
    return text + f".org 0x3f00\nstart:\n{start}\n"


ENTER = f"""
    ldah $1, {USER >> 16}($31)
    hw_mtpr $1, 0x24
    hw_rei
"""
