# SPDX-License-Identifier: BSD-2-Clause
"""Windows beyond the path, and the table that counts all of them (counters.md)."""

import itertools
import os
import random
from pathlib import Path

import cocotb
import pytest
from rtl_support.counters_bench import (
    CELLS,
    CLOSE,
    COMPARATORS,
    HOLD,
    IDLE,
    INVOCATION,
    ISSUE,
    LOAD_USE,
    OPEN,
    OWNERS,
    PATH,
    PAUSE,
    PROBE,
    RESUME,
    SPIN,
    WINDOWS,
    Bench,
)

from mcpi.hdl.cocotb_run import elaborate, run_cocotb, simulate
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, planted

BLOCKS = ("CountersSmall", "CountersPacked")
MUTANTS = load(Path(__file__).with_name("window_mutants.csv"))
USUAL = 4  # one of so many mutants


@pytest.mark.long
@pytest.mark.parametrize("block", BLOCKS)
def test_windows(block):
    run_cocotb(__file__, block)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    verilog = elaborate("CountersSmall")
    return planted(verilog, MUTANTS, tmp_path_factory.mktemp("mutants"))


def perform(verilog: Path, test: str) -> None:
    file, _, coroutine = test.rpartition(".")
    simulate(verilog, Path(__file__).with_stem(file) if file else Path(__file__), coroutine)


def is_usual(number: int) -> bool:
    return number % USUAL == 2


@pytest.mark.parametrize("number", sampled(range(1, len(MUTANTS) + 1), is_usual))
def test_a_mistake_is_found(faulty, monkeypatch, number):
    mutant = MUTANTS[number - 1]
    monkeypatch.setenv(VARIABLE, str(number))
    with pytest.raises((AssertionError, SystemExit)):  # the next test shows that it can be run
        perform(faulty, *mutant.tests)


TESTS = sorted({test for one in MUTANTS for test in one.tests})
SHORT = {test for n, one in enumerate(MUTANTS, 1) if is_usual(n) for test in one.tests}


@pytest.mark.parametrize("test", sampled(TESTS, SHORT.__contains__))
def test_without_a_mistake_it_is_sound(faulty, monkeypatch, test):
    monkeypatch.setenv(VARIABLE, "0")
    perform(faulty, test)


async def copied(bench):
    """The table and both banks of a copy made now; the copy is the model's."""
    await bench.control("snapshot", settle=False)
    cells = dict(bench.cells)
    banks = await bench.read()
    found = await bench.read_cells()
    assert found == cells
    return found, banks


def of(cells, *windows):
    """Ticks of the set of exactly these windows."""
    number = sum(1 << w - 1 for w in windows)
    return sum(n for (set_, cell), n in cells.items() if set_ == number and cell != CELLS - 1)


async def issue(bench, *pcs):
    for pc in pcs:
        await bench.clock(1, ISSUE, pc=pc)


@cocotb.test()
async def boundaries(dut):
    """Boundaries are as the path's: the opening tick counts, the closing one does not."""
    bench = await Bench.started(dut)
    bench.compare(22, 0xFFFF_FC00_0010_0010, OPEN, PROBE)  # KSEG bits do not matter
    bench.compare(23, 0x100030, CLOSE, PROBE)
    await bench.clock(1, LOAD_USE)
    await bench.clock(1, LOAD_USE, pc=0x100010)  # not issued yet
    await bench.clock(0, ISSUE, pc=0x100010)  # no tick
    await bench.clock(1, ISSUE, pc=0x100010)  # the first inside
    await bench.clock(0)
    await bench.clock(1, LOAD_USE)
    await bench.clock(1, ISSUE, pc=0x100030)  # outside
    await bench.clock(1, IDLE)
    cells, (_, path) = await copied(bench)
    probe = 1 << PROBE - 1
    assert {k: n for k, n in cells.items() if k[0]} == {(probe, ISSUE): 1, (probe, LOAD_USE): 1}
    assert of(cells) == 4 and path["ticks"] == 0


