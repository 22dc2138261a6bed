# SPDX-License-Identifier: BSD-2-Clause
"""Counters, windows, snapshots against docs/reference/counters.md."""

import itertools
import os
import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rtl_support.counters_bench import (
    CLOSE,
    CODE,
    COMPARATORS,
    IDLE,
    INVOCATION,
    ISSUE,
    LOAD_USE,
    NAMES,
    OPEN,
    OWNERS,
    PAUSE,
    RAM,
    REPLACEMENTS,
    RESUME,
    Bench,
    check_sums,
    without,
)

from mcpi.hdl.cocotb_run import run_cocotb
from verify.long_tests import sampled

SETTINGS = {
    "victims": {"icache.victims": "1"},
    "ways": {"icache.ways": "2", "dcache.victims": "1"},
    "packed": {},
}


@pytest.mark.parametrize("machine", sampled(SETTINGS, "packed".__eq__))
def test_counters(machine):
    """Test the counters of small machines; the paper's machine has fewer, which are packed."""
    block = "CountersPacked" if machine == "packed" else "CountersSmall"
    run_cocotb(__file__, block, settings=SETTINGS[machine])


@cocotb.test()
async def boundaries(dut):
    """Check the ticks that an opening and a closing instruction include."""
    bench = await Bench.started(dut)
    bench.compare(3, 0xFFFF_FC00_0010_0010, OPEN)  # KSEG bits do not matter
    bench.compare(7, 0x100030, CLOSE)
    await bench.clock(1, LOAD_USE)  # waiting for the opening instruction: outside
    await bench.clock(1, LOAD_USE, pc=0x100010)  # not issued yet, whatever the pins say
    await bench.clock(0, ISSUE, pc=0x100010)  # no tick, no issue
    await bench.clock(
        1, ISSUE, pc=0x100010, iAccess=1, memory=(2, 1, 0), at=(0, 0, 64)
    )  # the first tick inside
    await bench.clock(0)  # withheld, inside
    await bench.clock(1, LOAD_USE)  # waiting for the closing instruction: inside
    await bench.clock(0, memory="dma")  # taken after an inside tick: inside
    await bench.clock(1, ISSUE, pc=0x100030, iAccess=1, memory=(3, 0, 0))  # outside
    await bench.clock(1, IDLE)
    await bench.control("snapshot")
    everything, path = await bench.read()
    assert path["ticks"] == 2 and path["instructions"] == 1 and path["owner.load_use"] == 1
    assert path["clocks"] == 4 and path["withheld"] == 2
    assert path["bcache.loads"] == 1 and path["bcache.misses"] == 1 and path["bcache.writes"] == 0
    assert path["bcache.dma"] == 1 and path["icache.accesses"] == 1
    assert everything["ticks"] == 6 and everything["owner.load_use"] == 3
    assert everything["instructions"] == 2 and everything["bcache.accesses"] == 2
    check_sums(everything)
    check_sums(path)


@cocotb.test()
async def all_actions(dut):
    """Pause, resume, invocations; ignored actions; several at one address in number order."""
    bench = await Bench.started(dut)
    for i, (address, action, window) in enumerate([
        (0x10, OPEN, 1), (0x20, CLOSE, 1), (0x30, PAUSE, 1), (0x40, RESUME, 1),
        (0x50, INVOCATION, 1), (0x60, CLOSE, 1), (0x60, OPEN, 1), (0x70, OPEN, 2), (0x80, 0, 1),
        (0x60, INVOCATION, 1), (0x90, OPEN, 1), (0x90, CLOSE, 1),
    ]):  # fmt: skip
        bench.compare(i, address, action, window)

    async def issue(*pcs):
        for pc in pcs:
            await bench.clock(1, ISSUE, pc=pc)

    async def window_ticks():
        await bench.control("snapshot")
        return (await bench.read())[1]["ticks"]

    await issue(0x20, 0x30, 0x40, 0x70, 0x80, 0x50, 0)
    assert await window_ticks() == 0, "outside a window only OPEN of window 1 does anything"
    await issue(0x10, 0, 0x10, 0)
    assert await window_ticks() == 4, "an OPEN within an open window is ignored"
    await issue(0x30, 0, 0x10, 0, 0x40, 0)
    assert await window_ticks() == 6, "PAUSE is outside, RESUME inside"
    await issue(0x40, 0)
    assert await window_ticks() == 8, "RESUME without PAUSE is ignored"
    await issue(0x30, 0x20, 0x10, 0)
    assert await window_ticks() == 10, "CLOSE ends a pause"
    await issue(0x60, 0)
    assert await window_ticks() == 12, "CLOSE, then OPEN: open"
    await issue(0x20, 0x90, 0)
    assert await window_ticks() == 12, "OPEN, then CLOSE: closed"
    everything, path = await bench.read()
    assert everything["invocations"] == path["invocations"] == 2
    assert path == without(bench.path) | {k: path[k] for k in ("clocks", "withheld")}


