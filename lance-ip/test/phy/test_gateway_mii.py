# SPDX-License-Identifier: BSD-2-Clause
"""The gateway behind an MII PHY, and what holds for every adapter (docs/reference/phy.md)."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from cocotbext.eth import GmiiFrame, MiiSink, MiiSource
from lance_support.phy_bench import NIBBLE, PREAMBLE, Node, both_ways, nibbles, until, wire

from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))
NODE_NS = 20


def test_gateway_mii():
    run_cocotb(__file__, "GatewayMii")


class Phy:
    """Its own clocks, a little off; ``clock_ns`` is 40 at 100 Mb/s, 400 at 10."""

    def __init__(self, dut, rng: random.Random, clock_ns: float, sends: bool = True):
        for clock in (dut.txClock, dut.rxClock)[not sends :]:
            ps = round(clock_ns * 1000 * (1 + rng.uniform(-1e-3, 1e-3)) / 2) * 2
            cocotb.start_soon(Clock(clock, ps, unit="ps").start())
        self.sink = MiiSink(dut.pins_txd, None, dut.pins_txEn, dut.txClock)
        self.source = MiiSource(dut.pins_rxd, dut.pins_rxEr, dut.pins_rxDv, dut.rxClock)

    def got(self) -> list[bytes]:
        frames = [self.sink.recv_nowait() for _ in range(self.sink.count())]
        return [bytes(f.get_payload(strip_fcs=False)) for f in frames]


async def running(dut, clock_ns=40, node_ns=NODE_NS, ticking=1, sends=True, seed=SEED):
    rng = random.Random(seed)
    phy = Phy(dut, rng, clock_ns, sends)
    node = Node(dut, rng, node_ns, ticking)
    await node.reset()
    return node, phy, rng


async def random_clocks(dut, seed):
    rng = random.Random(seed)
    clocks = rng.choice((40, 400)), rng.uniform(8, 39), rng.choice((1, 0.7))
    node, phy, rng = await running(dut, *clocks, seed=seed)
    await both_ways(node, phy, rng)


@cocotb.test()
async def clock_ratios(dut):
    """Frames both ways at once, at random ratios of all clocks and with ticks withheld."""
    for seed in range(SEED, SEED + 4):
        dut._log.info("MCPI_SEED=%d", seed)
        await random_clocks(dut, seed)


@cocotb.test()
async def slots_out(dut):
    """The PHY's clock stands: two frames wait, the third is lost; when it runs, the two go out."""
    node, phy, rng = await running(dut, sends=False)
    frames = [rng.randbytes(20 + n) for n in range(4)]
    for data in frames[:3]:
        node.send(data)
    await until(lambda: node.quiet)
    await Timer(20, unit="us")
    assert node.counts()["sendDropped"] == 1 and not node.counts()["sent"]
    begins, ends = [], []

    async def watch(edge, into):
        while True:
            await edge
            into.append(node.ns())

    cocotb.start_soon(watch(RisingEdge(dut.pins_txEn), begins))
    cocotb.start_soon(watch(FallingEdge(dut.pins_txEn), ends))
    cocotb.start_soon(Clock(dut.txClock, 40, unit="ns").start())
    await until(lambda: phy.sink.count() == 2)
    assert ends[0] - begins[0] == (2 * len(frames[0]) + 16) * 40, "preamble and bytes"
    assert 24 * 40 <= begins[1] - ends[0] <= 25 * 40, "96 bit times between frames that wait"
    node.send(frames[3])
    await until(lambda: phy.sink.count() == 3)
    assert phy.got() == [frames[0], frames[1], frames[3]]
    assert node.counts()["sent"] == 3 and node.counts()["sendDropped"] == 1


@cocotb.test()
async def slots_in(dut):
    """100 Mb/s in, 10 Mb/s on: what finds no slot is lost and counted, the rest whole, in order."""
    node, phy, rng = await running(dut)
    frames = [rng.randbytes(64) for _ in range(8)]
    for data in frames:
        await phy.source.send(wire(data))
    await phy.source.wait()
    await until(lambda: node.counts()["received"] + node.counts()["receiveDropped"] == 8)
    await until(lambda: len(node.heard) == node.counts()["received"])
    lost = node.counts()["receiveDropped"]
    assert lost == 6 and node.heard == frames[:2], (lost, len(node.heard))
    assert 24 <= node.gaps[1] <= 25, "96 bit times between frames that wait"
    await phy.source.send(wire(frames[7]))
    await until(lambda: len(node.heard) == 3)
    assert node.heard[2] == frames[7]


