# SPDX-License-Identifier: BSD-2-Clause
"""The coherent memory of several cores under random traffic; its history is worked out anew by the
checker of the exact engine, which was written from the sheet (multiprocessor.md) alone."""

import csv
import os
import random
from collections import deque
from functools import cache
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from sim_support import coherent_checker

from mcpi.base.errors import UserError
from mcpi.cocotb.backing import Backing
from mcpi.hdl.cocotb_run import elaborate, run_cocotb, simulate
from mcpi.machine import profile
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, planted

SEED = int(os.environ.get("MCPI_SEED", "1996"))
SETTINGS = {"core.count": "4", "bcache.size": "64KB", "bus.outstanding": "3"}
SEEDS = 8
MUTANTS = load(Path(__file__).with_name("coherent_mutants.csv"))
KINDS = ("fetch", "prefetch", "load", "write")
STATES = "ISEM"
ORDERS = ("read", "read_exclusive", "upgrade", "write_back", "dma_read", "dma_write")
TIMES = {
    "bcacheRead": "bcache.read_ticks",
    "write": "write_buffer.write_ticks",
    "dma": "bcache.dma_ticks",
    "request": "bus.request_ticks",
    "data": "bus.data_ticks",
    "miss": "bus.miss_ticks",
    "remote": "bus.remote_ticks",
    "upgrade": "bus.upgrade_ticks",
    "first": "bus.arbiter_first",
}


def test_coherent_memory() -> None:
    run_cocotb(__file__, "CoherentBench", "challenge-100", SETTINGS)


def test_another_machine_is_refused() -> None:
    with pytest.raises(UserError, match="dec3000-600: it has no private b-caches.*challenge-100"):
        elaborate("CoherentBench")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory) -> Path:
    """The Verilog with all mistakes in it."""
    verilog = elaborate("CoherentBench", "challenge-100", SETTINGS)
    return planted(verilog, MUTANTS, tmp_path_factory.mktemp("mutants"))


@pytest.mark.parametrize("number", sampled(range(len(MUTANTS) + 1), lambda n: n == 1))
def test_a_mistake_is_found(faulty, monkeypatch, number) -> None:
    """By one seed after the other; without a mistake (0) all are sound."""
    monkeypatch.setenv(VARIABLE, str(number))
    for test in (
        "meetings",
        "beyond_ram",
        *(f"traffic/seed={seed}" for seed in range(SEED, SEED + SEEDS)),
    ):
        try:
            simulate(faulty, Path(__file__), test)
        except (AssertionError, SystemExit):
            assert number, test
            return
    assert not number, f"nobody finds: {MUTANTS[number - 1].title}"


class Wanted:
    """Next act of a core: a read, a write of eight bytes, or LDx_L and STx_C of a counter."""

    def __init__(self, rng: random.Random, pool: list[int], at: int):
        self.at = at
        self.kind = rng.choice(KINDS)
        self.address = rng.choice(pool) + 8 * rng.randrange(16)
        self.value = rng.getrandbits(64)
        self.linked = self.kind == "load" and rng.random() < 0.6
        self.conditional = False


class Core:
    def __init__(self, rng, number: int, pool: list[int]):
        self.rng, self.number, self.pool = rng, number, pool
        self.next: Wanted | None = None
        self.now: Wanted | None = None
        self.taken = self.ends = self.acts = 0
        self.flag: int | None = None
        self.finished = 0
        self.script: list[tuple] | None = None


