# SPDX-License-Identifier: BSD-2-Clause
"""Packed counters against plain ones: four in either bank, six bits of value, a round of eight."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.cocotb.bus import Started
from mcpi.hdl.cocotb_run import run_cocotb

NAMES = ("ticks", "owner.issue", "owner.idle", "late")
TICKS, ISSUE, IDLE, LATE = range(4)
COUNT = 2 * len(NAMES)
BITS = 6


def test_packed_counters():
    run_cocotb(__file__, "PackedCounters")


class Bench(Started):
    """Bench of packed counters, one clock at a time; `values` and `copy` are what plain registers
    would hold."""

    def __init__(self, dut):
        self.dut = dut
        self.values, self.copy = [0] * COUNT, [0] * COUNT

    async def start(self):
        for pin in ("adds", "clear", "clearLate", "copy", "copyLate", "read_enable"):
            getattr(self.dut, pin).value = 0
        self.dut.reset.value = 1
        cocotb.start_soon(Clock(self.dut.clk, 2, "ns").start())
        await FallingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        self.dut.reset.value = 0

    async def clock(self, adds=0, **pulses):
        self.dut.adds.value = adds
        for pin in ("clear", "clearLate", "copy", "copyLate"):
            getattr(self.dut, pin).value = pulses.get(pin, 0)
        for n in range(COUNT):
            late = "Late" if n % len(NAMES) == LATE else ""
            if pulses.get(f"copy{late}"):
                self.copy[n] = self.values[n]
            self.values[n] = (self.values[n] + (adds >> n & 1)) % (1 << BITS)
            if pulses.get(f"clear{late}"):
                self.values[n] = 0
        await FallingEdge(self.dut.clk)

    async def check(self, adds=lambda: 0, again=""):
        """Waits for the copy, things being counted meanwhile, and reads it."""
        for _ in range(COUNT + 6):
            await self.clock(adds())
        assert not int(self.dut.busy.value), again
        found = []
        for n in range(COUNT):
            self.dut.read_index.value = n % len(NAMES)
            self.dut.read_window.value = n // len(NAMES)
            self.dut.read_enable.value = 1
            await self.clock(adds())
            self.dut.read_enable.value = 0
            found.append(int(self.dut.read_value.value))
        assert found == self.copy, again


def tick(rng):
    """Counters that move in a clock: in each bank none or a tick with one owner; `late` at
    random."""
    all_, late = rng.choice([0, 1 << TICKS | 1 << ISSUE, 1 << TICKS | 1 << IDLE]), rng.randrange(4)
    path = all_ * rng.randrange(2)
    return all_ | path << len(NAMES) | (late & 1) << LATE | (late >> 1) << LATE + len(NAMES)


@cocotb.test()
async def as_plain_registers(dut):
    """Copies and clears at any time, in the middle of others; often enough that values wrap."""
    seed = int(os.environ.get("MCPI_SEED", "64"))
    dut._log.info(f"MCPI_SEED={seed}")
    rng = random.Random(seed)
    bench = await Bench.started(dut)
    await bench.check()
    cleared = 0
    for round_ in range(400):
        for _ in range(rng.randrange(40)):
            may = {p: rng.random() < 0.05 for p in ("clear", "clearLate", "copy", "copyLate")}
            cleared += may["clear"]
            await bench.clock(tick(rng), **may)
            assert not int(dut.failed.value)
        await bench.clock(tick(rng), copy=1, copyLate=1)
        await bench.check(lambda: tick(rng), f"round {round_}; again: MCPI_SEED={seed}")
    assert cleared > 100


@cocotb.test()
async def every_clock(dut):
    """Add one in each clock to every counter, over many rounds: none is lost when the low bits
    wrap."""
    bench = await Bench.started(dut)
    for length in range(1, 4 * COUNT):
        for _ in range(length):
            await bench.clock((1 << COUNT) - 1)
        await bench.clock((1 << COUNT) - 1, copy=1, copyLate=1)
        await bench.check(lambda: (1 << COUNT) - 1, str(length))


@cocotb.test()
async def an_owner_too_many(dut):
    """In either bank, and wherever the round stands when it is copied, `failed` comes once."""
    bench = await Bench.started(dut)
    for bank in range(2):
        for wait in range(COUNT):
            await bench.clock(clear=1)
            both = (1 << TICKS | 1 << ISSUE) * (1 | 1 << len(NAMES))
            await bench.clock(both)
            await bench.clock((1 << TICKS | 1 << ISSUE | 1 << IDLE) << bank * len(NAMES))
            for _ in range(wait):
                await bench.clock(both)
            await bench.clock(copy=1)
            failed = 0
            for _ in range(2 * COUNT):
                await bench.clock()
                failed += int(dut.failed.value)
            assert failed == 1, (bank, wait)


@cocotb.test()
async def no_such_counter(dut):
    """Reads as 0."""
    bench = await Bench.started(dut)
    for _ in range(9):
        await bench.clock((1 << COUNT) - 1)
    await bench.clock(copy=1, copyLate=1)
    await bench.check()
    dut.read_index.value, dut.read_enable.value = len(NAMES), 1
    await bench.clock()
    assert int(dut.read_value.value) == 0
