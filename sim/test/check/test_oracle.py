# SPDX-License-Identifier: BSD-2-Clause
"""The counters against the recount and the memory model, TCP on many machines: no difference. The
exact engine leaves the same files."""

import random
import re
from collections import Counter

import pytest
from sim_support import lock_cases
from sim_support.oracle_bench import (
    ACTING,
    COMPARED,
    SEED,
    VICTIMS,
    acting,
    check_agreement,
    check_exact,
)
from sim_support.simulators import build, counters, guests, machine_json, simulate, window

from verify.long_tests import sampled
from verify.random import inputs, program
from verify.random.inputs import drawn


@pytest.fixture(scope="module")
def consult(tmp_path_factory):
    """consult(elaborated, acting, option...): what the simulator said; it is built for the settings
    `elaborated`, and runs with `acting` on top, with TCP or with another pair of PALcode and image.
    """

    def one(elaborated: dict, acting: dict, *options: str, trips: int = 1, items=()):
        folder = tmp_path_factory.mktemp("oracle")
        machine, built = machine_json(folder, elaborated | acting), build(elaborated)
        items = (f"boot.round_trips={trips}", *items)
        done = simulate(built, folder / "rtl", machine, *options, items=items)
        done.out = folder / "rtl"
        if "--node" not in options:  # no register holds what the machine does not say
            check_exact(built, done.out, machine, *options, items=items)
        return done

    return one


@pytest.mark.parametrize(
    "options", [(), ("--cold",), ("--backing-latency", "1-60")], ids=["plain", "cold", "slow"]
)
def test_the_papers_machine(consult, options):
    check_agreement(consult({}, {}, *options, trips=2), options)


def test_a_translated_machine_whose_code_is_in_kseg(consult):
    """The memory model predicts it too, as long as nothing is mapped."""
    machine = {"core.translation": "tlb", "tlb.data_entries": "4", "tlb.instruction_entries": "4"}
    check_agreement(consult(machine, {}), "translated")


@pytest.mark.parametrize("number", sampled(range(3), (0).__eq__))
def test_random_timing(consult, number):
    settings = acting(random.Random(f"{SEED} {number}"))
    check_agreement(consult({}, settings), settings)


@pytest.mark.long
@pytest.mark.parametrize("ways", ["2, 4", "4, 2"])
def test_caches_with_ways(consult, ways):
    """Every counter, `fetch.fill_words` too, which no log of ticks has. Ways of the I-cache, and of
    the D-cache."""
    code, data = ways.split(", ")
    shape = {"icache.ways": code, "dcache.ways": data}
    check_agreement(consult(shape, {}, "--cold", trips=3), shape)
    settings = acting(random.Random(f"{SEED} {code} {data}"))
    check_agreement(consult(shape, settings, "--backing-latency", "1-60"), settings)
    done = consult(shape, {"core.prediction": "ev4"}, trips=3)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("number", range(3))
def test_victim_caches(consult, number):
    """Try victims of both caches, with TCP."""
    rng = random.Random(f"{SEED} victims {number}")
    shape = drawn(VICTIMS, rng)
    check_agreement(consult(shape, {}, "--cold", trips=3), shape)
    settings = acting(rng)
    check_agreement(consult(shape, settings, "--backing-latency", "1-60"), settings)


IDEAL = {"memory.ideal": "on"}
OFF = {  # what is counted, and as often, if this part is off
    "dcache.enable": ("dcache.misses", "dcache.accesses"),
    "bcache.enable": ("bcache.misses", "bcache.accesses"),
    "write_buffer.enable": ("write_buffer.writes", "write_buffer.accesses"),
}


@pytest.mark.parametrize("key", sampled(OFF, "dcache.enable".__eq__))
def test_a_part_that_is_off(consult, key):
    """Hardware and model agree; every access is a miss, every store a write of its own."""
    done = consult({}, {key: "off"})
    check_agreement(done, key)
    for node in counters(done.out):
        counted = node["all"]
        one, other = (counted[name] for name in OFF[key])
        assert abs(one - other) <= (key == "write_buffer.enable")  # a store as counting began
        assert one > 100
        assert counted["write_buffer.merges"] == 0 or key != "write_buffer.enable"
        assert counted["bcache.victims"] == 0 or key != "bcache.enable"


