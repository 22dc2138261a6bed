# SPDX-License-Identifier: BSD-2-Clause
"""The gateway behind an RGMII PHY at 10 and 100 Mb/s (docs/reference/phy.md)."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Edge, FallingEdge, RisingEdge, Timer
from cocotbext.eth import RgmiiSink, RgmiiSource
from lance_support.phy_bench import PREAMBLE, Node, both_ways, nibbles, until

from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_gateway_rgmii():
    run_cocotb(__file__, "GatewayRgmii")


class Phy:
    """A PHY without delays, of cocotbext-eth, which changes data at the clock's edges.

    Its sink takes what stands at TXC's edges, so TXC is what is tested, not the test's own clock.
    """

    def __init__(self, dut, rng: random.Random, fast: bool):
        def near(ns: float) -> int:
            return round(ns * 1000 * (1 + rng.uniform(-1e-4, 1e-4)) / 2) * 2

        cocotb.start_soon(Clock(dut.txClock, near(10), unit="ps").start())
        self.rx_clock = Clock(dut.rxClock, near(40 if fast else 400), unit="ps")
        cocotb.start_soon(self.rx_clock.start())
        self.sink = RgmiiSink(dut.pins_txd, dut.pins_txCtl, dut.pins_txc)
        self.source = RgmiiSource(dut.pins_rxd, dut.pins_rxCtl, dut.rxClock)
        self.sink.mii_mode = self.source.mii_mode = True

    def got(self) -> list[bytes]:
        frames = [self.sink.recv_nowait() for _ in range(self.sink.count())]
        assert not any(any(f.error or []) for f in frames)
        return [bytes(f.get_payload(strip_fcs=False)) for f in frames]


async def running(dut, fast: bool, seed: int = SEED, node_ns: float | None = None):
    rng = random.Random(seed)
    dut.fast.value = fast
    phy = Phy(dut, rng, fast)
    node = Node(dut, rng, node_ns or rng.uniform(8, 39))
    await node.reset()
    return node, phy, rng


@cocotb.test()
async def fast(dut):
    """100 Mb/s, random ratio of clocks."""
    for seed in range(SEED, SEED + 2):
        await both_ways(*await running(dut, True, seed))


@cocotb.test()
async def slow(dut):
    """10 Mb/s."""
    await both_ways(*await running(dut, False))


@cocotb.test()
async def room_around_the_edges(dut):
    """Data stands at least 9 ns before TXC's rise and 19 after it; TXC is high half of the time."""
    node, _, rng = await running(dut, True, node_ns=10)
    changes, rises, falls = [], [], []

    async def watch(trigger, into):
        while True:
            await trigger
            into.append(node.ns())

    for signal in (dut.pins_txd, dut.pins_txCtl):
        cocotb.start_soon(watch(Edge(signal), changes))
    cocotb.start_soon(watch(RisingEdge(dut.pins_txc), rises))
    cocotb.start_soon(watch(FallingEdge(dut.pins_txc), falls))
    node.send(rng.randbytes(60))
    await until(lambda: node.counts()["sent"] == 1)
    await Timer(10, unit="us")
    assert len(changes) > 60
    for at in changes[:-1]:
        assert min(r for r in rises if r > at) - at > 9
        assert at - max((r for r in rises if r < at), default=-1e9) > 19
    high = [min(f for f in falls if f > r) - r for r in rises[:-1]]
    assert all(19 < h < 21 for h in high)


@cocotb.test()
async def delayed_clock(dut):
    """A PHY that delays RXC by 2 ns, or data by 2 ns: the same nibbles. RX_ER spoils the frame."""
    rng = random.Random(SEED)
    dut.fast.value = True
    dut.pins_rxCtl.value = dut.pins_rxd.value = dut.rxClock.value = 0
    cocotb.start_soon(Clock(dut.txClock, 10, unit="ns").start())
    node = Node(dut, rng, 10)
    steps: list[tuple[int, int, int]] = []  # control at both edges, nibble

    async def phy(skew):
        while True:
            rise, fall, data = steps.pop(0) if steps else (0, 0, 0xB)
            for clock, control in ((1, rise), (0, fall)):
                if skew < 0:
                    dut.pins_rxCtl.value, dut.pins_rxd.value = control, data
                    await Timer(-skew, unit="ns")
                dut.rxClock.value = clock
                if skew > 0:
                    await Timer(skew, unit="ns")
                    dut.pins_rxCtl.value, dut.pins_rxd.value = control, data
                await Timer(20 - abs(skew), unit="ns")

    data = rng.randbytes(64)
    for skew, wrong in ((-2, None), (2, None), (-2, 70)):
        model = cocotb.start_soon(phy(skew))
        if skew == -2 and wrong is None:
            await node.reset()
        before = len(node.heard)
        steps += [(1, int(n != wrong), d) for n, d in enumerate(nibbles(PREAMBLE + data))]
        await until(lambda before=before: len(node.heard) > before)
        assert (node.heard[-1] == data) == (wrong is None)
        model.cancel()
    assert int(dut.link_up.value) and int(dut.link_speed.value) == 1
    assert int(dut.link_fullDuplex.value)