@cocotb.test()
async def lengths(dut):
    """2,047 bytes pass both ways, 2,048 and more do not; nor does nothing."""
    node, phy, rng = await running(dut, node_ns=8)
    longest = rng.randbytes(2047)
    for data in (longest, rng.randbytes(2048), rng.randbytes(2060), b"", longest[:5]):
        node.send(data)
        await phy.source.send(wire(data))
        await until(lambda: node.quiet)
    await until(lambda: len(node.heard) == 2 and phy.sink.count() == 2)
    assert node.heard == [longest, longest[:5]] == phy.got()
    counts = node.counts()
    assert (counts["sendDropped"], counts["receiveDropped"]) == (3, 3)
    assert (counts["sent"], counts["received"]) == (2, 2)


@cocotb.test()
async def no_delimiter(dut):
    """Without a start delimiter it is no frame: lost on its way out, not seen on its way in."""
    node, phy, rng = await running(dut)
    node.send(b"", preamble=b"\x55" * 20)
    await phy.source.send(GmiiFrame(b"\x55" * 20))
    await until(lambda: node.quiet)
    node.send(b"after")
    await phy.source.send(wire(b"after"))
    await until(lambda: len(node.heard) == 1 and phy.sink.count() == 1)
    assert node.heard == [b"after"] == phy.got()
    assert (node.counts()["sendDropped"], node.counts()["receiveDropped"]) == (1, 0)


@cocotb.test()
async def errors_and_dribble(dut):
    """RX_ER anywhere is shown with every nibble; an odd last nibble is carried."""
    node, phy, rng = await running(dut)
    data = rng.randbytes(30)
    spoilt = wire(data)
    spoilt.error = [0] * 20 + [1] + [0] * (len(spoilt.data) - 21)
    await phy.source.send(spoilt)
    await until(lambda: len(node.heard) == 1)
    await phy.source.send(wire(data))
    await until(lambda: len(node.heard) == 2)
    for nibble in [*nibbles(PREAMBLE + data), 0x9]:
        dut.pins_rxDv.value, dut.pins_rxd.value = 1, nibble
        await RisingEdge(dut.rxClock)
    dut.pins_rxDv.value = 0
    await until(lambda: len(node.heard) == 3)
    assert node.heard == [data] * 3
    assert node.wrong == [True, False, False] and node.odd == [False, False, True]
    assert node.counts()["receiveErrors"] == 1


@cocotb.test()
async def waiting(dut):
    """`sendWaiting` and `receiveWaiting` are the clocks between first nibble in and first out;
    `sentNibbles` has preambles."""
    node, phy, rng = await running(dut)
    begun, out = [], []

    async def watch():
        while True:
            await RisingEdge(dut.pins_txEn)
            out.append(cocotb.utils.get_sim_time("ns"))

    cocotb.start_soon(watch())
    for n in range(3):
        begun.append(node.ns())
        node.send(rng.randbytes(40 + 100 * n))
        await until(lambda n=n: len(out) > n and node.quiet)
    want = sum(b - a for a, b in zip(begun, out, strict=True)) / NODE_NS
    # A nibble until the gateway sees it, some clocks for a crossing.
    slack = 3 * (NIBBLE + 12)
    assert want - slack <= node.counts()["sendWaiting"] <= want, (want, node.counts())
    assert node.counts()["sentNibbles"] == sum(16 + 2 * (40 + 100 * n) for n in range(3))
    await phy.source.send(wire(rng.randbytes(100)))
    begins = cocotb.utils.get_sim_time("ns")
    await until(lambda: node.strobes)
    took = (node.first_ns - begins) / NODE_NS
    # From the delimiter (16 nibbles of 40 ns) to the nibble before the first that is heard.
    assert abs(node.counts()["receiveWaiting"] - (took - 32 - NIBBLE)) < 12, (took, node.counts())
