# SPDX-License-Identifier: BSD-2-Clause
"""The boot cloner's table (firmware/clone/table.h), and what the cloner makes of it.

``memory`` is a second, independent cloner: a test compares what both leave.
"""

import itertools
import struct

from mcpi.base.errors import UserError
from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.fixes import Change, Copy, Fix, where
from mcpi.firmware.clone.program import Program

MAGIC = 0x6E6F6C63
BYTES = 32768
_HEADER = struct.Struct("<7I")
_COPY = struct.Struct("<6I")
WORDS = 4096  # CLONE_WORDS
_FIX = struct.Struct("<HhII")


def table(program: Program, copies: list[Copy], changes: list[Change], base: int) -> bytes:
    """The bytes for ``clone_table``; addresses become offsets from ``base``."""
    copies = sorted(copies, key=lambda c: c.function.start)
    edits = [e for c in copies for e in c.edits]
    firsts = itertools.accumulate((len(c.edits) for c in copies), initial=0)
    body = b"".join(
        _copy(program, c, base, first) for c, first in zip(copies, firsts, strict=False)
    )
    body += b"".join(
        _FIX.pack(e.kind, e.distance, e.at - base, e.to - base if e.to else 0)
        for e in [*edits, *changes]
    )
    words = struct.unpack(f"<{len(body) // 4}I", body)
    header = _HEADER.pack(
        MAGIC, len(words), rolled(words), program.gp - base, len(copies), len(edits), len(changes)
    )
    if len(header + body) > BYTES:
        raise UserError(
            f"the table takes {len(header + body)} bytes and has room for {BYTES}: raise "
            "CLONE_TABLE_BYTES in firmware/clone/table.h and BYTES in "
            "tools/mcpi/firmware/clone/table.py."
        )
    return (header + body).ljust(BYTES, b"\0")


def _copy(program: Program, c: Copy, base: int, first: int) -> bytes:
    f = c.function
    if f.words > WORDS:
        raise UserError(f"{f.name}: {f.words} instructions; the cloner takes {WORDS} at most.")
    words = [program.word(at) for at in range(f.start, f.cold, 4)]
    return _COPY.pack(
        f.start - base, len(words), c.target - base, rolled(words), first, len(c.edits)
    )


def rolled(words) -> int:
    """Rotate and exclusive-or: notices a changed word and two words exchanged."""
    total = 0
    for word in words:
        total = ((total << 1 | total >> 31) & 0xFFFFFFFF) ^ word
    return total


def memory(program: Program, copies: list[Copy], changes: list[Change]) -> dict[int, int]:
    """Longwords by address that differ from the image, or are not in it, after cloning."""
    words: dict[int, int] = {}

    def now(address: int) -> int:
        return words[address] if address in words else program.word(address)

    for change in changes:
        to = where(copies, change.to)
        if change.kind == Fix.ADDRESS:
            low = change.at + change.distance
            pair = alpha.split(now(change.at), now(low), to - program.gp)
            words[change.at], words[low] = pair
        elif change.kind == Fix.BRANCH:
            words[change.at] = alpha.with_target(now(change.at), change.at, to)
        else:
            words[change.at], words[change.at + 4] = to & 0xFFFFFFFF, to >> 32
    made: dict[int, int] = {}
    for c in copies:
        made |= _copied(c, copies, now, program.gp)
        made |= dict.fromkeys(range(c.function.start, c.function.cold, 4), alpha.BUGCHK)
    return words | made


def _copied(c: Copy, copies: list[Copy], now, gp: int) -> dict[int, int]:
    edits = {e.at: e for e in c.edits}
    out: dict[int, int] = {}
    for at in range(c.function.start, c.function.cold, 4):
        edit, word, here = edits.get(at), now(at), c.where(at)
        kind = edit.kind if edit else None
        if kind == Fix.DROP:
            continue
        if kind == Fix.UNOP:
            word = alpha.UNOP
        elif kind == Fix.CALL:
            word = alpha.with_target(alpha.direct(word), here, where(copies, edit.to))
        elif alpha.is_branch(word):
            word = alpha.with_target(word, here, where(copies, alpha.branch_target(word, at)))
        out[here] = word
    for edit in c.edits:
        if edit.kind == Fix.GP:
            high, low = c.where(edit.at), c.where(edit.at + edit.distance)
            out[high], out[low] = alpha.split(out[high], out[low], gp - high)
    return out
