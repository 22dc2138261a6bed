# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the further counters of coherent cores against a model of
docs/explanation/multiprocessor.md."""

import os
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rtl_support.counters_bench import (
    CLOSE,
    CORE,
    FULL,
    IDLE,
    ISSUE,
    KINDS,
    LOAD_USE,
    OPEN,
    OWNERS,
    RAM,
    RESIDENT,
    Bench,
)

from mcpi.hdl.cocotb_run import elaborate, run_cocotb, simulate
from mcpi.machine import counters, profile
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, planted

MACHINE = "challenge-100"
SMALL, BIG = 32, 128  # bytes of the blocks of D- and b-cache there
GROUP = BIG // SMALL
TABLE = 5  # whose table in the backing memory is used
COHERENT_RESIDENT = 2 << 5 | 7  # RESIDENT of a table whose blocks others may have taken
ROWS = counters.of_machine(profile.load(MACHINE).parameters)
CAUSED = [row.plain for row in ROWS if row.causes]
CAUSES = [row.plain for row in ROWS if row.of == "cause"]
OPEN_CAUSE = CAUSES.index("open")
CACHE = {  # event of the private cache: counter
    "remote": "bcache.remote",
    "upgrade": "bcache.upgrades",
    "writeBack": "bcache.writebacks",
    "victim": "bcache.victims",
    "snoop": "bcache.snoops",
    "held": "bcache.snoop_hits",
    "taken": "bcache.invalidated",
    "waits": "bus.wait_ticks",
    "busy": "bus.core_ticks",
}
LOCKS = ("linked", "conditional", "failed")
OURS = [row.name for row in ROWS if row.when and row.of not in ("owner", "cause")]
BLOCKS = ("CoherentCounters", "CoherentPacked")
MUTANTS = load(Path(__file__).with_name("coherent_mutants.csv"))


@pytest.mark.parametrize("block", sampled(BLOCKS, "CoherentPacked".__eq__))
def test_coherent_counters(block):
    run_cocotb(__file__, block, MACHINE)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    verilog = elaborate("CoherentCounters", MACHINE)
    return planted(verilog, MUTANTS, tmp_path_factory.mktemp("mutants"))


@pytest.mark.parametrize("number", sampled(range(len(MUTANTS) + 1), lambda n: n == 1))
def test_a_mistake_is_found(faulty, monkeypatch, number):
    """Without a mistake (0) all is sound."""
    monkeypatch.setenv(VARIABLE, str(number))
    if number:
        with pytest.raises((AssertionError, SystemExit)):
            simulate(faulty, Path(__file__), "")
    else:
        simulate(faulty, Path(__file__), "")


class CoherentBench(Bench):
    """Bench of a coherent core: `cache` is its private cache's report on the tick."""

    owners = [row.plain for row in ROWS if row.of == "owner"]
    names = list(counters.names(ROWS))
    of_cache = (*CACHE, "access", "miss", "kind", "block", "cause", "order", "overtaken")
    of_core = ("busWait", *LOCKS, "dropped")
    pins = [f"cache_{pin}" for pin in of_cache] + [f"core_coherent_{pin}" for pin in of_core]

    def cleared(self):
        super().cleared()
        self.undecided = []  # owner and banks of each tick
        self.lost = set()  # cache and block
        self.gone = None  # the b-cache's block that others took in the tick before

    async def start(self, code=0):
        self.last = (0, (0, 0), {}, {})
        self.dut.place.value, self.dut.copies.value = TABLE, 0
        self.fill(TABLE, COHERENT_RESIDENT)
        await super().start(code)

    async def clock(self, tick=0, owner=0, pc=0, at=(0, 0), skip=0, cache=None, locks=None, **core):
        """Pass a clock as `Bench.clock` does; `at`, addresses of I- and D-miss."""
        dut, cache, locks = self.dut, cache or {}, locks or {}
        while tick and int(dut.hold.value):
            await self.clock()
        dut.tick.value, dut.skip.value, dut.core_issuePc.value = tick, skip, pc
        of_tick = (owner, at[:2], core, locks)
        told = self.last  # the core tells a tick late, the private cache at once
        self.last = of_tick if tick else self.last
        dut.core_owner.value = told[0]
        dut.core_iMissAddress.value, dut.core_dMissAddress.value = told[1]
        for pin in CORE:
            getattr(dut, f"core_{pin}").value = told[2].get(pin, 0)
        for pin in self.of_cache:
            getattr(dut, f"cache_{pin}").value = cache.get(pin, 0)
        for pin in self.of_core:
            getattr(dut, f"core_coherent_{pin}").value = told[3].get(pin, 0)
        named = OWNERS[owner]
        waits = tick and locks.get("busWait")
        for _ in range(1 + skip):
            self.cell_owner = self.owners.index("bus_wait" if waits else named)
            self._model(tick, owner, pc, None, "", (*at[:2], RAM), core)
            self._more(tick, "bus_wait" if waits else named, named, at, cache, locks, core)
        await FallingEdge(dut.clk)

    def _count_cell(self, set_, cell):
        super()._count_cell(set_, cell if cell == 31 else self.cell_owner)

    def _banks(self):
        return [self.everything] + [self.path] * (self.open and not self.paused)

    def _more(self, tick, owner, named, at, cache, locks, core):
        if not tick:
            return
        banks = self._banks()
        if owner != named:
            for bank in banks:
                bank[f"owner.{named}"] -= 1
                bank["owner.bus_wait"] += 1
        happened = [counter for pin, counter in CACHE.items() if cache.get(pin)]
        happened += ["locks.linked"] * locks.get("linked", 0)
        if locks.get("conditional"):
            happened += ["locks.conditional"] + ["locks.failed"] * locks.get("failed", 0)
        if self.gone is not None:
            for n in range(GROUP):
                if locks.get("dropped", 0) >> n & 1:
                    self.lost.add((1, self.gone * GROUP + n))
        self.gone = cache["order"] if cache.get("taken") else None
        if self.gone is not None:
            self.lost.add((2, self.gone * GROUP))
            for n in range(GROUP):
                if cache.get("overtaken", 0) >> n & 1:
                    self.lost.add((1, self.gone * GROUP + n))
        if cache.get("access"):
            happened += ["bcache.accesses", KINDS[cache["kind"]]]
            happened += ["write_buffer.writes"] * (cache["kind"] == 3)
        for number, name, missed, block in (
            (1, "dcache", core.get("dMiss"), at[1] // SMALL),
            (2, "bcache", cache.get("access") and cache.get("miss"), cache.get("block", 0) * GROUP),
        ):
            if not missed:
                continue
            if number == 2:
                happened.append("bcache.misses")
            if block >= RAM // SMALL:
                continue
            if number == 2 and block in self.ever[2]:
                happened.append("bcache.replacement_misses")
            self.ever[number].add(block)
            if (number, block) in self.lost and f"{name}.replacement_misses" in (
                *happened,
                *self.judged,
            ):
                for bank in banks:
                    bank[f"{name}.replacement_misses"] -= 1
                    bank[f"{name}.coherence_misses"] += 1
            self.lost.discard((number, block))
        for bank in banks:
            for name in happened:
                bank[name] += 1
        self._caused(owner, cache.get("cause", 0), banks)

    def _model(self, tick, owner, pc, memory, busy, at, core):
        before = dict(self.everything)
        super()._model(tick, owner, pc, memory, busy, at, core)
        self.judged = [n for n in before if self.everything[n] != before[n]]

    def _caused(self, owner, cause, banks):
        own = [(f"cause.{owner}", banks)] * (owner in CAUSED)
        if cause == OPEN_CAUSE:
            self.undecided += own
            known = [(name, of, "open") for name, of in own]
        else:
            for name, of in self.undecided:
                for bank in of:
                    bank[f"{name}.open"] -= 1
            known = [(name, of, CAUSES[cause]) for name, of in (*self.undecided, *own)]
            self.undecided = []
        for name, of, what in known:
            for bank in of:
                bank[f"{name}.{what}"] += 1


def check_sums(bank):
    owners = {o: bank[f"owner.{o}"] for o in CoherentBench.owners}
    assert sum(owners.values()) == bank["ticks"]
    for owner in CAUSED:
        assert sum(bank[f"cause.{owner}.{cause}"] for cause in CAUSES) == owners[owner], owner


async def copied(bench):
    await bench.settle()
    await bench.control("snapshot")
    return await bench.read()


@cocotb.test()
async def a_lost_block(dut):
    """Cold, lost and missed, replaced; of the b-cache, of the D-cache, of a load under way."""
    bench = await CoherentBench.started(dut, latency=lambda: 9)
    names = [f"{c}.{k}_misses" for c in ("dcache", "bcache") for k in ("coherence", "replacement")]

    async def counts(*wanted):
        everything = (await copied(bench))[0]
        assert [everything[name] for name in names] == list(wanted)
        assert {k: everything[k] for k in names} == {k: bench.everything[k] for k in names}

    block, sub = 9, 2
    miss = {"access": 1, "miss": 1, "kind": 2, "block": block}
    at = (0, block * BIG + sub * SMALL)
    take = {"taken": 1, "order": block}
    await bench.clock(1, LOAD_USE, cache=take)  # what was never there
    await bench.clock(1, LOAD_USE, locks={"dropped": 0})
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)
    await counts(0, 0, 0, 0)
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)
    await counts(0, 1, 0, 1)
    await bench.clock(1, LOAD_USE, cache=take)
    await bench.clock(0)
    await bench.clock(1, LOAD_USE, locks={"dropped": 1 << sub})
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)
    await counts(1, 1, 1, 1)
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)  # once
    await counts(1, 2, 1, 2)
    await bench.clock(1, LOAD_USE, cache=take | {"overtaken": 1 << sub})
    await bench.clock(1, LOAD_USE)
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)
    await counts(2, 2, 2, 2)
    await bench.clock(1, LOAD_USE, cache={"order": block})  # of its own: a victim
    await bench.clock(1, LOAD_USE, locks={"dropped": 1 << sub})
    await bench.clock(1, LOAD_USE, at=at, dMiss=1)
    await counts(2, 3, 2, 2)
    await bench.clock(1, LOAD_USE, cache=take)  # taken and missed in one tick: the loss is first
    await bench.clock(1, LOAD_USE, cache=miss, at=at, dMiss=1, locks={"dropped": 1 << sub})
    await counts(3, 3, 3, 2)
    await bench.clock(1, LOAD_USE, cache=take)
    await bench.control("clear")
    await bench.clock(1, LOAD_USE, at=at, dMiss=1, cache=miss)
    await counts(0, 0, 0, 0)
    others = [v for k, v in bench.backing.blocks.items() if RAM <= k < RAM + RAM // SMALL]
    assert others == [RESIDENT * FULL] * len(others), "core 0's table"
    tables = {(k - RAM) // (RAM // SMALL) for k in bench.backing.blocks if k >= RAM}
    assert tables == {0, TABLE}, "the bench fills both"


@cocotb.test()
async def causes_come_late(dut):
    """To the bank of their own tick, also while frozen; a copy has what is open."""
    bench = await CoherentBench.started(dut)
    bench.compare(0, 0x100, OPEN)
    d_miss = OWNERS.index("d_miss")
    undecided = {"cause": OPEN_CAUSE}
    await bench.clock(1, d_miss, cache=undecided)
    await bench.clock(1, ISSUE, pc=0x100, cache=undecided)
    await bench.clock(1, d_miss, cache=undecided)
    await bench.clock(1, d_miss, cache=undecided, locks={"busWait": 1})
    await bench.clock(0, d_miss, cache={"cause": 1})
    everything, path = await copied(bench)
    assert everything["cause.d_miss.open"] == 2 and path["cause.d_miss.open"] == 1
    assert everything["cause.bus_wait.open"] == path["cause.bus_wait.open"] == 1
    check_sums(everything)
    await bench.control("stop")
    bench.dut.tick.value = 1
    bench.dut.cache_cause.value = CAUSES.index("remote")
    bench.last = (d_miss, (0, 0), {}, {})  # told in the next clock
    await FallingEdge(dut.clk)
    bench.dut.tick.value = 0
    everything, path = await copied(bench)
    assert everything["cause.d_miss.remote"] == 2 and path["cause.d_miss.remote"] == 1
    assert everything["cause.bus_wait.remote"] == 1 and everything["cause.d_miss.open"] == 0
    check_sums(everything)
    check_sums(path)


@cocotb.test()
async def core_0_copies(dut):
    """Then this core copies in the same clock, without a word of the host's."""
    bench = await CoherentBench.started(dut)
    at = (0, BIG)
    for ticks in (1, 2):
        await bench.clock(1, LOAD_USE, at=at, dMiss=1)
        await bench.clock()
        await bench.clock()
        dut.copies.value = 1
        await bench.clock()
        dut.copies.value = 0
        await bench.clock(1, IDLE)
        everything, _ = await bench.read()
        assert everything["owner.load_use"] == ticks and everything["owner.idle"] == ticks - 1
        assert everything["dcache.replacement_misses"] == ticks - 1
        assert await bench.read_cells() == {
            (0, bench.owners.index(name)): n
            for name, n in (("load_use", ticks), ("idle", ticks - 1))
            if n
        }


async def random_ticks(bench, rng, count):
    """A story of the private cache: idle, undecided, decided; orders at least three ticks apart."""
    since = 9
    for _ in range(count):
        tick = rng.random() < 0.8
        owner = rng.choice(
            [ISSUE, rng.randrange(len(OWNERS)), OWNERS.index(rng.choice(CAUSED[:6]))]
        )
        core = {pin: rng.random() < 0.3 for pin in CORE}
        core["iMiss"] &= owner != ISSUE
        cache = {pin: rng.random() < 0.3 for pin in CACHE}
        bench.story = max(0, bench.story - tick) or rng.choice((1, 2, 9))
        cache |= {"cause": OPEN_CAUSE if bench.story > 1 else rng.randrange(OPEN_CAUSE)}
        cache |= {"access": rng.random() < 0.4, "miss": rng.random() < 0.5}
        blocks = [*range(6), RAM // BIG - 1, RAM // BIG + 3]
        cache |= {"kind": rng.randrange(4), "block": rng.choice(blocks)}
        cache["taken"] = tick and since > 2 and rng.random() < 0.5
        cache |= {"order": rng.choice(blocks[:-1]), "overtaken": rng.choice((0, 0, 1, 2, 4, 8))}
        waits = OWNERS[owner] in CAUSED and rng.random() < 0.3
        locks = {pin: rng.random() < 0.3 for pin in LOCKS} | {"busWait": waits}
        locks["dropped"] = rng.randrange(1 << GROUP) if since == 0 else 0
        if tick:
            since = 0 if cache["taken"] else since + 1
        at = [SMALL * rng.choice([*range(24), RAM // SMALL - 1]) for _ in range(2)]
        await bench.clock(tick, owner, 4 * rng.randrange(30), at, 0, cache, locks, **core)
        if rng.random() < 0.1:
            await bench.clock(1, IDLE, skip=0 if bench.packed else rng.randrange(1000))
            since = 9


@cocotb.test()
@cocotb.parametrize(latency=[1, 37])
async def random_history(dut, latency):
    """Everything at once against the model, clears in between."""
    seed = int(os.environ.get("MCPI_SEED", "1996"))
    rng, delays = random.Random(seed), random.Random(seed + 1)
    bench = await CoherentBench.started(dut, latency=lambda: delays.randint(1, latency))
    bench.story = 1
    for i, action in enumerate((OPEN, CLOSE, OPEN, CLOSE)):
        bench.compare(i, 4 * 7 * i, action)
    for round_ in range(4):
        await random_ticks(bench, rng, 500)
        await bench.control("snapshot", settle=False)
        models = [dict(bank) for bank in (bench.everything, bench.path)]
        cells = dict(bench.cells)
        await random_ticks(bench, rng, 5)
        await bench.settle()
        for bank, model in zip(await bench.read(), models, strict=True):
            check_sums(bank)
            late = ("clocks", "withheld")
            differ = {k: (v, model[k]) for k, v in bank.items() if v != model[k] and k not in late}
            assert not differ, f"round {round_}: {differ}; again: MCPI_SEED={seed}"
        assert all(models[0][name] for name in (*OURS, "owner.bus_wait"))
        assert models[1]["ticks"] > 0
        assert await bench.read_cells() == cells
        if round_ == 1:
            await bench.control("clear")
    assert sum(n for (_, owner), n in cells.items() if owner == bench.owners.index("bus_wait")) > 0
    assert not bench.error()
