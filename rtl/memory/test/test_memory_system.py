# SPDX-License-Identifier: BSD-2-Clause
"""Memory system: due ticks exact whatever the backing latency; docs/explanation/memory.md."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from mcpi.cocotb.backing import Backing
from mcpi.cocotb.bus import Started
from mcpi.hdl.cocotb_run import run_cocotb

HIT, MISS, WRITE, DMA = 10, 48, 9, 11  # ticks; all different so that none stands in for another
FETCH, PREFETCH, LOAD, STORE = range(4)
MB = 1 << 20


def test_memory_system():
    run_cocotb(__file__, "MemoryBench")


class Bench(Started):
    """Core and DMA in one: requests queue up, answers are stamped with the tick they come in."""

    noted = ("access", "miss", "victim", "dma")  # events

    def __init__(
        self,
        dut,
        latency=lambda: 1,
        stall=lambda: False,
        other_hold=lambda: False,
        core_moves=lambda: True,
    ):
        self.dut, self.other_hold, self.core_moves = dut, other_hold, core_moves
        self.ideal, self.stands = 0, {}  # stands: an answer whose tick has not come
        self.core, self.dma = [], []  # waiting requests
        self.log = []  # (what, tick, data)
        self.tick = self.clocks = self.withheld = 0
        self.events = []  # (clock, name)
        self.backing = Backing(dut, dut.clk, 32, latency, stall)

    async def start(self, ideal=0, hit=HIT, miss=MISS, write=WRITE, dma=DMA, bcache=1):
        dut = self.dut
        dut.timing_bcacheRead.value = hit
        dut.timing_memoryRead.value = miss
        dut.timing_write.value = write
        dut.timing_dma.value = dma
        dut.timing_bcache.value = bcache
        dut.timing_ideal.value = self.ideal = ideal
        dut.otherHold.value = dut.emptyTags.value = dut.coreMoves.value = 0
        dut.memory_cmd_valid.value = 0
        dut.dma_cmd_valid.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        for _ in range(3):
            await RisingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self.backing.run())
        walk = 0
        while not int(dut.tick.value):
            await FallingEdge(dut.clk)
            walk += 1
            assert walk < 70000
        self.walk = walk
        cocotb.start_soon(self._run())

    async def _run(self):
        dut = self.dut
        while True:
            # Driven half a clock early, so that everything combinational has settled at the edge.
            core = self.core[0] if self.core and self.tick >= self.core[0][0] else None
            dma = self.dma[0] if self.dma and self.tick >= self.dma[0][0] else None
            self.holding = int(self.other_hold())
            dut.otherHold.value = self.holding
            self.moving = int(self.core_moves())
            dut.coreMoves.value = self.moving
            dut.memory_cmd_valid.value = int(core is not None)
            if core:
                _, kind, address, data, mask = core
                dut.memory_cmd_payload_kind.value = kind
                dut.memory_cmd_payload_address.value = address
                dut.memory_cmd_payload_data.value = data
                dut.memory_cmd_payload_mask.value = mask
            dut.dma_cmd_valid.value = int(dma is not None)
            if dma:
                _, write, address, data, mask = dma
                dut.dma_cmd_payload_write.value = write
                dut.dma_cmd_payload_address.value = address
                dut.dma_cmd_payload_data.value = data
                dut.dma_cmd_payload_mask.value = mask
            self.drive_more(core)
            await ReadOnly()
            fired = self._sample(core, dma)
            await FallingEdge(dut.clk)
            for queue in fired:
                queue.pop(0)

    def drive_more(self, core):
        """Drive pins that another machine has besides; ``core``: its request, if it has one."""

    def _sample(self, core, dma):
        dut, fired = self.dut, []
        tick = int(dut.tick.value)
        moves = tick or self.ideal and self.moving
        # The request that stands, and whether its tick was.
        for name, taken in (("memory", moves), ("dma", tick)):
            valid = int(getattr(dut, f"{name}_rsp_valid").value)
            assert valid or not self.stands.get(name), "an answer stands until its tick"
            self.stands[name] = valid and not taken
        if moves and int(dut.memory_rsp_valid.value):
            data, error = (
                int(dut.memory_rsp_payload_data.value),
                int(dut.memory_rsp_payload_error.value),
            )
            self.log.append(("core answer", self.tick, error or self.core_reads and data, tick))
        if tick and int(dut.dma_rsp_valid.value):
            data, error = int(dut.dma_rsp_payload_data.value), int(dut.dma_rsp_payload_error.value)
            self.log.append(("dma answer", self.tick, error or self.dma_reads and data, tick))
        if tick and int(dut.memory_invalidate_valid.value):
            self.log.append(
                ("invalidate", self.tick, int(dut.memory_invalidate_payload.value), tick)
            )
        if moves and core and int(dut.memory_cmd_ready.value):
            self.log.append(("core", self.tick, core[2], tick))
            fired.append(self.core)
            self.core_reads = core[1] != STORE  # the answer to a write carries no data
        if tick and dma and int(dut.dma_cmd_ready.value):
            self.log.append(("dma", self.tick, dma[2], tick))
            fired.append(self.dma)
            self.dma_reads = not dma[1]
        for name in self.noted:
            if int(getattr(dut, f"events_{name}").value):
                self.events.append((self.tick, name))
        self.clocks += 1
        self.tick += tick
        self.withheld += 1 - tick
        return fired

    def want(self, kind, address, data=0, mask=0, at=0):
        """A core transaction, not before tick ``at``."""
        self.core.append((at, kind, address, data, mask))

    def want_dma(self, address, write=0, data=0, mask=0, at=0):
        self.dma.append((at, write, address, data, mask))

    async def settle(self, answers, limit=20000):
        """Until so many answers are in the log."""
        for _ in range(limit):
            if sum("answer" in row[0] for row in self.log) >= answers:
                return
            await RisingEdge(self.dut.clk)
        raise AssertionError(f"no {answers} answers in {limit} clocks: {self.log[-5:]}")

    def times(self):
        """Ticks from each core command to its answer, in order."""
        taken = [row[1] for row in self.log if row[0] == "core"]
        answered = [row[1] for row in self.log if row[0] == "core answer"]
        return [b - a for a, b in zip(taken, answered, strict=False)]

    def count(self, name):
        return sum(n == name for _, n in self.events)


@cocotb.test()
async def due_ticks(dut):
    """Miss, hit, write, error: ev4.md 4.1; and the next command goes in the answer's tick."""
    bench = await Bench.started(dut)
    assert 65536 <= bench.walk < 65536 + 8, "the tags' walk, one set a clock"
    bench.want(FETCH, 0x10000)
    bench.want(LOAD, 0x10000)
    bench.want(STORE, 0x10000, data=0x1122 << 64, mask=0x300)
    bench.want(PREFETCH, 0x10000)
    bench.want(LOAD, 64 * MB)
    bench.want(STORE, 0x20020, data=7, mask=1)  # allocates
    bench.want(LOAD, 0x20020)
    await bench.settle(7)
    assert bench.times() == [MISS, HIT, WRITE, HIT, MISS, WRITE, HIT]
    taken = [row[1] for row in bench.log if row[0] == "core"]
    answers = [row for row in bench.log if row[0] == "core answer"]
    assert taken[1:] == [row[1] for row in answers[:-1]], "no tick lost between transactions"
    assert answers[0][2] == 0x10000 | 0xABCD << 64
    assert answers[3][2] == 0x10000 | 0x1122 << 64 | (0xABCD & 0) << 64
    assert answers[4][2] == 1, "beyond 64 MB: error"
    assert answers[6][2] == 0x20020 & ~0xFF | 7 | 0xABCD << 64
    assert bench.count("access") == 7 and bench.count("miss") == 3
    assert bench.withheld == 0, "a fast backing memory never costs a clock"


