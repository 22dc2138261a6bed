# SPDX-License-Identifier: BSD-2-Clause
"""The interval timer against a few lines of Python, with idle ticks skipped and not."""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

from mcpi.hdl.cocotb_run import run_cocotb


def test_timer():
    run_cocotb(__file__, "Timer", settings={"timer.hz": "50000"})


class Model:
    """Model of the timer, tick by tick, from docs and rtl/node/Timer.scala's first lines."""

    def __init__(self, phase: int, period: int):
        self.ticks, self.line, self.next, self.period = 0, 0, phase, period

    def tick(self, enable: int, acknowledge: int) -> None:
        self.ticks += 1
        if acknowledge:
            self.line = 0
        if self.ticks == self.next:
            self.next += self.period
            self.line = self.line or enable


async def clock(dut) -> None:
    dut.clk.value = 0
    await Timer(1, "ns")
    dut.clk.value = 1
    await Timer(1, "ns")


async def history(dut, rng: random.Random, phase: int, skips: bool) -> None:
    machine = json.loads(Path(os.environ["MCPI_MACHINE_JSON"]).read_text())["parameters"]
    period = round(machine["clock.ticks_per_us"] * 1_000_000 / machine["timer.hz"])
    assert period == 3500
    dut.io_phase.value, dut.io_tick.value, dut.io_skip.value = phase, 0, 0
    dut.reset.value = 1  # without a tick, as while a machine is held
    await clock(dut)
    dut.reset.value = 0
    model = Model(phase, period)
    clocks = rises = 0
    while model.ticks < 10 * period:
        enable, acknowledge = int(rng.random() < 0.9), int(rng.random() < (0.7 if skips else 0.1))
        dut.io_tick.value = tick = int(rng.random() < 0.8)
        dut.io_enable.value, dut.io_acknowledge.value = enable, acknowledge
        dut.clk.value = 0
        await Timer(1, "ns")
        alone = int(dut.io_nextEvent.value)
        assert alone == min(model.next - model.ticks - 1, 0xFFFF), "ticks that only count"
        skip = 0
        if skips and tick and alone > 1:
            skip = rng.choice([0, alone - 1, rng.randrange(alone)])
        dut.io_skip.value = skip
        await clock(dut)
        clocks += 1
        before = model.line
        for _ in range(tick * (skip + 1)):
            model.tick(enable, acknowledge)
        rises += model.line > before
        assert int(dut.io_interrupt.value) == model.line, f"tick {model.ticks}"
        assert int(dut.io_ticks.value) == model.ticks
    assert rises > 3 and (not skips or clocks < 5 * period)


@cocotb.test()
async def against_the_model(dut):
    seed = int(os.environ.get("MCPI_SEED", "1996"))
    dut._log.info(f"again: MCPI_SEED={seed} ./mcpi test -k test_timer")
    rng = random.Random(seed)
    for phase in (1, 2, 3, 3500, 9000):
        await history(dut, rng, phase, skips=False)
        await history(dut, rng, phase, skips=True)
