# SPDX-License-Identifier: BSD-2-Clause
"""The core with victim caches (memory.md): which blocks they have, against a few lines of Python;
what a victim hit costs; who drops a victim, and when. Mistakes in the Verilog, which these tests
or random programs in lock-step find."""

import random
from collections import Counter

import cocotb
from core_support import mutants as core_mutants
from core_support.stall_bench import run, twice

from mcpi.cocotb.core import DATA, HALT, PAL, Bench
from mcpi.hdl import cocotb_run
from mcpi.hdl.cocotb_run import run_cocotb

PLACES, I_TICKS, D_TICKS = 2, 4, 3
SETTINGS = {
    "icache.victims": str(PLACES),
    "icache.victim_ticks": str(I_TICKS),
    "dcache.victims": str(PLACES),
    "dcache.victim_ticks": str(D_TICKS),
}
# Small caches, in which all displace each other, and DMA all the while.
NARROW = {
    f"{cache}.{key}": value
    for cache in ("icache", "dcache")
    for key, value in (("size", "1KB"), ("victims", "2"))
} | {"cache.block": "16B"}
CACHE, BLOCK = 0x2000, 32
A, B, C = (0x100 + CACHE * n for n in range(3))  # one set of the D-cache


def test_victims():
    run_cocotb(__file__, "AlphaLite", settings=SETTINGS)


def test_a_core_without_victims_has_nothing_of_them():
    """Nor do their times change it."""
    with_them = cocotb_run.elaborate("AlphaLite", settings=SETTINGS).read_text()
    texts = []
    for ticks in ("2", "15"):
        times = {f"{cache}.victim_ticks": ticks for cache in ("icache", "dcache")}
        texts.append(cocotb_run.elaborate("AlphaLite", settings=times).read_text())
    assert texts[0] == texts[1]
    for word in ("VictimCache", "DCacheWithVictims", "VictimHit", "displaced_number"):
        assert word in with_them and word not in texts[0], word


class Model:
    """A direct-mapped cache and its victims, the youngest first."""

    def __init__(self) -> None:
        self.there: dict[int, int] = {}
        self.victims: list[int] = []
        self.hits, self.asked = 0, []

    def use(self, address: int) -> None:
        block, index = address // BLOCK, address % CACHE // BLOCK
        if (old := self.there.get(index)) == block:
            return
        if block in self.victims:
            self.victims.remove(block)
            self.hits += 1
        else:
            self.asked.append(block * BLOCK)
        if old is not None:
            self.victims = [old, *self.victims][:PLACES]
        self.there[index] = block

    def drop(self, address: int) -> None:
        block, index = address // BLOCK, address % CACHE // BLOCK
        if self.there.get(index) == block:
            del self.there[index]
        self.victims = [victim for victim in self.victims if victim != block]


def asked(b: Bench, kind: str) -> list[int]:
    return [address for _, of, address in b.transactions if of == kind]


def loads(*offsets: int) -> str:
    return "".join(f"ldq $5, {offset}($30)\n" for offset in offsets)


BASE = f"ldah $30, {DATA >> 16}($31)\n"


@cocotb.test()
async def data_at_random(dut):
    """Loads, LDx_L, stores and STx_C of five blocks in each of two sets: every value, and every
    block that the bus is asked for."""
    rng = random.Random(1)
    at = [BLOCK * line + CACHE * n for line in (3, 4) for n in range(4)]
    model, source, values, want = Model(), BASE, {}, []

    def setup(b: Bench) -> None:
        for offset, value in first.items():
            b.put(DATA + offset, value)

    first = {offset + 8 * n: rng.randrange(1 << 62) for offset in at for n in range(4)}
    values.update(first)
    for n in range(260):
        offset = rng.choice(at) + 8 * rng.randrange(4)
        what = rng.choice(["ldq"] * 5 + ["ldq_l", "stq", "stq", "stq_c"])
        if what == "stq":
            source += f"lda $2, {n}($31)\nstq $2, {offset}($30)\n"
            values[offset] = n
        else:
            model.use(DATA + offset)
            want.append(values[offset])
            source += f"{'ldq' if what == 'ldq' else 'ldq_l'} $1, {offset}($30)\n"
        if what == "stq_c":
            source += f"lda $3, {n}($31)\nstq_c $3, {offset}($30)\n"
            values[offset] = n
            model.drop(DATA + offset)
    b = await run(dut, source, setup=setup)
    assert [r.value for r in b.retired if r.register == 1] == want
    assert asked(b, "load") == model.asked
    assert b.events["dVictimHit"] == model.hits > 40
    assert b.events["dMiss"] == len(model.asked) > 40


