# SPDX-License-Identifier: BSD-2-Clause
"""The gateway behind an RMII PHY at 10 and 100 Mb/s (docs/reference/phy.md)."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from lance_support.phy_bench import PREAMBLE, Node, both_ways, until
from lance_support.rmii_bench import Sink, Source

from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_gateway_rmii():
    run_cocotb(__file__, "GatewayRmii")


class Phy:
    def __init__(self, dut, rng: random.Random, fast: bool):
        period = round(20000 * (1 + rng.uniform(-1e-4, 1e-4)) / 2) * 2
        cocotb.start_soon(Clock(dut.refClock, period, unit="ps").start())
        self.source = Source(dut, rng, 1 if fast else 10)
        self.sink = Sink(dut, 1 if fast else 10)

    def got(self) -> list[bytes]:
        return self.sink.frames


async def running(dut, fast: bool, seed: int = SEED):
    rng = random.Random(seed)
    dut.fast.value = fast
    phy = Phy(dut, rng, fast)
    node = Node(dut, rng, rng.uniform(8, 39))
    await node.reset()
    return node, phy, rng


@cocotb.test()
async def fast(dut):
    """100 Mb/s, random ratio of clocks, random lead and toggling ends."""
    for seed in range(SEED, SEED + 3):
        await both_ways(*await running(dut, True, seed))


@cocotb.test()
async def slow(dut):
    """10 Mb/s: a dibit lasts ten clocks."""
    await both_ways(*await running(dut, False))


@cocotb.test()
async def false_carrier(dut):
    """Carrier without a start delimiter is no frame."""
    node, phy, rng = await running(dut, True)
    for _ in range(30):
        dut.pins_crsDv.value, dut.pins_rxd.value = 1, 2
        await FallingEdge(dut.refClock)
    dut.pins_crsDv.value = 0
    for _ in range(10):
        await FallingEdge(dut.refClock)
    await phy.source.send(Whole(PREAMBLE + b"after"))
    await until(lambda: len(node.heard) == 1)
    assert node.heard == [b"after"]
    assert node.counts()["receiveDropped"] == 0


class Whole:
    def __init__(self, data: bytes):
        self.data = data