async def counted(bench, *names):
    """Values of counters in window 1's copy, by name."""
    await bench.settle()
    values = []
    for name in names:
        bench.dut.snapshot_index.value = NAMES.index(name)
        bench.dut.snapshot_window.value, bench.dut.snapshot_enable.value = 1, 1
        await bench.clock()
        bench.dut.snapshot_enable.value = 0
        values.append(int(bench.dut.snapshot_value.value))
    return values


@cocotb.test()
async def two_comparators_at_one_address(dut):
    """Every pair of actions, met while closed, open and paused: what counts, and that it closed."""
    bench = await Bench.started(dut)
    bench.compare(14, 0x10, OPEN)
    bench.compare(15, 0x20, PAUSE)
    names = ("ticks", "invocations", "paused.ticks")
    for before in ((), (0x10,), (0x10, 0x20)):
        for first, second in itertools.product(range(6), repeat=2):
            bench.compare(0, 0x100, first)
            bench.compare(1, 0x100, second)
            await bench.control("clear")
            pulses = 0
            for pc in (*before, 0, 0x100, 0, 0, 0):
                await bench.clock(1, ISSUE, pc=pc)
                pulses += int(dut.closed.value)
            met = f"{before}: {first} and {second}"
            assert pulses == bench.closings, met
            await bench.control("snapshot")
            assert await counted(bench, *names) == [bench.path[name] for name in names], met


@cocotb.test()
async def a_cold_path_ends_where_it_begins_again(dut):
    """Its last instruction closes the window and opens it: both banks are copied with its tick."""
    bench = await Bench.started(dut)
    bench.compare(4, 0x100, CLOSE)
    bench.compare(5, 0x100, OPEN)
    await bench.clock()
    await bench.clock()
    dut.coldStart.value = dut.control_clear.value = dut.control_arm.value = 1
    await bench.clock()
    dut.coldStart.value = dut.control_clear.value = dut.control_arm.value = 0
    await bench.settle()
    for pc in (0, 0, 0x100, 0, 0, 0x100, 0):
        await bench.clock(1, ISSUE, pc=pc)
    assert await counted(bench, "ticks", "instructions") == [3, 3], "copied at the first closing"


@cocotb.test()
async def clear_freeze_snapshot_beside_events(dut):
    """The host's bits in the same clock as an event: nothing is counted twice or half."""
    bench = await Bench.started(dut)
    both = {"owner": ISSUE, "iAccess": 1, "memory": (2, 0, 0)}

    async def burst(*bits, at, length=12):
        for i in range(length):
            for bit in bits:
                getattr(dut, f"control_{bit}").value = int(i == at)
            await bench.clock(1, **both)
        for bit in bits:
            getattr(dut, f"control_{bit}").value = 0
        await bench.clock()
        await bench.clock()

    await burst("snapshot", at=7)
    first = (await bench.read())[0]
    # The copy is taken one clock after the write and lacks the two clocks still in the pipe.
    assert first["ticks"] == first["instructions"] == first["bcache.loads"] == 6, first
    check_sums(first)
    await bench.control("snapshot")
    assert (await bench.read())[0]["ticks"] == 12, "a snapshot disturbs nothing"

    await burst("clear", at=7)
    await bench.control("snapshot")
    after = (await bench.read())[0]
    assert after["ticks"] == after["bcache.loads"] == after["icache.accesses"] == 6, after
    check_sums(after)

    await bench.control("clear")
    await burst("stop", at=7)
    await bench.control("snapshot")
    stopped = (await bench.read())[0]
    assert stopped["ticks"] == stopped["bcache.loads"] == 6, stopped
    check_sums(stopped)
    await burst("arm", at=7)
    await bench.control("snapshot")
    armed = (await bench.read())[0]
    assert armed["ticks"] == armed["bcache.loads"] == 12, armed
    await bench.control("clear", "stop", "arm", "snapshot")
    everything, path = await bench.read()
    assert set(everything.values()) == {0} or without(
        everything, "clocks", "withheld"
    ) == dict.fromkeys(without(everything, "clocks", "withheld"), 0)
    assert not bench.error()


@cocotb.test()
async def autosnapshot(dut):
    """The copy after N invocations ends with the tick of the N-th marker."""
    bench = await Bench.started(dut)
    bench.compare(0, 0x100, INVOCATION)
    bench.compare(1, 0x100, OPEN)
    dut.autosnapshot.value = 3
    for _ in range(5):
        await bench.clock(1, ISSUE, pc=0x100)
        for _ in range(10):
            await bench.clock(1, LOAD_USE)
    await bench.clock()
    everything, path = await bench.read()
    assert everything["invocations"] == path["invocations"] == 3
    assert everything["ticks"] == path["ticks"] == 2 * 11 + 1
    check_sums(path)
    await bench.control("snapshot")
    assert (await bench.read())[0]["ticks"] == 55, "only once"


