# SPDX-License-Identifier: BSD-2-Clause
"""What a few instructions cost, everything in the caches: owners of the ticks between two marks."""

from collections import Counter

from core_bench import HALT, Bench

DATA = 0x20000


async def run(dut, source: str, setup=None, limit=60000, **switches) -> Bench:
    b = Bench(dut)
    b.load(source + HALT)
    if setup:
        setup(b)
    await b.start(**switches)
    await b.run(limit)
    b.check_owners()
    return b


async def twice(dut, body: str, before: str = "", **switches) -> list[Counter]:
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
    marks = [n for n, t in enumerate(b.ticks) if t.owner == "issue"]
    pcs = [b.ticks[n].pc for n in marks]
    nops = [
        n
        for n, r in zip(marks, [r for r in b.retired if r.trap is None])
        if r.instruction == 0x47FF041F
    ]
    assert len(nops) >= 4, pcs
    start, end = nops[-2], nops[-1]
    return Counter(t.owner for t in b.ticks[start + 1 : end])
