# SPDX-License-Identifier: BSD-2-Clause
"""The memory system below a write-back D-cache; docs/explanation/memory.md, Write-back D-cache."""

import random

import cocotb
from test_memory_system import DMA, FETCH, HIT, LOAD, MB, MISS, STORE, WRITE, Bench

from mcpi.hdl.cocotb_run import run_cocotb

DIRTY = 5  # dcache.dirty_ticks of the machine
LONG = 1 << 64  # beside the data of a longword


def test_write_back():
    run_cocotb(__file__, "MemoryBench", settings={"dcache.policy": "back"})


class Back(Bench):
    """``dirty``: addresses whose loads displace a dirty block. ``stores``: by tick, address and
    data. ``wanted``: ticks in which the core says that something waits for the bus."""

    noted = (*Bench.noted, "dirtyMiss", "coreWaits")

    def __init__(self, dut, **more):
        super().__init__(dut, **more)
        self.dirty, self.stores, self.wanted = set(), {}, set()
        for name in ("cmd_payload_dirty", "store_valid", "wants"):
            getattr(dut, f"memory_{name}").value = 0

    def drive_more(self, core):
        dut = self.dut
        dut.memory_cmd_payload_dirty.value = int(bool(core) and core[2] in self.dirty)
        dut.memory_wants.value = int(self.tick in self.wanted)
        ticks = not self.holding and not int(dut.hold.value)
        there = self.tick in self.stores and ticks
        dut.memory_store_valid.value = int(there)
        if there:
            address, data = self.stores[self.tick]
            dut.memory_store_payload_address.value = address
            dut.memory_store_payload_data.value = data % LONG
            dut.memory_store_payload_long.value = int(data >= LONG)


@cocotb.test()
async def a_dirty_victim(dut):
    """Five ticks more, in the b-cache or not; counted in the tick in which the bus takes it."""
    bench = await Back.started(dut)
    bench.dirty = {0x20000, 0x20040}
    for kind, address in (
        (LOAD, 0x20000),
        (LOAD, 0x20000),
        (LOAD, 0x20020),
        (STORE, 0x20020),
        (FETCH, 0x20060),
        (LOAD, 0x20040),
    ):
        bench.want(kind, address)
    await bench.settle(6)
    assert bench.times() == [MISS + DIRTY, HIT + DIRTY, MISS, WRITE, MISS, MISS + DIRTY]
    taken = [row[1] for row in bench.log if row[0] == "core"]
    dirty = [tick - 1 for tick, name in bench.events if name == "dirtyMiss"]
    assert dirty == [taken[0], taken[1], taken[5]]


@cocotb.test()
async def the_longest_times(dut):
    """255 ticks and a dirty victim: the due time has a bit more."""
    bench = Back(dut)
    await bench.start(miss=255)
    bench.dirty = {0x20000}
    bench.want(LOAD, 0x20000)
    bench.want(LOAD, 0x30000)
    await bench.settle(2)
    assert bench.times() == [255 + DIRTY, 255]


@cocotb.test()
async def a_wait_for_dma(dut):
    """Each tick in which something waits and DMA has the bus or gets it, and no other."""
    bench = await Back.started(dut)
    at = bench.tick + 10
    bench.want_dma(0x20000, at=at)
    bench.wanted = set(range(at, at + DMA + 4))  # it waits on, and nobody has the bus
    await bench.settle(1)
    waits = [tick - 1 for tick, name in bench.events if name == "coreWaits"]
    assert waits == list(range(at, at + DMA))

    bench.events.clear()
    at = bench.tick + 20
    bench.want(LOAD, 0x20000, at=at)  # the core's own transaction is no wait for DMA
    bench.want_dma(0x20000, at=at + 1)
    bench.want_dma(0x20010, at=at + 1)
    bench.wanted = set(range(at, at + MISS + 2 * DMA))
    await bench.settle(4)
    waits = [tick - 1 for tick, name in bench.events if name == "coreWaits"]
    assert waits == list(range(at + MISS, at + MISS + 2 * DMA))


def model(bench) -> list[tuple[str, int]]:
    """Data of each answer to a read, by the log's ticks: in each a store goes first."""
    memory: dict[int, int] = {}

    def block(address):
        return memory.get(address, address | 0xABCD << 64)

    def put(address, data, mask):
        old = block(address)
        keep = sum(0xFF << 8 * i for i in range(32) if not mask >> i & 1)
        memory[address] = old & keep | data & ~keep

    def store(address, data):
        if address >= 64 * MB:
            return
        size = 4 if data >= LONG else 8
        shift = address % 32 // size * size
        put(address & ~31, data % (1 << 8 * size) << 8 * shift, (1 << size) - 1 << shift)

    steps = [(tick, 0, s) for tick, s in bench.stores.items() if tick < bench.tick]
    steps += [(tick, 1, (name, bench.asked[name].pop(0))) for name, tick, *_ in bench.log
              if name in ("core", "dma")]  # fmt: skip
    found = []
    for _, late, what in sorted(steps, key=lambda step: step[:2]):
        if not late:
            store(*what)
            continue
        name, (_, kind, address, data, mask) = what
        lane = 8 * (address % 32) if name == "dma" else 0
        if kind == (1 if name == "dma" else STORE):
            put(address & ~31, data << lane, mask << lane // 8)
        else:
            whole = block(address & ~31) >> lane
            found.append((f"{name} answer", whole % (1 << 128) if name == "dma" else whole))
    return found


@cocotb.test()
@cocotb.parametrize(backing_seed=[1, 2, 3])
async def stores_on_any_backing(dut, backing_seed):
    """A store is in memory before all that the bus takes in its tick or later, and behind all that
    it took earlier; no tick passes before that. On backing memories of any latency."""
    slow = random.Random(backing_seed)
    bench = Back(
        dut,
        latency=lambda: slow.choice([1, 1, 2, 5, 30]),
        stall=lambda: slow.random() < 0.3,
        other_hold=lambda: slow.random() < 0.2,
    )
    await bench.start(hit=7, miss=23, write=5, dma=6)
    history = random.Random(96)
    at = first = bench.tick + 5
    for _ in range(120):
        at += history.choice([0, 0, 3, 30])
        address = history.choice([0, 2 * MB]) + 32 * history.randrange(3)
        if history.random() < 0.4:
            piece = address + 16 * history.randrange(2)
            data, mask = history.getrandbits(128), history.getrandbits(16)
            bench.want_dma(piece, history.randrange(2), data, mask, at=at)
        else:
            data, mask = history.getrandbits(256), history.getrandbits(32)
            bench.want(history.choice([LOAD, FETCH, STORE]), address, data, mask, at=at)
    for tick in range(first, at):
        if history.random() < 0.3:
            long = history.randrange(2)
            place = history.choice([0, 2 * MB, 2 * MB, 64 * MB]) + 32 * history.randrange(3)
            place += history.randrange(8) * 4 if long else history.randrange(4) * 8
            bench.stores[tick] = place, history.getrandbits(32 if long else 64) | long * LONG
    bench.asked = {"core": list(bench.core), "dma": list(bench.dma)}
    await bench.settle(120, limit=200000)
    read = [(name, data) for name, _, data, _ in bench.log if "answer" in name and data]
    wanted = [row for row in model(bench) if row[1]]
    differ = [(n, *rows) for n, rows in enumerate(zip(wanted, read)) if rows[0] != rows[1]]
    assert not differ and len(wanted) == len(read), differ[:1]
    assert bench.withheld > 500, "the governor had work"