@cocotb.test()
async def a_tick_without_owner(dut):
    """The sticky error: an owner that does not exist; a counter that lost a tick."""
    bench = await Bench.started(dut)
    for owner in range(len(OWNERS)):
        await bench.clock(1, owner)
    await bench.control("snapshot")
    for _ in range(30):
        await bench.clock()
    assert not bench.error()
    dut.tick.value, dut.core_owner.value = 1, len(OWNERS)
    bench.last = (len(OWNERS), (0, 0), {})  # told in the next clock, if told late
    await FallingEdge(dut.clk)
    await bench.clock()
    await bench.clock()
    assert bench.error(), "an owner above the last is none"
    for _ in range(5):
        await bench.clock(1, IDLE)
    assert bench.error(), "sticky"
    await bench.control("clear")
    await bench.clock()
    assert not bench.error()
    if bench.packed:
        banks = dut.packedCounters_1
        counters = {"all": banks.low_all_owner_idle, "path": banks.low_path_owner_idle}
    else:
        banks = dut.banks_1
        counters = {"all": banks.all_owner_idle, "path": banks.path_owner_idle}
    for bank, counter in counters.items():
        counter.value = int(counter.value) + 1  # two owners of one tick
        await bench.clock()
        assert not bench.error()
        await bench.control("snapshot")
        for _ in range(30):
            await bench.clock()
        assert bench.error(), bank
        await bench.control("clear")
        await bench.clock()
        assert not bench.error()


async def random_clocks(bench, rng, count):
    """Everything at once; a miss of the I-cache and an issue never share a tick."""
    for _ in range(count):
        tick = rng.random() < 0.8
        memory = rng.choice([None, None, "dma", (rng.randrange(4), rng.randrange(2), 0)])
        owner = rng.choice([ISSUE, ISSUE, rng.randrange(len(OWNERS))])
        core = {pin: rng.randrange(2) for pin in bench.core}
        core["iMiss"] &= owner != ISSUE
        if "iVictimHit" in core:
            core["iVictimHit"] &= owner != ISSUE and not core["iMiss"]
        core["dMiss"] &= rng.random() < 0.3
        if memory not in (None, "dma"):
            memory = (memory[0], memory[1], memory[1] & rng.randrange(2))
        at = [32 * rng.choice([*range(20), RAM // 32 - 1, RAM // 32 + 3]) for _ in range(3)]
        pc = 4 * rng.choice([rng.randrange(30), rng.randrange(CODE // 4), CODE])
        busy = rng.choice(["", "core", "dma"])
        await bench.clock(tick, owner, pc, memory, busy, at, **core)
        if rng.random() < 0.1:
            pal = rng.randrange(2)
            left_out = rng.randrange(1000)
            for _ in range(left_out % 4 if bench.packed else 1):
                await bench.clock(1, IDLE, skip=0 if bench.packed else left_out, palMode=pal)


@cocotb.test()
@cocotb.parametrize(latency=[1, 37])
async def random_history(dut, latency):
    """Two thousand clocks of everything at once against the model, clears in between, on a fast and
    on a slow backing memory."""
    seed = int(os.environ.get("MCPI_SEED", "1996"))
    dut._log.info(f"MCPI_SEED={seed}")
    rng, delays = random.Random(seed), random.Random(seed + 1)
    bench = await Bench.started(dut, latency=lambda: delays.randint(1, latency))
    for i in range(COMPARATORS):
        bench.compare(i, 4 * rng.randrange(12), rng.randrange(6), rng.choice([1, 1, 1, 2]))
    bench.compare(0, 4 * 12, OPEN)  # which nothing else is at
    windows = 0
    for round_ in range(4):
        await random_clocks(bench, rng, 500)
        # The copy is asked for while misses still wait for their verdict.
        await bench.control("snapshot", settle=False)
        models = [dict(bank) for bank in (bench.everything, bench.path)]
        await random_clocks(bench, rng, 5)
        await bench.settle()
        for bank, model in zip(await bench.read(), models, strict=True):
            check_sums(bank)
            late = ("clocks", "withheld")  # they go on between the copy and the reading
            again = f"round {round_}; again: MCPI_SEED={seed}"
            differ = {k: (v, model[k]) for k, v in bank.items() if v != model[k] and k not in late}
            assert not differ, (differ, again)
        assert all(models[0][name] > 0 for name in ("ticks", *REPLACEMENTS))
        windows += models[1]["ticks"]
        if round_ == 1:
            await bench.control("clear")
        if round_ == 2:
            await bench.held(rng.randrange(3, 400))
    assert windows > 0
    assert not bench.error()