class Bench:
    def __init__(self, dut, rng, machine, pool, latency, stall, other_hold):
        self.dut, self.rng, self.p, self.other_hold = dut, rng, machine, other_hold
        self.small, self.big = machine["cache.block"], machine["bcache.block"]
        self.n = machine["core.count"]
        self.cores = [Core(rng, n, pool) for n in range(self.n)]
        self.rows: list[tuple] = []
        self.backing = Backing(dut, dut.clk, self.small, latency, stall)
        self.backing.blank = lambda address: address * 0x0101010101010101 & (1 << 256) - 1
        self.acting: deque[tuple[int, int, int]] = deque()  # tick, place, block: a write to come
        whole = self.backing.write

        def write(address, data, mask):
            whole(address, data, mask)
            found = next(a for a in self.acting if a[2] == address // self.small)
            self.acting.remove(found)
            if found[1] == self.n:
                return
            content = self.backing.read(address).to_bytes(self.small, "little")
            self.row(found[0], found[1], "write", found[2], content.hex())

        self.backing.write = write
        self.pool, self.dma_next, self.dma_now, self.dma_orders = pool, None, None, 0
        self.tick = self.clocks = 0
        self.pin = cache(lambda n, name: getattr(dut, f"memory_{n}_{name}"))  # of core n
        self.event = cache(lambda n, name: getattr(dut, f"events_{n}_{name}"))

    def row(self, tick, place, what, at, more=""):
        self.rows.append((tick, place, what, f"{at:x}", more))

    async def start(self):
        dut = self.dut
        for name, key in TIMES.items():
            getattr(dut, f"timing_{name}").value = self.p[key]
        dut.otherHold.value = dut.conditional.value = dut.flags.value = 0
        dut.dma_cmd_valid.value = 0
        for n in range(self.n):
            getattr(dut, f"memory_{n}_cmd_valid").value = 0
            getattr(dut, f"watched_{n}").value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        for _ in range(3):
            await RisingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self.backing.run())
        while not int(dut.tick.value):
            await FallingEdge(dut.clk)

    def follow(self, core: Core) -> Wanted:
        """After LDx_L often a STx_C of the same bytes."""
        rng = self.rng
        seldom = rng.choice((0, 1, 5, 40))
        at = self.tick + rng.choice((1, 2, 3, seldom))
        if core.script is not None:
            return self.scripted(core)
        one = Wanted(rng, core.pool, at + 2)
        if core.flag is not None and rng.random() < 0.7:
            one.kind, one.conditional, one.linked = "write", True, False
            one.address = core.flag // 32 * 32 + 8 * rng.randrange(4)
        return self.stored(core, one)

    def scripted(self, core: Core) -> Wanted | None:
        """The next of ``script``: tick, kind, address, whether of a lock; STx_C if it holds it."""
        if not core.script:
            return None
        at, kind, address, lock = core.script.pop(0)
        one = Wanted(self.rng, [address], max(at, self.tick + 3))
        one.kind, one.address = kind, address
        one.linked = kind == "load" and lock
        one.conditional = kind == "write" and lock and core.flag is not None
        return self.stored(core, one)

    def stored(self, core: Core, one: Wanted) -> Wanted:
        """A store that is no STx_C waits in the write buffer before it is a command."""
        if one.kind == "write" and not one.conditional:
            self.row(one.at - 2, core.number, "store", one.address, f"8 {one.value:x}")
            self.row(one.at - 1, core.number, "buffered", one.address // self.small)
        return one

    async def run(self, each: int, most: int):
        """So many commands of each core, in at most so many clocks."""
        dut = self.dut
        while self.acting or any(core.finished < each for core in self.cores):
            flags = conditional = 0
            for core in self.cores:
                if core.next is None and core.now is None and core.finished < each:
                    core.next = self.follow(core)
            for n, core in enumerate(self.cores):
                one = core.next if core.next and core.next.at <= self.tick else None
                self.pin(n, "cmd_valid").value = int(one is not None)
                if one:
                    lane = one.address % self.small
                    self.pin(n, "cmd_payload_kind").value = KINDS.index(one.kind)
                    at = one.address // self.small * self.small
                    self.pin(n, "cmd_payload_address").value = at
                    self.pin(n, "cmd_payload_data").value = one.value << 8 * lane
                    self.pin(n, "cmd_payload_mask").value = 0xFF << lane
                    conditional |= one.conditional << n
                if core.flag is not None:
                    flags |= 1 << n
                    getattr(dut, f"watched_{n}").value = core.flag
            dut.conditional.value, dut.flags.value = conditional, flags
            self.drive_dma()
            dut.otherHold.value = int(self.other_hold())
            await ReadOnly()
            if int(dut.tick.value):
                self.sample()
                self.tick += 1
            await FallingEdge(dut.clk)
            self.clocks += 1
            if self.clocks > most:
                last = sorted(self.rows)[-12:]
                raise AssertionError(f"tick {self.tick}: it does not go on: {last}")

    def drive_dma(self):
        dut, rng = self.dut, self.rng
        if self.dma_next is None and self.dma_now is None and self.pool:
            at = rng.choice(self.pool) + 16 * rng.randrange(2)
            words = rng.random() < 0.5, at, rng.getrandbits(128), rng.getrandbits(16)
            self.dma_next = (self.tick + rng.choice((0, 1, 30, 200)), *words)
        ready = self.dma_next is not None and self.dma_next[0] <= self.tick
        dut.dma_cmd_valid.value = int(ready)
        if ready:
            _, write, at, data, mask = self.dma_next
            dut.dma_cmd_payload_write.value, dut.dma_cmd_payload_address.value = write, at
            dut.dma_cmd_payload_data.value, dut.dma_cmd_payload_mask.value = data, mask

    def sample_dma(self):
        dut, tick = self.dut, self.tick
        if int(dut.dma_rsp_valid.value):
            (_, write, at, *_), acts, end = self.dma_now
            assert tick == end, f"DMA is answered in {tick}, and not in {end}"
            if not write:
                data = int(dut.dma_rsp_payload_data.value)
                self.row(acts, self.n, "bytes_read", at, f"ffff {data:x}")
            self.dma_now = None
        if int(dut.dma_cmd_valid.value) and int(dut.dma_cmd_ready.value):
            self.dma_now = (self.dma_next, 0, 0)
            _, write, at, *_ = self.dma_next
            self.row(tick, self.n, "take", at, "dma_write" if write else "dma_read")
            self.dma_next = None

    def dma_ordered(self, end: int):
        one = self.dma_now[0]
        _, write, at, data, mask = one
        self.dma_now = (one, self.tick, end)
        self.dma_orders += 1
        if write:
            self.row(self.tick, self.n, "bytes_written", at, f"{mask:x} {data:x}")
            self.acting.append((self.tick, self.n, at // self.small))

    def sample(self):
        """A tick: what it shows."""
        dut, tick = self.dut, self.tick
        if int(dut.order_valid.value):
            kind = int(dut.order_payload_kind.value)
            place, block = int(dut.order_payload_place.value), int(dut.order_payload_block.value)
            end = tick + int(dut.answer_ends.value)
            remote = int(dut.answer_remote.value) and ORDERS[kind].startswith("read")
            self.row(tick, place, ORDERS[kind], block, f"{end}{' remote' * remote}")
            if place == self.n:
                self.dma_ordered(end)
            elif ORDERS[kind] != "write_back":
                self.cores[place].ends = end
        for n, core in enumerate(self.cores):
            self.sample_core(n, core)
        self.sample_dma()

    def sample_core(self, n: int, core: Core):
        dut, tick, one = self.dut, self.tick, core.now
        event = lambda name: int(self.event(n, name).value)  # noqa: E731
        gone = int(self.pin(n, "invalidate_valid").value)
        away = int(self.pin(n, "invalidate_payload").value) // self.big if gone else None
        if core.flag is not None and core.flag // self.big == away:
            core.flag = None
        if event("drops"):
            self.row(tick, n, "drop", one.address // self.small)
            core.ends = tick
        elif event("decides"):
            assert tick == core.taken + 1
            self.row(tick, n, "decide", one.address // self.small, STATES[event("state")])
        if event("acts"):
            core.acts = tick
            if tick == core.taken + 1:
                key = "write_buffer.write_ticks" if one.kind == "write" else "bcache.read_ticks"
                core.ends = core.taken + self.p[key]
            if one.kind == "write":
                self.acting.append((tick, n, one.address // self.small))
        if int(getattr(dut, f"decided_{n}_valid").value):
            won = int(getattr(dut, f"decided_{n}_payload").value)
            more = f"8 {one.value:x}"
            self.row(tick, n, "success" if won else "failure", one.address, more)
            core.flag = None
        if int(self.pin(n, "rsp_valid").value):
            assert core.ends == tick, f"core {n} is answered in {tick}, and not in {core.ends}"
            if one.kind == "load":
                data = int(self.pin(n, "rsp_payload_data").value)
                word = data >> 8 * (one.address % self.small) & (1 << 64) - 1
                self.row(core.acts, n, "data", one.address, f"8 {word:x}")
                if one.linked and not int(dut.lost.value) >> n & 1:
                    self.row(tick, n, "linked", one.address)
                    core.flag = one.address
            core.now = None
            core.finished += 1
        if (
            core.next
            and int(self.pin(n, "cmd_valid").value)
            and int(self.pin(n, "cmd_ready").value)
        ):
            core.now, core.next, core.taken = core.next, None, tick
            more = core.now.kind + " conditional" * core.now.conditional
            self.row(tick, n, "take", core.now.address // self.small, more)


def checked(bench: Bench, name: str) -> None:
    history = Path(f"history-{name}.csv")
    with history.open("w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(("tick", "place", "what", "at", "more"))
        last = bench.dma_now[1] if bench.dma_now and bench.dma_now[1] else bench.tick
        out.writerows(sorted(row for row in bench.rows if row[0] < last))
    parameters = {**bench.p, "dcache.enable": False}
    coherent_checker.Checker(parameters).run(history, last)


async def random_traffic(dut, seed: int, each: int = 150):
    rng = random.Random(seed)
    machine = dict(profile.load("challenge-100", SETTINGS).parameters)
    machine |= {
        "bus.request_ticks": rng.choice((3, 4, 10)),
        "bus.data_ticks": rng.choice((1, 10, 30)),
        "bus.upgrade_ticks": rng.choice((4, 17, 40)),
        "bus.arbiter_first": rng.randrange(8) % 5,
        "bcache.read_ticks": rng.choice((3, 11)),
        "bcache.dma_ticks": rng.choice((4, 10, 30)),
        "write_buffer.write_ticks": rng.choice((3, 5)),
    }
    machine["bus.miss_ticks"] = machine["bus.data_ticks"] + rng.choice((3, 20, 100))
    machine["bus.remote_ticks"] = machine["bus.data_ticks"] + rng.choice((3, 25, 110))
    stride, block = machine["bcache.size"], machine["bcache.block"]
    sets = rng.sample(range(stride // block), 2)
    pool = [
        0x100000 + tag * stride + s * block + 32 * rng.randrange(block // 32)
        for s in sets
        for tag in range(rng.choice((1, 2, 3)))
    ]
    latency = rng.choice((lambda: 1, lambda: rng.randint(1, 40)))
    stall = rng.choice((None, lambda: rng.random() < 0.3))
    hold = rng.choice((lambda: False, lambda: rng.random() < 0.3))
    bench = Bench(dut, rng, machine, pool, latency, stall, hold)
    await bench.start()
    await bench.run(each, 800 * each)
    checked(bench, str(seed))
    return bench


@cocotb.test()
@cocotb.parametrize(seed=range(SEED, SEED + SEEDS))
async def traffic(dut, seed):
    bench = await random_traffic(dut, seed)
    whats = {row[2] for row in bench.rows}
    assert {"read", "read_exclusive", "decide", "write", "data", "success", "failure"} <= whats
    assert bench.dma_orders > 20


async def answered(bench, pins: str, **payload) -> tuple[int, int]:
    """Ticks from a command to its answer, and whether that is an error. ``pins``: of the bus."""
    dut, taken = bench.dut, None
    pin = lambda name: getattr(dut, f"{pins}_{name}")  # noqa: E731
    for name, value in payload.items():
        pin(f"cmd_payload_{name}").value = value
    pin("cmd_valid").value = 1
    for _ in range(2000):
        await ReadOnly()
        tick, ended = int(dut.tick.value), int(pin("rsp_valid").value)
        error = int(pin("rsp_payload_error").value)
        bench.won |= int(dut.decided_0_valid.value) and int(dut.decided_0_payload.value)
        taking = taken is None and int(pin("cmd_ready").value)
        await FallingEdge(dut.clk)
        if tick and taken is not None and ended:
            return bench.tick - taken, error
        if tick and taking:
            taken, pin("cmd_valid").value = bench.tick, 0
        bench.tick += tick
    raise AssertionError("no answer")


@cocotb.test()
async def beyond_ram(dut):
    """An error in the tick of a miss; no line changes; STx_C says 1, whatever its flag."""
    p = dict(profile.load("challenge-100", SETTINGS).parameters)
    bench = Bench(dut, random.Random(SEED), p, [], lambda: 1, None, lambda: False)
    await bench.start()
    bench.won, at = 0, 0x100000
    beyond = at + p["bcache.size"] + (64 << 20)  # in the same set, with another tag
    load, write = KINDS.index("load"), KINDS.index("write")
    miss, hit = p["bus.miss_ticks"], p["bcache.read_ticks"]
    assert await answered(bench, "memory_0", kind=load, address=at) == (miss, 0)
    for core in ("memory_0", "memory_1"):
        assert await answered(bench, core, kind=load, address=beyond) == (miss, 1)
        assert await answered(bench, core, kind=write, address=beyond) == (miss, 1)
    assert await answered(bench, "memory_0", kind=load, address=at) == (hit, 0)
    assert not bench.won
    dut.conditional.value = 1
    assert await answered(bench, "memory_0", kind=write, address=beyond) == (miss, 1)
    assert bench.won
    for writes in (0, 1):
        answer = await answered(bench, "dma", write=writes, address=beyond, mask=0xFFFF)
        assert answer == (p["bcache.dma_ticks"], 1)
    dut.conditional.value = 0
    assert await answered(bench, "memory_0", kind=load, address=at) == (hit, 0)


FIRST, SECOND = 3, 0  # whose accesses the backing memory would take first


@cocotb.test()
async def meetings(dut):
    """Two cores at one block, or at two, the second's command in each tick around the first's; the
    backing memory is slow to take an access."""
    rng = random.Random(SEED)
    machine = dict(profile.load("challenge-100", SETTINGS).parameters)
    machine |= {"bus.miss_ticks": 30, "bus.remote_ticks": 40, "bus.upgrade_ticks": 20}
    slow = lambda: rng.random() < 0.7  # noqa: E731
    bench = Bench(dut, rng, machine, [], lambda: 1, slow, lambda: False)
    await bench.start()
    size, at = machine["bcache.block"], 100
    block = 0x200000
    scripts = [[] for _ in bench.cores]
    for kind, lock in (("write", False), ("load", True), ("load", False)):
        for other in ("load", "write"):
            for apart in (0, machine["bcache.size"] // 2):  # the same block, or another of its own
                for delay in range(-6, 15):
                    one, two = block, block + apart
                    scripts[FIRST] += [(at, "load", one, False), (at + 60, "load", two, False)]
                    scripts[FIRST] += [(at + 130, kind, one, lock), (at + 134, "write", one, lock)]
                    scripts[SECOND] += [(at + 130 + delay, other, two, False)]
                    at, block = at + 230, block + size
                    if block % (machine["bcache.size"] // 2) == 0:
                        block += machine["bcache.size"] // 2
    for core, script in zip(bench.cores, scripts):
        core.script = script
    for core in bench.cores[1:3]:
        core.finished = 1 << 30
    bench.cores[SECOND].finished = len(scripts[FIRST]) - len(scripts[SECOND])
    await bench.run(len(scripts[FIRST]), 2 * at)
    checked(bench, "meetings")