@cocotb.test()
async def what_a_victim_hit_costs(dut):
    """Its user waits as for a miss (d_miss), so do loads, stores (memory_port) and barriers."""
    hit = f"ldq $1, {A}($30)\n"
    for body, want in (
        (f"{hit}addq $1, 1, $2", Counter(issue=2, d_miss=D_TICKS)),
        (f"{hit}addq $3, 1, $2\naddq $1, 1, $2", Counter(issue=3, d_miss=D_TICKS - 1)),
        (f"{hit}lda $1, 1($31)", Counter(issue=2, d_miss=D_TICKS)),
        (f"{hit}ldq $2, 0x200($30)", Counter(issue=2, memory_port=D_TICKS)),
        (f"{hit}stq $2, 0x200($30)", Counter(issue=2, memory_port=D_TICKS)),
        (f"{hit}mb", Counter(issue=2, barrier=D_TICKS)),
        (f"{hit}addq $3, 1, $2", Counter(issue=2)),
        # A store's bytes are in the victim: no need to wait for the write buffer.
        (f"stq $29, {A}($30)\n{hit}addq $1, 1, $2", Counter(issue=3, d_miss=D_TICKS)),
    ):
        got = await twice(dut, body, before=loads(0x200, A, B) + "mb\n")
        assert got == want, (body, got)


@cocotb.test()
async def both_off_and_ideal(dut):
    source = BASE + loads(A, B, A, C, B, A)
    b = await run(dut, source)
    assert b.events["dVictimHit"] == 3
    for switches in ({"dCacheOn": 0}, {"ideal": 1}):
        b = await run(dut, source, **switches)
        assert b.events["dVictimHit"] == 0 and b.events["dMiss"] == 6, switches


async def with_drop(dut, source: str, block: int, at: int | None) -> tuple[Bench, list[int]]:
    """DMA writes 77 into the block's first word in tick ``at``; and the ticks of victim hits."""
    b, hits = Bench(dut), []
    b.load(source + HALT)
    b.put(block, 11)
    await b.start()
    while not int(dut.halted.value):
        before, drops = b.events["dVictimHit"], len(b.ticks) == at
        if drops:
            b.put(block, 77)
        await b.step(invalidate=block if drops else None)
        if b.events["dVictimHit"] > before:
            hits.append(len(b.ticks) - 1)
    await b.steps(30, record=False)
    return b, hits


@cocotb.test()
async def dma_drops_a_victim(dut):
    """Before its hit: it is gone. While it comes back: the load gets it, and it is gone then."""
    load = f"ldq $1, {A}($30)\nmb\n"
    source = BASE + loads(A, B) + "mb\n" + load * 2
    _, [hit] = await with_drop(dut, source, DATA + A, None)
    for at in range(hit - 4, hit + D_TICKS + 2):
        b, _ = await with_drop(dut, source, DATA + A, at)
        values = [r.value for r in b.retired if r.register == 1]
        assert values == [77 if at < hit else 11, 77], (at - hit, values)
        assert b.events["dVictimHit"] == (at >= hit), at - hit
        assert asked(b, "load") == [DATA + A, DATA + B, DATA + A], at - hit


@cocotb.test()
async def dma_drops_a_block_while_it_is_displaced(dut):
    """In whichever tick around the fill: it is neither in the cache nor among the victims."""
    source = BASE + loads(A, B) + f"mb\nldq $5, {A}($30)\nmb\n" + f"ldq $1, {B}($30)\nmb\n"
    _, [before, hit] = await with_drop(dut, source, DATA + C, None)  # of A, of B
    for at in range(before, hit + 1):
        b, _ = await with_drop(dut, source, DATA + B, at)
        values = [r.value for r in b.retired if r.register == 1]
        assert values == [77 if at < hit else 11], (at - hit, values)
        assert asked(b, "load") == [DATA + A, DATA + B] + [DATA + B] * (at < hit), at - hit


CODE = PAL + 0x4000 + 0x400  # functions, in one set of the I-cache


def call(address: int) -> str:
    """Its code may not be in the set of functions."""
    low = (address + 0x8000) % 0x10000 - 0x8000
    return f"ldah $27, {address - low >> 16}($31)\nlda $27, {low}($27)\njsr $26, ($27), 0\n"


def functions(b: Bench, *places: int) -> None:
    for place in places:
        b.load("addq $4, 1, $4\njmp $31, ($26), 0\n", place)


