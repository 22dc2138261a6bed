# SPDX-License-Identifier: BSD-2-Clause
"""Ticks in real time: never before they are due, made up for when they were held, and how late they
were at most. Seven ticks in ten clocks, as dec3000-35 has on the ECPIX-5.
"""

import os
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.hdl import cocotb_run
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, Mutant, planted

TICKS, CLOCKS = 7, 10
SEED = int(os.environ.get("MCPI_SEED", "1"))
MISTAKES = {
    "a tick that was held is lost": ("owed#2", "paid -> 40'h0"),
    "real time begins a clock late": ("owed#3", "40'h0"),
    "late by a clock": ("late_1#2", "kept"),
    "a tick in each clock": ("due#3", "1"),
    "a clear is made up for": ("when_Pacer_n1", "clear -> 0"),
    "late when nothing counts": ("when_Pacer_n0", "counts -> 1"),
}
MUTANTS = [Mutant("Pacer", *cell, title) for title, cell in MISTAKES.items()]


def run() -> None:
    """On Verilog with every mistake, of which VARIABLE chooses one."""
    cocotb_run.simulate(planted(cocotb_run.elaborate("Pacer"), MUTANTS), Path(__file__))


def test_pacer():
    run()


@pytest.mark.parametrize("title", sampled(MISTAKES, lambda title: title.startswith("a tick that")))
def test_a_mistake_shows(monkeypatch, title):
    monkeypatch.setenv(VARIABLE, str([*MISTAKES].index(title) + 1))
    with pytest.raises(SystemExit):
        run()


class Bench:
    """The model: so many ticks are due in real time, counted from the first."""

    def __init__(self, dut) -> None:
        self.dut, self.clocks, self.ticks, self.late = dut, 0, 0, 0

    async def reset(self) -> None:
        d = self.dut
        d.run.value = d.tick.value = 0
        d.clear.value, d.counts.value = 0, 1
        d.reset.value = 1
        cocotb.start_soon(Clock(d.clk, 20, unit="ns").start())
        for _ in range(3):
            await FallingEdge(d.clk)
        d.reset.value = 0
        await self.restart()

    async def clear(self) -> None:
        """In a clock without a tick."""
        self.dut.clear.value = 1
        await self.clock(held=True)
        self.dut.clear.value = 0
        self.clocks = self.ticks = self.late = 0

    async def restart(self) -> None:
        self.dut.run.value = self.dut.tick.value = 0
        await FallingEdge(self.dut.clk)
        assert not int(self.dut.late.value)
        self.dut.run.value = 1
        self.clocks = self.ticks = self.late = 0

    @property
    def owed(self) -> int:
        """In tenths of a tick; the first is due when it comes."""
        return TICKS * self.clocks - CLOCKS * (self.ticks - 1) if self.ticks else CLOCKS

    async def clock(self, held: bool) -> bool:
        """Pass a clock; return true if it was a tick."""
        d = self.dut
        assert bool(int(d.pause.value)) == (self.owed < CLOCKS), (self.clocks, self.ticks)
        tick = not held and not int(d.pause.value)
        if self.ticks and int(d.counts.value):
            self.late = max(self.late, self.owed)
        d.tick.value = tick
        await FallingEdge(d.clk)
        self.ticks += tick
        self.clocks += bool(self.ticks)
        return tick


@cocotb.test()
async def real_time(dut):
    """Held at random and for long, a tick comes as soon as it is due and nobody holds it."""
    source, bench = random.Random(SEED), Bench(dut)
    await bench.reset()
    for share in (0, 0.2, 0.28, 0.9, 0.1, 0):
        for _ in range(1000):
            await bench.clock(source.random() < share)
    while bench.owed >= CLOCKS + TICKS:
        await bench.clock(held=False)
    assert abs(bench.ticks - TICKS * bench.clocks / CLOCKS) < 2, "in the end none is missing"
    await bench.clock(held=True)
    assert int(dut.late.value) == bench.late > 500 * CLOCKS


@cocotb.test()
async def before_the_first(dut):
    """Time begins with the first tick, however long it was held; and anew with each run."""
    bench = Bench(dut)
    await bench.reset()
    for _ in range(3):
        for _ in range(50):
            await bench.clock(held=True)
        for _ in range(50):
            await bench.clock(held=False)
        await bench.restart()


@cocotb.test()
async def a_clear(dut):
    """It takes the counters long: time stands, and nothing of that is made up for. What is late
    counts as long as they do."""
    bench = Bench(dut)
    await bench.reset()
    for counts, longest in ((0, 40), (1, 30), (0, 60)):
        for _ in range(90):
            await bench.clock(held=False)
        dut.counts.value = counts
        await bench.clear()
        for _ in range(500):
            await bench.clock(held=True)
        for n in range(300):
            await bench.clock(held=10 < n < longest)
        assert int(dut.late.value) == bench.late
        assert bench.late // CLOCKS // 10 == counts
