# SPDX-License-Identifier: BSD-2-Clause
"""Frames one behind the other with half duplex, at 10 Mb/s: the chip does not wait for the end of
its own carrier, which the PHY still has when the chip has sent a frame."""

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from lance_support.part_bench import ENP, STP, Mii, Part

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted

WANTED = Wanted("wishbone", "mii", 50, 10)
SPACING = 24  # nibbles between two frames, 9.6 us


def test_own_carrier():
    run_cocotb(__file__, WANTED.top, MACHINE, WANTED.settings)


async def carrier(dut):
    """The PHY hears what it sends."""
    while True:
        await RisingEdge(dut.mii_tx_clk)
        dut.mii_crs.value = dut.mii_tx_en.value


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def frames_one_behind_the_other(dut):
    part = Part(dut, 1, lambda d, rng: Mii(d, rng, 400), slowest=0)
    await part.reset()
    await part.start(half=True)
    cocotb.start_soon(carrier(dut))
    sent = [await part.send(part.frame(60)) for _ in range(3)]
    gaps = []
    for _ in sent[1:]:
        await FallingEdge(dut.mii_tx_en)
        gaps.append(0)
        while not dut.mii_tx_en.value:
            await RisingEdge(dut.mii_tx_clk)
            gaps[-1] += 1
    assert all(SPACING <= gap <= SPACING + 2 for gap in gaps), gaps
    assert [await part.given_back(at) for at in sent] == [STP | ENP] * 3, "none has waited"
