# SPDX-License-Identifier: BSD-2-Clause
"""The record of a board in exact time: every marker and every frame, each with its tick, whenever
the host reads, and whatever of its questions is asked twice.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from mcpi.engines.board.record import Record
from mcpi.firmware import elf
from mcpi.hdl import cocotb_run
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, Mutant, planted

SEED = int(os.environ.get("MCPI_SEED", "1"))
NIBBLE = 7  # ticks
CLOCKS = 30_000
MISTAKES = {
    "an entry is lost when the host asks twice": ("pops", "io_read_valid && held != 5'd0"),
    "a tick is one too large": ("tick", "$ + 48'd1"),
    "a frame's first tick is a clock older": ("frame_data#1", "io_now"),
    "the queue overflows": ("full#2", "0"),
    "a queue that is full withholds time too late": ("full#2", "held == 5'd16"),
    "an entry of a frame gives way to a marker for ever": ("putsFrame", "waiting"),
    "the last nibbles are forgotten": ("frame_small#3", "5'd0"),
    "a clock without a tick has markers": ("passed#2", "io_passed"),
    "the marker of another comparator": ("put_small#2", "$ + 5'd1"),
    "waits for the host are not counted": ("clocks", "hold"),
}
MUTANTS = [Mutant("ExactRecord", *cell, title) for title, cell in MISTAKES.items()]


def frames(source: random.Random) -> Iterator[int | None]:
    """Yield what the controller's strobe brings in each tick: a nibble, -1 for the end, None for
    no strobe."""
    while True:
        for _ in range(source.randrange(3, 200)):
            yield None
        for nibble in [*(source.randrange(16) for _ in range(source.randrange(1, 60))), -1]:
            yield nibble
            yield from [None] * (NIBBLE - 1)


class Bench:
    """A node and its host, clock by clock."""

    def __init__(self, dut) -> None:
        self.dut, self.source = dut, random.Random(SEED)
        self.sends = frames(self.source)
        self.markers: list[tuple[int, int]] = []
        self.frames: list[tuple[int, list[int]]] = []
        self.record, self.entries = Record(), 0
        self.now = self.paused = 0
        self.last = 0, 0, 0  # of the clock before: a tick, its number, comparators
        self.decided = self.pause = True
        self.open = False

    async def reset(self) -> None:
        d = self.dut
        for port in ("ticked", "now", "passed", "strobe", "enable", "nibble", "counts"):
            getattr(d, f"io_{port}").value = 0
        d.io_read_valid.value = d.io_read_payload.value = 0
        d.io_on.value, d.reset.value = 1, 1
        cocotb.start_soon(Clock(d.clk, 20, unit="ns").start())
        for _ in range(4):
            await FallingEdge(d.clk)
        d.reset.value = 0

    async def clock(self, busy: float, reads: float, ticks: bool = True) -> None:
        """``busy``: share of ticks with a marker; ``reads``: share of clocks with a question."""
        d, source = self.dut, self.source
        tick = ticks and not self.pause and source.random() < 0.95
        strobe = next(self.sends) if tick else None
        passed = 0
        if source.random() < busy:
            passed = 1 << source.randrange(24) | 1 << source.randrange(24)
        if tick and passed:
            self.markers.append((self.now, (passed & -passed).bit_length() - 1))
        if strobe is not None:
            if strobe >= 0 and not self.open:
                self.frames.append((self.now, []))
            self.open = strobe >= 0
            if self.open:
                self.frames[-1][1].append(strobe)
        d.io_strobe.value, d.io_enable.value = strobe is not None, self.open
        d.io_nibble.value = max(strobe or 0, 0)
        d.io_ticked.value, d.io_now.value, d.io_passed.value = self.last
        self.last = int(tick), self.now, passed
        self.now += tick
        d.io_counts.value = self.pause
        self.paused += self.pause
        asks = source.random() < reads
        d.io_read_valid.value, d.io_read_payload.value = asks, self.entries % 2
        await Timer(1, unit="ns")
        if asks and source.random() < 0.7 and (word := int(d.io_entry.value)):
            self.record.take(word)  # else the reply is lost, or there is no entry
            self.entries += 1
        self.pause, self.decided = self.decided, bool(int(d.io_full.value))
        await FallingEdge(d.clk)


@cocotb.test()
async def record(dut):
    """A host that is away now and then, and a node that is busy now and then."""
    bench = Bench(dut)
    await bench.reset()
    bench.pause = bench.decided = False
    for _ in range(CLOCKS // 100):
        busy, reads = bench.source.choice((0, 0.05, 1)), bench.source.choice((0, 0.02, 0.5))
        for _ in range(100):
            await bench.clock(busy, reads)
    while bench.open:  # until the frame has ended
        await bench.clock(0, 0.5)
    for _ in range(200):
        await bench.clock(0, 0.5, ticks=False)
    found = bench.record
    assert not int(dut.io_overflow.value)
    assert found.markers == bench.markers and found.frames == bench.frames
    assert len(found.frames) > 20 and len(found.markers) > 1000
    assert bench.paused > 1000
    assert int(dut.io_clocks.value) == bench.paused


@cocotb.test()
async def off(dut):
    """Nothing is recorded, and nothing waits, of a node whose host does not want a record."""
    bench = Bench(dut)
    await bench.reset()
    dut.io_on.value, bench.pause, bench.decided = 0, False, False
    for _ in range(2000):
        await bench.clock(1, 0.5)
        assert not bench.pause
    assert not bench.entries and bench.markers


def run() -> None:
    """On Verilog with every mistake, of which VARIABLE chooses one."""
    cocotb_run.simulate(planted(cocotb_run.elaborate("ExactRecord"), MUTANTS), Path(__file__))


def test_every_marker_and_frame_is_recorded():
    run()


@pytest.mark.parametrize("title", sampled(MISTAKES, lambda title: "lost" in title))
def test_a_mistake_shows(monkeypatch, title):
    monkeypatch.setenv(VARIABLE, str([*MISTAKES].index(title) + 1))
    with pytest.raises(SystemExit):
        run()


def test_entries_fit_the_comparators():
    assert elf.COMPARATORS <= 32
