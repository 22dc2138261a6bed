# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP behind AXI4 and MII: frames each way in bursts, and memory that fails or is silent."""

import os

import cocotb
from lance_support.axi_bench import AXI4
from lance_support.part_bench import ENP, IRQ, STATUS, STP, Part

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("axi4", "mii")
SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_axi4():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def registers(dut):
    await Part(dut, SEED, bus=AXI4).answers_registers()


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(slowest=[0, 3])
async def frames_each_way(dut, slowest):
    part = Part(dut, SEED, slowest=slowest, bus=AXI4)
    await part.reset()
    await part.start()
    for size in (60, 61, 300):
        data = part.frame(size)
        assert await part.sent(data) == STP | ENP
        await part.put(data)
        assert await part.got() == data
    assert {1, 4} <= set(part.memory.bursts) and max(part.memory.bursts) == 4
    assert await part.access(STATUS) & ~(IRQ | 2) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(silent=[False, True], place=["init", "ring", "send", "receive"])
async def memory_that_fails(dut, silent, place):
    """A report and MERR; a burst that is left behind ends before all begins anew."""
    part = Part(dut, SEED, bus=AXI4)
    await part.finds_memory_broken(silent, place)
    assert bool(await part.access(STATUS) & 2) == silent, "the bus still has the burst"
    await part.recovers()