@cocotb.test()
async def nested_and_interleaved(dut):
    """Two open at once, one within the other and one across the other's end."""
    bench = await Bench.started(dut)
    for n, (address, action, window) in enumerate([
        (0x10, OPEN, PATH), (0x20, OPEN, SPIN), (0x30, CLOSE, SPIN), (0x40, OPEN, HOLD),
        (0x50, CLOSE, PATH), (0x60, CLOSE, HOLD),
    ]):  # fmt: skip
        bench.compare(n, address, action, window)
    await issue(bench, 0, 0x10, 0, 0x20, 0, 0, 0x30, 0, 0x40, 0, 0, 0, 0x50, 0x60, 0)
    cells, (everything, path) = await copied(bench)
    # Path: 0x10 up to before 0x50; spin lies in it; hold ends after it.
    assert of(cells, PATH) == 2 + 2 and of(cells, PATH, SPIN) == 3
    assert of(cells, PATH, HOLD) == 4 and of(cells, HOLD) == 1 and of(cells) == 3
    assert path["ticks"] == 11 and everything["ticks"] == 15


@cocotb.test()
async def one_instruction_for_all_windows(dut):
    """24 comparators at one address: each window's own, in the order of their numbers."""
    bench = await Bench.started(dut)
    for n in range(COMPARATORS):
        window = WINDOWS[n % 4]
        # The path ends open; spin closed; hold open and paused; probe resumed.
        actions = {
            PATH: (OPEN, CLOSE, OPEN, INVOCATION, PAUSE, RESUME),
            SPIN: (OPEN, PAUSE, RESUME, INVOCATION, INVOCATION, CLOSE),
            HOLD: (PAUSE, OPEN, CLOSE, RESUME, OPEN, PAUSE),
            PROBE: (OPEN, PAUSE, INVOCATION, INVOCATION, INVOCATION, RESUME),
        }
        bench.compare(n, 0x100, actions[window][n // 4], window)
    await issue(bench, 0x100, 0, 0x100, 0x100, 0x100, 0x100, 0x100, 0)
    cells, (_, path) = await copied(bench)
    assert of(cells, PATH, PROBE) == 8 and of(cells) == 0
    invocations = {w: cells.get((1 << w - 1, CELLS - 1), 0) for w in WINDOWS}
    assert invocations == {PATH: 0, SPIN: 12, HOLD: 0, PROBE: 18} and path["invocations"] == 6


@cocotb.test()
async def every_pair_of_actions(dut):
    """At one address, met while closed, open and paused: in each window as in the path."""
    bench = await Bench.started(dut)
    for before in ((), (OPEN,), (OPEN, PAUSE)):
        for first, second in itertools.product(range(6), repeat=2):
            for k, window in enumerate(WINDOWS):
                for n, action in enumerate((*before, 0, 0)[:2]):
                    bench.compare(6 * k + n, 0x10 * (n + 1), action, window)
                bench.compare(6 * k + 2, 0x100, first, window)
                bench.compare(6 * k + 3, 0x100, second, window)
            await bench.control("clear")
            await issue(bench, 0x10, 0x20, 0, 0x100, 0, 0, 0)
            cells, (_, path) = await copied(bench)
            met = (before, first, second)
            assert of(cells, *WINDOWS) == path["ticks"] and of(cells) == 7 - path["ticks"], met
            times = {cells.get((1 << w - 1, CELLS - 1), 0) for w in WINDOWS[1:]}
            assert times == {(first, second).count(INVOCATION)}, met
            assert path["invocations"] == min(1, *times), "the path's comparators count once"


@cocotb.test()
async def off(dut):
    """Without an action or without a window nothing happens."""
    bench = await Bench.started(dut)
    for n, window in enumerate(WINDOWS):
        bench.compare(n, 0x10, 0, window)
        bench.compare(4 + n, 0x10, 1 + n, 0)
    await issue(bench, 0x10, 0, 0)
    cells, _ = await copied(bench)
    assert cells == {(0, ISSUE): 3}


@cocotb.test()
async def frozen_and_cleared(dut):
    """Windows go on while frozen, and count nothing; a clear closes all of them."""
    bench = await Bench.started(dut)
    bench.compare(0, 0x10, OPEN, SPIN)
    bench.compare(1, 0x20, INVOCATION, SPIN)
    bench.compare(2, 0x30, PAUSE, SPIN)
    await bench.control("stop")
    await issue(bench, 0x10, 0x20, 0)
    await bench.control("snapshot")
    assert await bench.read_cells() == {}
    await bench.control("arm")
    await issue(bench, 0x20, 0, 0)
    await bench.control("snapshot")
    spin = 1 << SPIN - 1
    assert await bench.read_cells() == {(spin, ISSUE): 3, (spin, CELLS - 1): 1}
    await issue(bench, 0x30)
    await bench.control("clear")
    await issue(bench, 0, 0x10, 0)
    cells, _ = await copied(bench)
    assert cells == {(0, ISSUE): 1, (spin, ISSUE): 2}, "closed, and not paused either"


@cocotb.test()
async def a_clear_among_ticks(dut):
    """Ticks in the pipe are cleared as in the banks, so that the owners agree."""
    bench = await Bench.started(dut)
    bench.compare(0, 0x10, OPEN, SPIN)
    bench.compare(1, 0x10, OPEN, PATH)
    for at in range(2, 7):
        for pc in range(7):
            for n in range(7):
                dut.control_clear.value = int(n == at)
                await bench.clock(1, ISSUE, pc=0x10 if n == pc else 0)
            dut.control_clear.value = 0
            await bench.control("snapshot")
            everything, path = await bench.read()
            cells = await bench.read_cells()
            met = f"cleared in tick {at}, opened by tick {pc}"
            assert of(cells, SPIN, PATH) == path["ticks"], met
            assert of(cells) + path["ticks"] == everything["ticks"], met
            await bench.control("clear")


@cocotb.test()
async def automatic_copy(dut):
    """It holds the tick of the marker and nothing after it, though ticks are on their way."""
    bench = await Bench.started(dut)
    bench.compare(0, 0x100, INVOCATION, PATH)
    bench.compare(1, 0x40, OPEN, HOLD)
    bench.compare(2, 0x100, CLOSE, HOLD)
    bench.compare(3, 0x100, OPEN, HOLD)
    bench.compare(4, 0x100, INVOCATION, HOLD)
    dut.autosnapshot.value = 2
    await issue(bench, 0, 0x40, 0, 0x100, 0, 0, 0x100)
    wanted = dict(bench.cells)
    await issue(bench, 0, 0x100, 0, 0)  # as many as time lets pass before it stands still
    assert await bench.read_cells() == wanted
    hold = 1 << HOLD - 1
    assert wanted == {(0, ISSUE): 1, (hold, ISSUE): 6, (hold, CELLS - 1): 2}
    await copied(bench)  # a copy disturbs nothing


@cocotb.test()
async def a_cold_start_opens_the_path_alone(dut):
    bench = await Bench.started(dut)
    for n, window in enumerate(WINDOWS):
        bench.compare(n, 0x10, OPEN, window)
    bench.compare(4, 0x20, CLOSE, PATH)
    await issue(bench, 0x10, 0)
    await bench.clock()
    await bench.clock()
    dut.coldStart.value = dut.control_clear.value = dut.control_arm.value = 1
    await bench.clock()
    dut.coldStart.value = dut.control_clear.value = dut.control_arm.value = 0
    await bench.settle()
    await issue(bench, 0, 0, 0x20, 0, 0)
    cells = await bench.read_cells()
    assert cells == {(1, ISSUE): 2, (0, ISSUE): 1}, "copied with the tick that closes"


@cocotb.test()
async def random_history(dut):
    """All comparators at few addresses, any window and action; the table against the model, its
    sums against the banks. Time stands still when too many fire at once, and nothing is lost."""
    seed = int(os.environ.get("MCPI_SEED", "24"))
    dut._log.info(f"MCPI_SEED={seed}")
    rng = random.Random(seed)
    bench = await Bench.started(dut)
    held = overlaps = 0
    for round_ in range(12):
        for n in range(COMPARATORS):
            bench.compare(n, 4 * rng.randrange(1 + round_), rng.randrange(6), rng.choice(WINDOWS))
        for _ in range(400):
            held += int(dut.hold.value)
            owner = rng.choice([ISSUE, ISSUE, ISSUE, rng.randrange(len(OWNERS))])
            await bench.clock(rng.random() < 0.9, owner, pc=4 * rng.randrange(24))
            if not bench.packed and rng.random() < 0.02:
                await bench.clock(1, IDLE, skip=rng.randrange(1000))
        await bench.clock()
        await bench.clock()
        cells, (everything, path) = await copied(bench)
        again = f"round {round_}; again: MCPI_SEED={seed}"
        for k, owner in enumerate(OWNERS):
            sums = [sum(cells.get((s, k), 0) for s in range(first, 16, step))
                    for first, step in ((0, 1), (1, 2))]  # fmt: skip
            assert sums == [bank[f"owner.{owner}"] for bank in (everything, path)], again
        overlaps += sum(of(cells, *some) > 0 for some in itertools.combinations(WINDOWS, 2))
        if rng.random() < 0.3:
            await bench.control("clear")
    assert held > 0 and overlaps > 12
