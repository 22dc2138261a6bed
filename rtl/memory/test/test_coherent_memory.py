# SPDX-License-Identifier: BSD-2-Clause
"""The coherent memory of several cores under random traffic; its history is worked out anew by the
checker of the exact engine, which was written from the sheet (multiprocessor.md) alone."""

import csv
import os
import random
import sys
from collections import deque
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from mcpi.base.repo import ROOT
from mcpi.cocotb.backing import Backing
from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.machine import profile

sys.path.insert(0, str(ROOT / "sim" / "test"))
import coherent_checker

SEED = int(os.environ.get("MCPI_SEED", "1996"))
SETTINGS = {"core.count": "4", "bcache.size": "64KB", "bus.outstanding": "3"}
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


class Wanted:
    """What one core does next: a read, a write of eight bytes, or LDx_L and STx_C of a counter."""

    def __init__(self, rng: random.Random, n: int, pool: list[int], at: int):
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


class Bench:
    def __init__(self, dut, rng, machine, pool, latency, stall, other_hold, dma=False):
        self.dut, self.rng, self.p, self.other_hold = dut, rng, machine, other_hold
        self.small, self.big = machine["cache.block"], machine["bcache.block"]
        self.n = machine["core.count"]
        self.cores = [Core(rng, n, pool) for n in range(self.n)]
        self.rows: list[tuple] = []
        self.backing = Backing(dut, dut.clk, self.small, latency, stall)
        self.backing.blank = lambda address: address * 0x0101010101010101 & (1 << 256) - 1
        whole, self.writes = self.backing.write, deque()
        self.acting: deque[tuple[int, int, int]] = deque()  # tick, core, block: a write to come

        def write(address, data, mask):
            whole(address, data, mask)
            found = next(a for a in self.acting if a[2] == address // self.small)
            self.acting.remove(found)
            content = self.backing.read(address).to_bytes(self.small, "little")
            self.row(found[0], found[1], "write", found[2], content.hex())

        self.backing.write = write
        self.tick = self.clocks = 0

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

    def pin(self, n: int, name: str):
        return getattr(self.dut, f"memory_{n}_{name}")

    def follow(self, core: Core) -> Wanted:
        """After LDx_L often a STx_C of the same bytes."""
        rng, at = self.rng, self.tick + self.rng.choice((1, 2, 3, rng_gap(self.rng)))
        one = Wanted(rng, core.number, core.pool, at + 2)
        if core.flag is not None and rng.random() < 0.7:
            one.kind, one.conditional, one.linked = "write", True, False
            one.address = core.flag // 32 * 32 + 8 * rng.randrange(4)
        if one.kind == "write" and not one.conditional:
            self.row(at, core.number, "store", one.address, f"8 {one.value:x}")
            self.row(at + 1, core.number, "buffered", one.address // self.small)
        return one

    async def run(self, each: int):
        """So many commands of each core."""
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
            dut.otherHold.value = int(self.other_hold())
            await ReadOnly()
            if int(dut.tick.value):
                self.sample()
                self.tick += 1
            await FallingEdge(dut.clk)
            self.clocks += 1
            if self.clocks > 200 * each * self.n:
                last = sorted(self.rows)[-12:]
                raise AssertionError(f"tick {self.tick}: it does not go on: {last}")

    def sample(self):
        """A tick: what it shows."""
        dut, tick = self.dut, self.tick
        if int(dut.order_valid.value):
            kind = int(dut.order_payload_kind.value)
            place, block = int(dut.order_payload_place.value), int(dut.order_payload_block.value)
            end = tick + int(dut.answer_ends.value)
            remote = int(dut.answer_remote.value) and ORDERS[kind].startswith("read")
            self.row(tick, place, ORDERS[kind], block, f"{end}{' remote' * remote}")
            if ORDERS[kind] != "write_back":
                self.cores[place].ends = end
        for n, core in enumerate(self.cores):
            self.sample_core(n, core)

    def sample_core(self, n: int, core: Core):
        dut, tick, one = self.dut, self.tick, core.now
        event = lambda name: int(getattr(dut, f"events_{n}_{name}").value)  # noqa: E731
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
        if core.next and int(self.pin(n, "cmd_valid").value) and int(self.pin(n, "cmd_ready").value):
            core.now, core.next, core.taken = core.next, None, tick
            more = core.now.kind + " conditional" * core.now.conditional
            self.row(tick, n, "take", core.now.address // self.small, more)


def rng_gap(rng: random.Random) -> int:
    return rng.choice((0, 1, 5, 40))


def checked(bench: Bench, name: str) -> None:
    folder = Path(os.environ.get("MCPI_COHERENT", "."))
    history = folder / f"history-{name}.csv"
    with history.open("w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(("tick", "place", "what", "at", "more"))
        out.writerows(sorted(row for row in bench.rows if row[0] < bench.tick))
    parameters = {**bench.p, "dcache.enable": False}
    coherent_checker.Checker(parameters).run(history, bench.tick)


async def random_traffic(dut, seed: int, each: int = 150):
    rng = random.Random(seed)
    machine = dict(profile.load("challenge-100", SETTINGS).parameters)
    machine |= {
        "bus.request_ticks": rng.choice((3, 4, 10)),
        "bus.data_ticks": rng.choice((1, 10, 30)),
        "bus.upgrade_ticks": rng.choice((4, 17, 40)),
        "bus.arbiter_first": rng.randrange(8) % 5,
        "bcache.read_ticks": rng.choice((3, 11)),
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
    await bench.run(each)
    checked(bench, str(seed))
    return bench


@cocotb.test()
@cocotb.parametrize(seed=range(SEED, SEED + 8))
async def traffic(dut, seed):
    bench = await random_traffic(dut, seed)
    whats = {row[2] for row in bench.rows}
    assert {"read", "read_exclusive", "decide", "write", "data", "success", "failure"} <= whats
