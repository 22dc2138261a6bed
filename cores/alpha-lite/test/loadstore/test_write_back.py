# SPDX-License-Identifier: BSD-2-Clause
"""The core with a write-back D-cache (memory.md): who waits for what, and who is dirty when it is
displaced. Mistakes in the Verilog, which random programs in lock-step find."""

from collections import Counter

import cocotb
from core_support import mutants as core_mutants
from core_support.stall_bench import run, twice

from mcpi.cocotb.core import DATA, HALT, PAL, Bench
from mcpi.hdl import cocotb_run
from mcpi.hdl.cocotb_run import run_cocotb

BACK = {"dcache.policy": "back"}
# A small cache in which blocks of all kinds displace each other, and DMA all the while.
NARROW = BACK | {"dcache.size": "1KB", "cache.block": "16B"}

OTHER = "lda $20, 0x2000($30)"  # 0x100($20) displaces 0x100($30), in a cache of 8 KB
CLEAN = f"{OTHER}\nldq $21, 0x100($20)\nmb"  # 0x100($30) is out, what is there is clean
STORED = f"{OTHER}\nstq $21, 0x100($20)\nmb"  # likewise, but dirty


def test_write_back():
    run_cocotb(__file__, "AlphaLite", settings=BACK)


@cocotb.test()
async def a_store_that_hits_costs_its_issue(dut):
    """And nobody waits for it: not a load of the same quadword, not a barrier."""
    body = "stq $2, 0x100($30)\nldq $3, 0x100($30)\nstl $2, 0x100($30)\nmb\naddq $31, 1, $4"
    got = await twice(dut, body, before="ldq $5, 0x100($30)\nmb")
    assert got == Counter(issue=5), got


@cocotb.test()
async def a_store_that_misses_holds_the_port_as_a_load(dut):
    """Loads and stores wait (memory_port), barriers (barrier), others and its register do not."""
    for before, more in ((CLEAN, 0), (STORED, 5)):
        for last, owner in (("ldq $3, 0x200($30)", "memory_port"), ("mb", "barrier")):
            got = []
            for first in ("stq $2, 0x100($30)", "ldq $6, 0x100($30)"):
                body = f"{first}\naddq $31, 1, $2\naddq $31, 1, $4\n{last}"
                got.append(await twice(dut, body, before=f"ldq $3, 0x200($30)\n{before}"))
            # 10 ticks from E1, the tick after the issue; two of them issue others.
            assert got == [Counter({"issue": 4, owner: 9 + more - 1})] * 2, (last, got)


DIRTY = f"""
        ldah $30, {DATA >> 16}($31)
        {OTHER}
        ldq $2, 0x100($30)
        stq $31, 0x108($30)
        mb
        {{}}
        ldq $3, 0x100($20)
        mb
    """


@cocotb.test()
async def who_is_dirty(dut):
    """A block that was stored to; that has gone, come again and gone clean; that STx_C drops."""
    reload = "ldq $4, 0x100($20)\nmb\nldq $4, 0x100($30)\nmb"
    conditional = "ldq_l $4, 0x100($30)\nstq_c $4, 0x100($30)\nmb"
    for middle, dirty in (("", [DATA + 0x2100]), (reload, [DATA + 0x2100]), (conditional, [])):
        b = await run(dut, DIRTY.format(middle))
        assert b.dirty == dirty, (middle, b.dirty)
    b = await run(dut, DIRTY.format("").replace("stq", "ldq"))
    assert b.dirty == []
    b = await run(dut, DIRTY.format(""), dCacheOn=0)
    assert b.dirty == [] and b.events["dMiss"] == b.events["dAccess"] == 3


@cocotb.test()
async def dma_drops_a_dirty_block(dut):
    """From the tick after its write's end the victim is not dirty; another's of that set stays."""
    command = None
    ends = [(end, DATA + 0x100) for end in (None, -2, -1, 0, 1)]
    for end, block in [*ends, (-2, DATA + 0x4100), (-1, DATA + 0x4100)]:
        b = Bench(dut)
        b.load(DIRTY.format("") + HALT)
        await b.start()
        until = None if end is None else command + end
        while not int(dut.halted.value):
            drops = until is not None and len(b.ticks) == until
            await b.step(invalidate=block if drops else None)
        [tick] = [t for t, kind, at in b.transactions if (kind, at) == ("load", DATA + 0x2100)]
        command = command or tick
        assert tick == command
        gone = end in (-2, -1) and block == DATA + 0x100
        assert b.dirty == ([] if gone else [DATA + 0x2100]), (end, block)


@cocotb.test()
async def a_store_beyond_memory(dut):
    """A fill with an error, a machine check, and no victim."""
    b = Bench(dut)
    b.load(
        f"""
        ldah $30, {DATA >> 16}($31)
        stq $31, 0x100($30)
        mb
        ldah $1, 0x400($31)
        stq $31, 0x100($1)
        mb
        """
        + HALT
    )
    b.load(HALT, PAL + 0x20)
    await b.start()
    await b.run()
    assert b.dirty == [] and [r.trap for r in b.retired if r.trap is not None] == [0x20]


@cocotb.test()
async def nothing_but_stx_c_is_written(dut):
    """Stores of every size reach memory at once, without a transaction."""
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        lda $2, 0x1234($31)
        stq $2, 0x100($30)
        stl $2, 0x10c($30)
        stq_u $2, 0x113($30)
        ldq_l $3, 0x200($30)
        stq_c $2, 0x200($30)
        mb
        """,
    )
    assert [b.quad(DATA + at) for at in (0x100, 0x108, 0x110, 0x200)] == [
        0x1234, 0x1234 << 32, 0x1234, 0x1234,
    ]  # fmt: skip
    assert [at for _, kind, at in b.transactions if kind == "write"] == [DATA + 0x200]


def test_a_core_without_it_has_none_of_it():
    """With `policy = through` the Verilog is the same whatever a dirty victim would cost, and no
    signal is named after one."""
    texts = []
    for ticks in ("0", "63"):
        path = cocotb_run.elaborate("AlphaLite", settings={"dcache.dirty_ticks": ticks})
        texts.append(path.read_text())
    assert texts[0] == texts[1]
    back = cocotb_run.elaborate("AlphaLite", settings=BACK).read_text()
    for word in ("memory_store", "memory_wants", "dirty", "victim", "storeMiss", "fillStored"):
        assert word in back and word not in texts[0], word


program, test_none_without_a_mistake, test_a_mistake_is_found = core_mutants.tests(
    __file__, NARROW, {"bcache.dma_ticks": "4"}, 150_000, directed=BACK
)