def test_an_i_cache_of_one_block(consult):
    """Off, it keeps the block that came last: a miss for each block entered from another, so no
    fewer than one for eight instructions, and more than with the cache."""
    done = consult({}, {"icache.enable": "off"})
    check_agreement(done, "icache.enable")
    for node in counters(done.out):
        assert node["path"]["icache.misses"] > node["path"]["icache.accesses"] / 8


def test_ideal_memory_is_recounted(consult):
    """The memory model is silent then; only what owners and retirements tell is compared."""
    check_agreement(consult({}, IDEAL), "ideal", compared=60)


@pytest.mark.parametrize(
    ("register", "value", "counter"),
    [
        ("write_buffer.drain_at", 3, "write_buffer.merges"),
        ("bcache.dma_ticks", 11, "bus.dma_ticks"),
        ("core.taken_penalty", 5, "icache.stream_hits|bus|bcache|write_buffer"),
        ("code_window", 0, "fetch.words"),
    ],
)
def test_a_machine_that_is_not_what_it_says_is_found(consult, register, value, counter):
    """The hardware does something else than the models believe: they must contradict it."""
    done = consult({}, {}, "--node", f"0:register.{register}={value}")
    assert done.returncode == 1
    assert "oracle: node 0: the counters are not what they should be" in done.stderr
    assert re.search(rf"^  ({counter})", done.stderr, re.M), done.stderr


@pytest.mark.parametrize("name", lock_cases.CASES)
def test_store_conditional(consult, tmp_path, name):
    """Each way STx_C comes to its decision (core.md, Locks), alone in its window."""
    check_agreement(consult({}, {}, items=lock_cases.items(name, tmp_path)), name)


@pytest.mark.parametrize("name", lock_cases.CASES)
def test_store_conditional_under_ideal_memory(consult, tmp_path, name):
    """It is counted, and takes as many ticks."""
    done = consult({}, IDEAL, "--tick-log", "0", items=lock_cases.items(name, tmp_path))
    check_agreement(done, name, compared=60)


@pytest.mark.parametrize("number", sampled(range(4), (1).__eq__))
def test_store_conditional_on_random_timing(consult, tmp_path, number):
    """The window closes while the write is on the bus, so that a tick too early is counted."""
    rng = random.Random(f"{SEED} locks {number}")
    for name in rng.sample(list(lock_cases.CASES), 6):
        settings = acting(rng)
        done = consult({}, settings, items=lock_cases.items(name, tmp_path))
        check_agreement(done, (name, settings))


@pytest.mark.parametrize("dma", sampled([1, 3, 10], (3).__eq__))
@pytest.mark.parametrize("buffer", ["on", "off"])
def test_store_conditional_among_dma(consult, tmp_path, dma, buffer):
    """Received frames fall into lock pairs: some lose their flag, and the oracle knows when."""
    pal, image = guests("lockdma", tmp_path)
    marked = window(image.removeprefix("image="), tmp_path)
    settings = {"bcache.dma_ticks": str(dma), "write_buffer.enable": buffer}
    done = consult({}, settings, items=(pal, image, marked))
    check_agreement(done, settings)
    lost = int.from_bytes((done.out / "console.1.txt").read_bytes(), "little")
    assert 20 < lost <= 150, "blocks of three frames"


@pytest.mark.parametrize(
    "number", [6, *(pytest.param(n, marks=pytest.mark.long) for n in range(6))]
)
def test_random_programs_under_ideal_memory(consult, tmp_path, number):
    """Time also stands still while the counters are cleared; no tick of 6's STx_C may show that."""
    settings = IDEAL | acting(random.Random(f"{SEED} program {number}"))
    elf = program.build(1000 * SEED + number, tmp_path, node=True)
    items = (f"pal={elf}", f"image={elf}")
    check_agreement(consult({}, settings, "--seed", str(number), items=items), number, compared=60)