@cocotb.test()
async def conflicts_2mb_apart(dut):
    """Direct-mapped, 2 MB: same index 2 MB apart; only a dirty victim is reported."""
    bench = await Bench.started(dut)
    a, b = 0x123440, 0x123440 + 2 * MB
    for kind, address in [(LOAD, a), (LOAD, b), (LOAD, a), (LOAD, a + 32), (LOAD, a), (STORE, a)]:
        bench.want(kind, address)
    bench.want(LOAD, b)
    bench.want(STORE, a + 64 * MB - 0x123440)  # no RAM: displaces nothing
    bench.want(LOAD, b)
    bench.want(LOAD, b ^ 32 * MB)  # the highest tag bit counts
    await bench.settle(10)
    assert bench.times() == [MISS, MISS, MISS, MISS, HIT, WRITE, MISS, WRITE, HIT, MISS]
    assert bench.count("victim") == 1
    assert bench.count("miss") == 7


@cocotb.test()
async def dma_and_fairness(dut):
    """DMA: 16 bytes, update without allocation, invalidate; alternates with the core."""
    bench = await Bench.started(dut)
    block = 0x20040
    bench.want_dma(block + 16, write=1, data=0x55 << 120 | 0x66, mask=0x8001)
    bench.want_dma(block + 16)
    await bench.settle(2)
    data = 0x55 << 120 | 0x66  # the other bytes of the upper half hold nothing
    assert [row[2] for row in bench.log if row[0] == "dma answer"][1] == data
    assert [row[1:3] for row in bench.log if row[0] == "invalidate"] == [
        (bench.log[0][1] + DMA, block)
    ]
    assert bench.backing.blocks[block] == data << 128 | block | 0xABCD << 64
    bench.want(LOAD, block)
    await bench.settle(3)
    assert bench.times() == [MISS], "DMA does not allocate"
    bench.want_dma(block, write=1, data=1, mask=1)
    await bench.settle(4)
    bench.want(LOAD, block + 2 * MB)
    await bench.settle(5)
    assert bench.count("victim") == 1, "DMA made the block it hit dirty"
    bench.want_dma(1 << 26, write=1, data=1, mask=1)
    await bench.settle(6)
    assert bench.log[-1][0] == "dma answer" and bench.log[-1][2] == 1, "error beyond RAM"
    assert bench.count("dma") == 4 and bench.count("access") == 2

    bench.log.clear()
    start = bench.tick + 5
    for _ in range(4):
        bench.want(LOAD, block + 2 * MB, at=start)
        bench.want_dma(block, at=start)
    await bench.settle(8)
    order = [(row[0], row[1] - start) for row in bench.log if row[0] in ("core", "dma")]
    step = HIT + DMA
    assert order == [x for i in range(4) for x in (("core", i * step), ("dma", i * step + HIT))], (
        order
    )


