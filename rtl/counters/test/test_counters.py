# SPDX-License-Identifier: BSD-2-Clause
"""Counters, windows, snapshots against docs/counters.md."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.testing import run_cocotb

OWNERS = (
    "issue i_demand i_stream refill_restart taken_bubble mispredict exception load_use d_miss "
    "shift compare agen multiply memory_port write_buffer_full barrier io translation idle"
).split()
CORE = {  # event pin: counter
    "iAccess": "icache.accesses",
    "iMiss": "icache.misses",
    "iStreamHit": "icache.stream_hits",
    "dAccess": "dcache.accesses",
    "dMiss": "dcache.misses",
    "writeAccess": "write_buffer.accesses",
    "writeMerge": "write_buffer.merges",
    "takenBranch": "taken_branches",
    "mispredict": "mispredicts",
    "palMode": "pal_ticks",
}
KINDS = ["bcache.fetches", "bcache.prefetches", "bcache.loads", "bcache.writes"]
NAMES = (
    ["ticks", "instructions"]
    + [f"owner.{o}" for o in OWNERS]
    + ["icache.accesses", "icache.misses", "icache.stream_hits", "dcache.accesses", "dcache.misses"]
    + ["write_buffer.accesses", "write_buffer.merges", "write_buffer.writes"]
    + ["bcache.accesses", "bcache.misses", *KINDS, "bcache.dma"]
    + ["taken_branches", "mispredicts", "pal_ticks", "invocations", "clocks", "withheld"]
)
OPEN, CLOSE, PAUSE, RESUME, INVOCATION = range(1, 6)
ISSUE, LOAD_USE, IDLE = OWNERS.index("issue"), OWNERS.index("load_use"), OWNERS.index("idle")


def test_counters():
    run_cocotb(__file__, "Counters")


class Bench:
    """Drives one clock at a time; `model` holds what docs/counters.md says, counted in Python."""

    def __init__(self, dut):
        self.dut = dut
        self.everything = dict.fromkeys(NAMES, 0)
        self.path = dict.fromkeys(NAMES, 0)
        self.open = self.paused = False
        self.comparators = [(0, 0, 0)] * 16
        self.pending = []  # memory events of the clock before

    async def start(self):
        dut = self.dut
        for pin in CORE:
            getattr(dut, f"core_{pin}").value = 0
        for pin in ("access", "kind", "miss", "victim", "dma"):
            getattr(dut, f"memory_{pin}").value = 0
        for pin in ("clear", "stop", "arm", "snapshot"):
            getattr(dut, f"control_{pin}").value = 0
        for i in range(16):
            self.compare(i, 0, 0, 0)
        dut.autosnapshot.value = 0
        dut.snapshot_enable.value = 0
        dut.tick.value = dut.skip.value = 0
        dut.core_owner.value = 0
        dut.core_issuePc.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0
        await self.control("clear")

    def compare(self, number, address, action, window=1):
        self.comparators[number] = (address, action, window)
        for pin, value in (("address", address), ("action", action), ("window", window)):
            getattr(self.dut, f"comparators_{number}_{pin}").value = value & (2**34 - 1)

    async def control(self, *bits):
        """One clock in which the host writes the control register; nothing else happens in it.

        The two clocks before it drain the pipe, so that it acts between known ticks.
        """
        await self.clock()
        await self.clock()
        for bit in bits:
            getattr(self.dut, f"control_{bit}").value = 1
        await self.clock()
        for bit in bits:
            getattr(self.dut, f"control_{bit}").value = 0

    async def clock(self, tick=0, owner=0, pc=0, memory=None, skip=0, **core):
        """One clock; `memory` is (kind, miss), "dma" or None: what is taken in this clock.

        A tick with `skip` stands for so many more like it: idle ones, at most in PAL mode.
        """
        dut = self.dut
        dut.tick.value = tick
        dut.skip.value = skip
        dut.core_owner.value = owner
        dut.core_issuePc.value = pc
        for pin in CORE:
            getattr(dut, f"core_{pin}").value = core.get(pin, 0)
        kind, miss = memory if isinstance(memory, tuple) else (0, 0)
        before = self.pending.pop() if self.pending else (0, 0, 0, 0)
        for pin, value in zip(("access", "kind", "miss", "dma"), before, strict=True):
            getattr(dut, f"memory_{pin}").value = value
        self.pending.append((int(isinstance(memory, tuple)), kind, miss, int(memory == "dma")))
        for _ in range(1 + skip):
            self._model(tick, owner, pc, memory, core)
        await FallingEdge(dut.clk)

    def _model(self, tick, owner, pc, memory, core):
        invoked = False
        if tick and owner == ISSUE:
            for address, action, window in self.comparators:
                if window != 1 or (address ^ pc) & 0x3_FFFF_FFFC:
                    continue
                invoked |= action == INVOCATION
                if action == OPEN:
                    self.open = True
                elif action == CLOSE and self.open:
                    self.open = self.paused = False
                elif action == PAUSE and self.open:
                    self.paused = True
                elif action == RESUME:
                    self.paused = False
        happened = ["clocks"] if tick else ["clocks", "withheld"]
        if tick:
            happened += ["ticks", f"owner.{OWNERS[owner]}"]
            happened += ["instructions"] if owner == ISSUE else []
            happened += [counter for pin, counter in CORE.items() if core.get(pin)]
        if memory == "dma":
            happened.append("bcache.dma")
        elif memory:
            happened += ["bcache.accesses", KINDS[memory[0]]]
            happened += ["bcache.misses"] if memory[1] else []
            happened += ["write_buffer.writes"] if memory[0] == 3 else []
        for name in happened:
            self.everything[name] += 1
            if self.open and not self.paused:
                self.path[name] += 1
        if invoked:
            self.everything["invocations"] += 1
            self.path["invocations"] += 1

    async def read(self):
        """Both banks of the snapshot, through the read port."""
        banks = []
        await self.clock()  # the copy is made in the clock after the write
        for window in (0, 1):
            bank = {}
            for i, name in enumerate(NAMES):
                self.dut.snapshot_index.value = i
                self.dut.snapshot_window.value = window
                self.dut.snapshot_enable.value = 1
                await self.clock()
                self.dut.snapshot_enable.value = 0
                bank[name] = int(self.dut.snapshot_value.value)
            banks.append(bank)
        return banks

    def error(self):
        return int(self.dut.ownersError.value)


def without(bank, *names):
    return {k: v for k, v in bank.items() if k not in names}


def check_sums(bank):
    assert sum(bank[f"owner.{o}"] for o in OWNERS) == bank["ticks"]
    assert bank["clocks"] == bank["ticks"] + bank["withheld"]


@cocotb.test()
async def boundaries(dut):
    """What an opening and a closing instruction include, tick by tick."""
    bench = Bench(dut)
    await bench.start()
    bench.compare(3, 0xFFFF_FC00_0010_0010, OPEN)  # KSEG bits do not matter
    bench.compare(7, 0x100030, CLOSE)
    await bench.clock(1, LOAD_USE)  # waiting for the opening instruction: outside
    await bench.clock(1, LOAD_USE, pc=0x100010)  # not issued yet, whatever the pins say
    await bench.clock(0, ISSUE, pc=0x100010)  # no tick, no issue
    await bench.clock(1, ISSUE, pc=0x100010, iAccess=1, memory=(2, 1))  # the first tick inside
    await bench.clock(0)  # withheld, inside
    await bench.clock(1, LOAD_USE)  # waiting for the closing instruction: inside
    await bench.clock(0, memory="dma")  # taken after an inside tick: inside
    await bench.clock(1, ISSUE, pc=0x100030, iAccess=1, memory=(3, 0))  # outside
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
    bench = Bench(dut)
    await bench.start()
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


@cocotb.test()
async def clear_freeze_snapshot_beside_events(dut):
    """The host's bits in the same clock as an event: nothing is counted twice or half."""
    bench = Bench(dut)
    await bench.start()
    both = {"owner": ISSUE, "iAccess": 1, "memory": (2, 0)}

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
    bench = Bench(dut)
    await bench.start()
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
    bench = Bench(dut)
    await bench.start()
    for owner in range(len(OWNERS)):
        await bench.clock(1, owner)
    await bench.control("snapshot")
    for _ in range(30):
        await bench.clock()
    assert not bench.error()
    dut.tick.value, dut.core_owner.value = 1, 19
    await FallingEdge(dut.clk)
    await bench.clock()
    await bench.clock()
    assert bench.error(), "number 19 is nobody"
    for _ in range(5):
        await bench.clock(1, IDLE)
    assert bench.error(), "sticky"
    await bench.control("clear")
    await bench.clock()
    assert not bench.error()
    for bank in ("all", "path"):
        counter = getattr(dut, f"{bank}_owner_idle")
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


