# SPDX-License-Identifier: BSD-2-Clause
"""Cost of a few instructions, everything in the caches: owners of the ticks between two marks."""

from collections import Counter

from mcpi.cocotb import core
from mcpi.cocotb.core import DATA, HALT, NOP, Bench


async def run(dut, source: str, **options) -> Bench:
    return await core.run(dut, source + HALT, **options)


async def twice(dut, body: str, before: str = "", **switches) -> Counter:
    """Owners between the first and last instruction of ``body``, run a second time (warm)."""
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        lda $29, 2($31)
        br $31, again
        .align 5
again:  {before}
        bis $2, $3, $31
        mb
        br $28, first
        .align 5
first:  bis $31, $31, $31
        {body}
last:   bis $31, $31, $31
        subq $29, 1, $29
        bne $29, again
    """,
        **switches,
    )
    retired = [r for r in b.retired if r.trap is None]
    nops = [n for n, r in zip(b.issues(), retired) if r.instruction == NOP]
    assert len(nops) >= 4, nops
    return b.between(nops[-2], nops[-1])
