# SPDX-License-Identifier: BSD-2-Clause
"""Programs in ev4 mode, and what happened between each issue of a branch and the next issue.

Every program runs in PAL mode at PAL; branches stand at known offsets (`.org`).
"""

import re
from collections import Counter

from mcpi.cocotb import core
from mcpi.cocotb.core import DATA, HALT, PAL, Bench

ICCSR = 0x22
BPE, JSE, BHE = 1 << 36, 1 << 37, 1 << 38
ALL = BPE | JSE | BHE
FETCHING = {"i_demand", "i_stream", "refill_restart"}
NOP = "bis $31, $31, $31\n"


def iccsr(bits: int) -> str:
    """Instructions that write ICCSR, and enough behind them for it to act."""
    return f"lda $1, {bits >> 36}($31)\nsll $1, 36, $1\nhw_mtpr $1, {ICCSR}\n" + NOP * 3


async def run(dut, source: str, **switches) -> Bench:
    # Bytes that `.org` skips are filled with no-operations, since some programs run through them.
    filled = re.sub(r"\.org (\w+)", rf".rept (\1 - (. - _start)) / 4\n{NOP}.endr", source + HALT)
    return await core.run(dut, filled, **{"ev4": 1, "limit": 8000} | switches)


def after(b: Bench, offset: int) -> list[tuple[int, Counter]]:
    """For each issue at PAL + ``offset``: offset of the next issue, owners of the ticks between."""
    found = []
    issues = b.issues()
    for x, y in zip(issues, issues[1:]):
        if b.ticks[x].pc & ~3 == PAL + offset:
            found.append(((b.ticks[y].pc & ~3) - PAL, b.between(x, y)))
    return found


def costs(b: Bench, offset: int) -> list[Counter]:
    """Owners behind each issue at ``offset``, without those of a fetch that missed."""
    return [
        Counter({k: v for k, v in owners.items() if k not in FETCHING})
        for _, owners in after(b, offset)
    ]


def bubble(ticks: int = 1) -> Counter:
    return Counter(taken_bubble=ticks)


def wrong(ticks: int = 4) -> Counter:
    return Counter(mispredict=ticks)


def expected(outcomes, backward: bool, bits: int = ALL, near: int = 1, far: int = 4) -> list:
    """Cost of a conditional branch each time: a model of sources/ev4.md 2.1 in six lines."""
    history, found = backward, []
    for taken in outcomes:
        guess = bool(bits & BPE) and (history if bits & BHE else backward)
        found.append(wrong(far) if guess != taken else bubble(near) if taken else Counter())
        history = taken
    return found


# Three branches of one block, at a0, a8 and ac hex, each as the bits of a quadword at DATA say;
# and the branch of the loop, 64 rounds, at c0.
PATTERN = f"""
    ldah $30, {DATA >> 16}($31)
    ldq $1, 0($30)
    ldq $2, 8($30)
    ldq $3, 16($30)
    lda $29, 64($31)
    br $31, loop
    .org 0x80
back: br $31, behind
    .org 0xa0
loop: blbs $1, over
    {NOP}
over: blbs $2, far
    .org 0xac
    blbs $3, back
behind: srl $1, 1, $1
    srl $2, 1, $2
    srl $3, 1, $3
    subq $29, 1, $29
    bne $29, loop
    br $31, end
    .org 0x200
far: br $31, behind
end:
"""
