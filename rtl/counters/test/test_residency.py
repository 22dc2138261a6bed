# SPDX-License-Identifier: BSD-2-Clause
"""Replacement misses and unused fetch slots, case by case (docs/reference/counters.md)."""

import cocotb
from rtl_support.counters_bench import (
    CLOSE,
    CODE,
    ISSUE,
    LINES,
    LOAD_USE,
    OPEN,
    PAUSE,
    RAM,
    REPLACEMENTS,
    RESUME,
    Bench,
)

from mcpi.hdl.cocotb_run import run_cocotb

I, D, B = REPLACEMENTS  # noqa: E741
EPOCHS = 31  # until a clear has to sweep


def test_residency():
    run_cocotb(__file__, "CountersSmall")


async def copied(bench):
    await bench.settle()
    await bench.control("snapshot")
    return await bench.read()


@cocotb.test()
async def a_second_miss_is_a_replacement(dut):
    """Each cache has its own bits; the last block of RAM has them, the first beyond has none."""
    bench = await Bench.started(dut, latency=lambda: 9)
    last, beyond = RAM - 32, RAM
    await bench.clock(1, LOAD_USE, at=(last + 4, 0, 0), iMiss=1)
    await bench.clock(1, LOAD_USE, at=(0, last + 12, 0), dMiss=1)
    await bench.clock(1, LOAD_USE, memory=(2, 1, 0), at=(0, 0, last))
    assert {(await copied(bench))[0][name] for name in REPLACEMENTS} == {0}
    await bench.clock(1, LOAD_USE, at=(last + 28, last, 0), iMiss=1, dMiss=1)
    await bench.clock(1, LOAD_USE, at=(last, 0, 0), iMiss=1)
    await bench.clock(1, LOAD_USE, memory=(2, 0, 0), at=(0, 0, last))  # a hit
    counted = (await copied(bench))[0]
    assert [counted[name] for name in (I, D, B)] == [2, 1, 0]
    for _ in range(2):
        await bench.clock(1, LOAD_USE, at=(beyond, beyond, 0), iMiss=1, dMiss=1)
        await bench.clock(1, LOAD_USE, memory=(3, 1, 0), at=(0, 0, beyond))
    counted = (await copied(bench))[0]
    assert [counted[name] for name in (I, D, B)] == [2, 1, 0], "no RAM, never resident"
    assert counted["bcache.misses"] == 3