@cocotb.test()
async def random_history(dut):
    """Two thousand clocks of everything at once against the model."""
    seed = int(os.environ.get("MCPI_SEED", "1996"))
    dut._log.info(f"MCPI_SEED={seed}")
    rng = random.Random(seed)
    bench = Bench(dut)
    await bench.start()
    # The pipe was idle during `start`; the model starts with the first clock after the clear.
    for i in range(16):
        bench.compare(i, 4 * rng.randrange(12), rng.randrange(6), rng.choice([1, 1, 1, 2]))
    await bench.control("clear")
    bench.everything = dict.fromkeys(NAMES, 0)
    bench.path = dict.fromkeys(NAMES, 0)
    bench.open = bench.paused = False
    for round_ in range(4):
        for _ in range(500):
            tick = rng.random() < 0.8
            memory = rng.choice([None, None, "dma", (rng.randrange(4), rng.randrange(2))])
            owner = rng.choice([ISSUE, ISSUE, rng.randrange(len(OWNERS))])
            core = {pin: rng.randrange(2) for pin in CORE}
            await bench.clock(tick, owner, 4 * rng.randrange(30), memory, **core)
            if rng.random() < 0.1:
                pal = rng.randrange(2)
                await bench.clock(1, IDLE, skip=rng.randrange(1000), palMode=pal)
        await bench.control("snapshot")
        everything, path = await bench.read()
        check_sums(everything)
        check_sums(path)
        late = ("clocks", "withheld")  # they go on between the copy and the reading
        again = f"round {round_}; again: MCPI_SEED={seed}"
        assert without(everything, *late) == without(bench.everything, *late), again
        assert without(path, *late) == without(bench.path, *late), again
        assert path["ticks"] > 0
    assert not bench.error()
