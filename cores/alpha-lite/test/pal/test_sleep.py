# SPDX-License-Identifier: BSD-2-Clause
"""Wait for interrupt: idle ticks left out change nothing, whatever was under way at its start."""

import os
import random

import cocotb

from mcpi.cocotb.core import DATA, HALT, Bench
from mcpi.hdl.cocotb_run import run_cocotb

SLEEP = "lda $1, 1($31)\nhw_mtpr $1, 0x3f\n"  # until source 0
# Work that is still going on when the processor falls asleep.
BEFORE = {
    "nothing": "",
    "stores": "stq $2, 0($8)\nstq $2, 64($8)\n",
    "one store": "stq $2, 0($8)\n",
    "store and barrier behind": "stq $2, 0($8)\n",
    "load": "ldq $3, 256($8)\n",
    "multiply": "mulq $2, $2, $3\n",
    "multiply for nobody": "mulq $2, $2, $31\n",
    "block's end": "\n".join(["bis $31, $31, $31"] * 5) + "\n",
    "page's end": "br $31, .Lend\n.org 0x1ff0\n.Lend: bis $31, $31, $31\n",
}
AFTER = {"store and barrier behind": "mb\n"}
WAKE = "rpcc $5\nstq $5, 128($8)\nldq $6, 256($8)\nmulq $6, $5, $7\nrpcc $4\n"


def test_sleep():
    run_cocotb(__file__, "AlphaLite")


async def run(dut, name: str, wake: int, skipping=None, **switches) -> Bench:
    """Sleeps until tick ``wake``; twice, since the second time everything is in the caches."""
    b = Bench(dut, skipping=skipping)
    body = BEFORE[name] + SLEEP + AFTER.get(name, "") + WAKE
    b.load(f"lda $2, 77($31)\nldah $8, {DATA >> 16}($31)\n{body}{HALT}")
    await b.start(**switches)
    b.next_input = wake
    while not int(dut.halted.value):
        dut.interrupts.value = int(len(b.ticks) >= wake)
        if len(b.ticks) >= wake:
            b.next_input = wake + 5000
        await b.step()
        assert b.clocks < 20000, f"{name}: no end"
    await b.steps(60, record=False)
    dut.interrupts.value = 0
    return b


def issues(b: Bench) -> list[tuple[int, str, int]]:
    """Every tick's owner; the program counter of those in which something issues."""
    return [(n, t.owner, t.pc * (t.owner == "issue")) for n, t in enumerate(b.ticks)]


@cocotb.test()
async def skipping_changes_nothing(dut):
    seed = int(os.environ.get("MCPI_SEED", "1996"))
    rng = random.Random(seed)
    for name in BEFORE:
        for ideal in (0, 1):
            wake = rng.randrange(400, 1200)
            switches = {"ideal": ideal, "idleTicks": rng.choice([1, 100, 256, 1000])}
            plain = await run(dut, name, wake, **switches)
            assert plain.owners()["idle"] > 100
            for _ in range(3):
                other = await run(dut, name, wake, rng, **switches)
                again = f"{name}, {switches}; again: MCPI_SEED={seed} ./mcpi test -k test_sleep"
                assert issues(other) == issues(plain), again
                for what in ("retired", "transactions", "io_log", "memory", "events"):
                    assert getattr(other, what) == getattr(plain, what), f"{what}: {again}"
                assert other.clocks < plain.clocks - 50, f"nothing was skipped: {again}"


@cocotb.test()
async def halted_is_for_ever(dut):
    b = Bench(dut)
    b.load(HALT)
    await b.start()
    await b.run()
    assert int(dut.nextEvent.value) == 0xFFFF
    dut.interrupts.value = 1  # HIRR follows in the tick after, then there is nothing to see
    await b.steps(2, record=False)
    assert int(dut.nextEvent.value) == 0xFFFF