MANY = 40
PREDICTION = {"core.prediction": inputs.Choice(("paper", "ev4"))}


def of_program(number: int) -> dict[str, str]:
    """Its machine: the paper's, or any times, every fourth in ev4 mode."""
    mode = {"core.prediction": "ev4"} if number % 4 == 2 else {}
    return mode | (acting(random.Random(f"{SEED} program {number}")) if number else {})


@pytest.mark.long
def test_random_programs_of_a_node_fill_every_bin():
    """Each piece of a program, each value of a machine; how often is printed."""
    total = Counter()
    for number in range(MANY):
        total += program.met(1000 * SEED + number, node=True)
        total += inputs.met({"core.prediction": "paper"} | of_program(number), ACTING, PREDICTION)
    names = [*inputs.bins(ACTING, PREDICTION), *program.bins(node=True)]
    print(inputs.report(names, total))
    assert not inputs.holes(names, total)


@pytest.mark.parametrize(
    "number", [n if n < 3 else pytest.param(n, marks=pytest.mark.long) for n in range(MANY)]
)
def test_random_programs(consult, tmp_path, number):
    """Traps, lock pairs, PAL mode, code that changes itself; windows, pauses and clears anywhere.
    The first is on the paper's machine. The memory model is silent in ev4 mode."""
    settings = of_program(number)
    elf = program.build(1000 * SEED + number, tmp_path, node=True)
    options = ["--seed", str(number), *(["--backing-latency", "1-60"] if number % 4 == 3 else [])]
    done = consult({}, settings, *options, items=(f"pal={elf}", f"image={elf}"))
    check_agreement(done, (number, settings), 60 if "core.prediction" in settings else COMPARED)


WAYS = [  # with blocks of 128 bytes there are two sets
    {"icache.size": "1KB", "icache.ways": "2", "dcache.size": "1KB", "dcache.ways": "4"},
    {"icache.size": "2KB", "icache.ways": "4", "dcache.size": "1KB", "dcache.ways": "2"},
    {"icache.size": "1KB", "icache.ways": "4", "dcache.size": "1KB", "dcache.ways": "4"},
]
WAYS[1]["cache.block"], WAYS[2]["cache.block"] = "16B", "128B"
MODES = [{}, {"core.prediction": "ev4"}, IDEAL, IDEAL | {"core.prediction": "ev4"}]


@pytest.mark.long
@pytest.mark.parametrize("number", range(24))
def test_random_programs_in_small_caches_with_ways(consult, tmp_path, number):
    """Paper and ev4 mode, real and ideal memory."""
    settings = acting(random.Random(f"{SEED} ways {number}")) | MODES[number // 3 % 4]
    elf = program.build(1000 * SEED + 500 + number, tmp_path, node=True)
    items = (f"pal={elf}", f"image={elf}")
    done = consult(WAYS[number % 3], settings, "--seed", str(number), items=items)
    check_agreement(done, (number, settings), compared=60)


SMALL_VICTIMS = [  # blocks and ticks of I- and D-cache
    {"icache.victims": "4", "icache.victim_ticks": "1", "dcache.victims": "4"},
    {"icache.victims": "16", "dcache.victims": "1", "dcache.victim_ticks": "15"},
]


@pytest.mark.long
@pytest.mark.parametrize("number", range(16))
def test_random_programs_with_victim_caches(consult, tmp_path, number):
    """The same modes; in caches of 1 KB."""
    settings = acting(random.Random(f"{SEED} victims {number}")) | MODES[number // 2 % 4]
    elf = program.build(1000 * SEED + 700 + number, tmp_path, node=True)
    items = (f"pal={elf}", f"image={elf}")
    shape = {"icache.size": "1KB", "dcache.size": "1KB"} | SMALL_VICTIMS[number % 2]
    done = consult(shape, settings, "--seed", str(number), items=items)
    check_agreement(done, (number, settings), compared=60)