@cocotb.test()
async def code_at_random(dut):
    """Calls of four functions in each of two sets: every block that the bus is asked for."""
    rng = random.Random(2)
    places = [CODE + BLOCK * 2 * line + CACHE * n for line in range(2) for n in range(4)]
    called = [rng.choice(places) for _ in range(80)]
    model = Model()
    for place in called:
        model.use(place)
    source = "lda $4, 0($31)\n" + "".join(map(call, called))
    assert len(called) * 12 < 0x400
    for stutter in (None, random.Random(3)):
        b = await run(
            dut, source, setup=lambda b: functions(b, *places), stutter=stutter, prefetch=0
        )
        assert b.registers()[4] == len(called)
        fetched = [address for address in asked(b, "fetch") if address >= CODE]
        assert fetched == model.asked and b.events["iVictimHit"] == model.hits > 15
        lines = len(asked(b, "fetch")) - len(fetched)
        demanded = 10 * (lines + len(fetched)) + I_TICKS * model.hits
        assert b.owners()["i_demand"] == demanded


@cocotb.test()
async def the_stream_buffer_hears_nothing(dut):
    """A victim hit neither uses up nor fetches a next block, and the block is not a miss."""
    places = [CODE + CACHE * n for n in range(2)]
    nop = "bis $31, $31, $31\n"
    source = "".join(map(call, places)) + nop * 2  # a block
    source += "mull $31, 3, $2\naddq $2, 1, $2\n" + call(places[0]) + nop * 12
    b = await run(dut, source, setup=lambda b: functions(b, *places))
    assert b.events["iVictimHit"] == 1
    assert [r.pc & ~3 for r in b.retired if r.i_miss].count(places[0]) == 1
    # The block behind the call was there before it, and is there after it.
    assert asked(b, "prefetch").count(PAL + 2 * BLOCK) == 1
    assert PAL + 2 * BLOCK not in asked(b, "fetch")
    assert asked(b, "prefetch").count(places[0] + BLOCK) <= 1
    assert len(asked(b, "fetch")) + b.events["iStreamHit"] == b.events["iMiss"]


@cocotb.test()
async def flushed_code(dut):
    """FLUSH_IC empties the victims."""
    places = [CODE + CACHE * n for n in range(2)]
    source = "".join(map(call, places)) + "hw_mtpr $31, 0x55\n" + call(places[0])
    b = await run(dut, source, setup=lambda b: functions(b, *places))
    assert b.events["iVictimHit"] == 0
    b = await run(dut, source.replace("0x55", "0x80"), setup=lambda b: functions(b, *places))
    assert b.events["iVictimHit"] == 1


@cocotb.test()
async def a_victim_in_the_tick_of_a_flush(dut):
    """It still comes, and stays; the others are gone."""
    after, other = CODE + BLOCK, CODE + BLOCK + CACHE

    def setup(b: Bench) -> None:
        b.load("bne $2, .+68\n" + "addq $4, 1, $4\n" * 6 + "hw_mtpr $31, 0x55\n", CODE)
        functions(b, after, CODE + 0x44, other)

    source = (
        "lda $4, 0($31)\nlda $2, 1($31)\n"
        + call(after)
        + call(other)
        + call(CODE)
        + "lda $2, 0($31)\n"
    )
    b = await run(dut, source + call(CODE) + call(after) + call(other), setup=setup, prefetch=0)
    assert b.registers()[4] == 0 + 3 + 6 + 3
    assert b.events["iVictimHit"] == 1
    assert asked(b, "fetch").count(after) == 1
    assert asked(b, "fetch").count(other) == 2


@cocotb.test()
async def a_cold_start_empties_both(dut):
    """Before the second of two equal rounds: nothing of the first is there."""
    places = [CODE + CACHE * n for n in range(2)]
    once = loads(A, B) + "".join(map(call, places)) + "mb\n"
    cold = PAL + 4 * (1 + once.count("\n"))
    for wanted in (0, 1):
        b = Bench(dut)
        functions(b, *places)
        b.load(BASE + once + loads(A) + call(places[0]) + HALT)
        await b.start(coldPc_valid=wanted, coldPc_payload=cold)
        while not int(dut.halted.value):
            started = int(dut.events_coldStart.value)
            await b.step()
            if started:
                dut.coldPc_valid.value = 0
        hits = b.events["dVictimHit"], b.events["iVictimHit"]
        assert hits == ((0, 0) if wanted else (1, 1)), (wanted, hits)


program, test_none_without_a_mistake, test_a_mistake_is_found = core_mutants.tests(
    __file__, NARROW, {"core.prediction": "ev4"}, 300_000, directed=SETTINGS
)
