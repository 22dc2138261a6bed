# SPDX-License-Identifier: BSD-2-Clause
"""The gateway behind an RMII PHY at 10 and 100 Mb/s (docs/reference/phy.md)."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from lance_support.phy_bench import PREAMBLE, Node, both_ways, until

from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_gateway_rmii():
    run_cocotb(__file__, "GatewayRmii")


def dibits(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (0, 2, 4, 6)]


class Source:
    """Sends as the RMII consortium's 1.2: CRS_DV rises before data, may toggle at the end."""

    def __init__(self, dut, rng: random.Random, hold: int):
        self.dut, self.rng, self.hold = dut, rng, hold
        dut.pins_crsDv.value = dut.pins_rxd.value = dut.pins_rxEr.value = 0

    async def _dibit(self, carrier: int, value: int) -> None:
        self.dut.pins_crsDv.value, self.dut.pins_rxd.value = carrier, value
        for _ in range(self.hold):
            await FallingEdge(self.dut.refClock)

    async def send(self, frame, lead: int | None = None, early: int | None = None) -> None:
        """``lead``: dibits 00 before the preamble; ``early``: nibbles in which carrier is gone."""
        data = bytes(frame.data)
        early = self.rng.choice((0, 3, 4)) if early is None else early
        early = min(early, 2 * (len(data) - len(PREAMBLE)))
        for _ in range(self.rng.randrange(6) if lead is None else lead):
            await self._dibit(1, 0)
        values = dibits(data)
        gone = len(values) - 2 * early
        for n, value in enumerate(values):
            await self._dibit(int(n < gone or n % 2 == 1), value)
        for _ in range(48):
            await self._dibit(0, 0)


class Sink:
    """Takes a dibit at the reference clock's rise, the first of each group of ``hold``."""

    def __init__(self, dut, hold: int):
        self.dut, self.hold, self.frames = dut, hold, []
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        d, values, n = self.dut, [], 0
        while True:
            await RisingEdge(d.refClock)
            if d.pins_txEn.value:
                if n % self.hold == self.hold - 1:
                    values.append(int(d.pins_txd.value))
                n += 1
            elif n:
                assert n % (4 * self.hold) == 0, n
                quads = zip(*[iter(values)] * 4, strict=True)
                whole = bytes(a | b << 2 | c << 4 | e << 6 for a, b, c, e in quads)
                assert whole.startswith(PREAMBLE)
                self.frames.append(whole[len(PREAMBLE) :])
                values, n = [], 0

    def count(self) -> int:
        return len(self.frames)


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