async def random_history(dut, seed, backing_seed):
    """Run a history of requests (by ``seed``) on a backing memory of ``backing_seed``'s delays."""
    slow = random.Random(backing_seed)
    bench = Bench(
        dut,
        latency=lambda: slow.choice([1, 1, 2, 5, 9, 30, 120]),
        stall=lambda: slow.random() < 0.3,
        other_hold=lambda: slow.random() < 0.2,
    )
    await bench.start(hit=7, miss=23, write=5, dma=6)
    history = random.Random(seed)
    at = bench.tick
    for _ in range(150):
        at += history.choice([0, 0, 3, 30])
        address = history.choice([0, 2 * MB, 4 * MB]) + 32 * history.randrange(6)
        if history.random() < 0.3:
            bench.want_dma(
                address + 16 * history.randrange(2), history.randrange(2),
                history.getrandbits(128), history.getrandbits(16), at=at,
            )  # fmt: skip
        else:
            bench.want(
                history.randrange(4),
                address,
                history.getrandbits(256),
                history.getrandbits(32),
                at=at,
            )
    await bench.settle(150, limit=200000)
    return bench


LOGS = {}


@cocotb.test()
@cocotb.parametrize(backing_seed=[1, 2, 3])
async def same_ticks_on_any_backing(dut, backing_seed):
    """The log, every tick stamp and every datum of it, does not depend on the backing memory."""
    seed = int(os.environ.get("MCPI_SEED", "96"))
    bench = await random_history(dut, seed, backing_seed)
    dut._log.info(f"seed {seed}, backing {backing_seed}: {bench.clocks} clocks, {bench.tick} ticks")
    first = bench.log[0][1]
    log = [(name, tick - first, data) for name, tick, data, _ in bench.log]
    assert bench.withheld > 1000, "the governor had work"
    assert LOGS.setdefault(seed, log) == log, f"again: MCPI_SEED={seed}"
    check_times(log)


def check_times(log):
    """The log against the rules alone: bus time per kind, one transaction at a time."""
    busy_until = 0
    for (name, tick, _), answer in zip(
        [r for r in log if r[0] in ("core", "dma")],
        [r for r in log if r[0].endswith("answer")],
        strict=False,
    ):
        assert tick >= busy_until, "one transaction at a time"
        busy_until = answer[1]
        assert answer[0] == f"{name} answer"
        assert answer[1] - tick in ((6,) if name == "dma" else (5, 7, 23))


@cocotb.test()
async def one_tick(dut):
    """The least the parameters allow: due in the very next tick, which waits for the data."""
    bench = Bench(dut, latency=lambda: 4)
    await bench.start(hit=1, miss=2, write=1, dma=1)
    for kind in (LOAD, LOAD, STORE, FETCH):
        bench.want(kind, 0x40000)
    bench.want_dma(0x40000, at=100)
    await bench.settle(5)
    assert bench.times() == [2, 1, 1, 1]
    dma = [row[1] for row in bench.log if row[0].startswith("dma")]
    assert dma == [100, 101]


@cocotb.test()
@cocotb.parametrize(still=[0, 0.3, 0.7])
async def ideal(dut, still):
    """Ideal memory: clocks move the core's bus, but for a share that are second clocks of the
    core's own, in which its request stands; no tick passes, events still count."""
    holding, drawn = [False], random.Random(still)
    bench = Bench(
        dut,
        latency=lambda: 3,
        other_hold=lambda: holding[0],
        core_moves=lambda: drawn.random() >= still,
    )
    await bench.start(ideal=1)
    bench.want_dma(0x50000, write=1, data=0xFF, mask=1, at=5)
    while not any(row[0] == "dma" for row in bench.log):
        await RisingEdge(dut.clk)
    await FallingEdge(dut.clk)
    holding[0] = True  # as the core would; DMA is on the bus for eleven ticks
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    before = bench.tick
    bench.want(LOAD, 0x50000)
    bench.want(STORE, 0x50000, data=0x77 << 8, mask=2)
    bench.want(FETCH, 0x50000)
    await bench.settle(3, limit=400)
    assert bench.tick == before, "no tick"
    holding[0] = False
    await bench.settle(4)
    data = [row[2] for row in bench.log if row[0] == "core answer"]
    block = 0x50000 | 0xABCD << 64
    assert data[0] == block | 0xFF and data[2] == block | 0x77FF
    dma = [row[1] for row in bench.log if row[0].startswith("dma")]
    assert dma[1] - dma[0] == DMA, "DMA keeps its time"
    assert bench.count("access") == 3 and bench.count("miss") == 1 and bench.count("dma") == 1