@cocotb.test()
async def every_clear_begins_anew(dut):
    """More clears than there are epochs; the sweep in between withholds time and is complete."""
    bench = await Bench.started(dut)
    sweeps = 0
    for _ in range(2 * EPOCHS + 2):
        for address in (0, RAM // 2, RAM - 32):
            await bench.clock(1, LOAD_USE, at=(address, 0, 0), iMiss=1)
        await bench.clock(1, LOAD_USE, at=(0, 0, 0), iMiss=1)
        assert (await copied(bench))[0][I] == 1
        before = bench.backing.commands
        await bench.control("clear")
        sweeps += bench.backing.commands - before >= RAM // 32 // 32
    assert sweeps == 2


@cocotb.test()
async def a_sweep_leaves_no_line_out(dut):
    """An epoch's number comes again; the blocks that were marked in it before are void by then."""
    bench = await Bench.started(dut)
    marks = range(32 * 31, RAM, 32 * 32)  # the last block of each line of the table
    for _ in range(2):
        for address in marks:
            await bench.clock(1, LOAD_USE, at=(address, 0, 0), iMiss=1)
        assert (await copied(bench))[0][I] == 0
        for _ in range(EPOCHS):
            await bench.control("clear")


@cocotb.test()
async def window_and_freeze(dut):
    """The clock of the miss counts, not that of the verdict."""
    bench = await Bench.started(dut, latency=lambda: 60)
    bench.compare(0, 0x100, OPEN)
    bench.compare(1, 0x104, CLOSE)
    await bench.clock(1, LOAD_USE, at=(64, 0, 0), iMiss=1)
    await bench.clock(1, ISSUE, pc=0x100)
    await bench.clock(1, LOAD_USE, at=(64, 0, 0), iMiss=1)
    await bench.clock(1, ISSUE, pc=0x104)
    await bench.clock(1, LOAD_USE, at=(64, 0, 0), iMiss=1)
    everything, path = await copied(bench)
    assert (everything[I], path[I]) == (2, 1)
    await bench.clock(1, LOAD_USE, at=(64, 0, 0), iMiss=1)
    await bench.control("stop", settle=False)
    await bench.clock(1, LOAD_USE, at=(64, 96, 0), iMiss=1, dMiss=1)
    await bench.clock()
    await bench.control("arm", settle=False)
    await bench.clock(1, LOAD_USE, at=(0, 96, 0), dMiss=1)
    everything, _ = await copied(bench)
    assert everything[I] == 3, "frozen: not counted"
    assert everything[D] == 1, "but resident all the same"


@cocotb.test()
async def the_queue_never_runs_over(dut):
    """Misses in every tick on a slow memory: `hold` comes in time, every miss is judged."""
    bench = await Bench.started(
        dut, latency=lambda: 50, stall=iter([True, True, False] * 99999).__next__
    )
    for _ in range(2):
        for n in range(60):
            await bench.clock(
                1, LOAD_USE, memory=(0, 1, 0), at=(32 * n, 32 * n, 32 * n), iMiss=1, dMiss=1
            )
    counted = (await copied(bench))[0]
    assert [counted[name] for name in (I, D, B)] == [60, 60, 60]


@cocotb.test()
async def distinct_words_and_blocks(dut):
    """Words of the code window, per bank; the rest is counted as outside."""
    bench = Bench(dut)
    code = 5 * CODE
    await bench.start(code=code + 12)
    bench.compare(0, code + 64, OPEN)
    bench.compare(1, code + 96, CLOSE)
    for pc in (0, 4, 4, 28, 32, 0):
        await bench.clock(1, ISSUE, pc=code + pc)
    await bench.clock(1, LOAD_USE, pc=code + 8)
    await bench.clock(0, ISSUE, pc=code + 8)
    for pc in (code - 4, code + CODE, code + CODE - 4):
        await bench.clock(1, ISSUE, pc=pc)
    everything, path = await copied(bench)
    assert (everything["fetch.words"], everything["fetch.blocks"]) == (5, 3)
    assert everything["fetch.outside"] == 2 and path["fetch.words"] == 0
    for pc in (64, 0, 4, 68, 96, 100):  # a block the window has not seen, though all have
        await bench.clock(1, ISSUE, pc=code + pc)
    everything, path = await copied(bench)
    assert (everything["fetch.words"], everything["fetch.blocks"]) == (9, 5)
    assert (path["fetch.words"], path["fetch.blocks"]) == (4, 2)
    await bench.control("clear")
    await bench.clock(1, ISSUE, pc=code)
    everything, _ = await copied(bench)
    assert (everything["fetch.words"], everything["fetch.blocks"]) == (1, 1)


@cocotb.test()
async def words_per_fill(dut):
    """Used bits belong to the line and go with its fill, whatever block it holds."""
    bench = await Bench.started(dut)
    size = 32 * LINES

    async def fill(address):
        await bench.clock(1, LOAD_USE, at=(address, 0, 0), iMiss=1)

    async def issue(*pcs):
        for pc in pcs:
            await bench.clock(1, ISSUE, pc=pc)
        return (await copied(bench))[0]["fetch.fill_words"]

    await fill(0x40)
    assert await issue(0x40, 0x44, 0x40) == 2
    await fill(0x40 + size)
    assert await issue(0x40 + size) == 3
    await fill(0x40)
    assert await issue(0x44, 0x44, 0x5C) == 5
    await fill(0x60)
    assert await issue(0x5C, 0x60) == 6
    await bench.control("clear")
    assert await issue(0x60, 0x64) == 1, "a clear empties no line"


@cocotb.test()
async def a_machine_that_is_held_forgets_used_words(dut):
    """With ideal memory no fill does. Each line, whether the machine is held for three clocks or
    for long, and again while lines are still forgotten; the first tick waits for the last line."""
    bench = await Bench.started(dut)
    lines = [32 * line for line in range(LINES)]

    async def issued():
        before = bench.everything["fetch.fill_words"]
        for pc in lines:
            await bench.clock(1, ISSUE, pc=pc)
        found = (await copied(bench))[0]["fetch.fill_words"]
        assert found == bench.everything["fetch.fill_words"]
        return found - before

    assert [await issued(), await issued()] == [LINES, 0]
    for clocks in (3, 2 * LINES):
        await bench.clock(1, ISSUE, pc=lines[0])
        await bench.held(clocks)
        assert [await issued(), await issued()] == [LINES, 0], clocks
    await bench.held()
    for _ in range(LINES // 2):
        await bench.clock()
    await bench.held()
    lines.reverse()
    assert [await issued(), await issued()] == [LINES, 0]


@cocotb.test()
async def what_the_window_excludes(dut):
    """Ticks and instructions of a pause, in both banks alike."""
    bench = await Bench.started(dut)
    for i, (address, action) in enumerate([(0x10, OPEN), (0x20, PAUSE), (0x30, RESUME),
                                           (0x40, CLOSE)]):  # fmt: skip
        bench.compare(i, address, action)
    for pc in (0x20, 0x10, 0x14, 0x20, 0x24):
        await bench.clock(1, ISSUE, pc=pc)
    await bench.clock(1, LOAD_USE)
    await bench.clock(0)
    for pc in (0x28, 0x30, 0x34, 0x40, 0x20, 0x24):
        await bench.clock(1, ISSUE, pc=pc)
    everything, path = await copied(bench)
    for bank in (everything, path):
        assert (bank["paused.ticks"], bank["paused.instructions"]) == (4, 3)
    assert path["ticks"] == 4
