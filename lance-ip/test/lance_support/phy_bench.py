# SPDX-License-Identifier: BSD-2-Clause
"""A gateway between a node's MII, which moves in ticks, and a PHY of cocotbext-eth."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.eth import GmiiFrame

PREAMBLE = bytes.fromhex("55" * 7 + "d5")
NIBBLE = 70  # ticks at 10 Mb/s


def nibbles(data: bytes) -> list[int]:
    return [n for byte in data for n in (byte & 15, byte >> 4)]


def wire(data: bytes) -> GmiiFrame:
    """``data`` behind preamble and delimiter, as a PHY receives it."""
    return GmiiFrame(PREAMBLE + data)


class Node:
    """The node's side: sends and hears frames at the modelled speed, a tick in some clocks.

    ``ticking`` is the share of clocks with a tick: the governor withholds the others.
    """

    def __init__(self, dut, rng: random.Random, clock_ns: float = 20, ticking: float = 1):
        self.dut, self.rng, self.ticking = dut, rng, ticking
        self.heard: list[bytes] = []
        self.wrong: list[bool] = []  # of each frame heard: error was shown, in every nibble
        self.odd: list[bool] = []  # of each frame heard: there was an odd nibble at its end
        self.strobes: list[int] = []  # ticks of the first nibbles heard
        self.gaps: list[int] = []  # nibbles between frames heard
        self.first_ns = 0.0  # when the last frame's first nibble was heard
        self.now = 0
        self._out: list[tuple[int, int]] = []  # enable, nibble
        dut.measures.value = 1
        for name in ("tick", "mii_txStrobe", "mii_txEn", "mii_txEr", "mii_txd"):
            getattr(dut, name).value = 0
        cocotb.start_soon(Clock(dut.clk, 2 * round(clock_ns * 500), unit="ps").start())

    async def reset(self) -> None:
        self.dut.reset.value = 1
        for _ in range(8):
            await RisingEdge(self.dut.clk)
        self.dut.reset.value = 0
        await Timer(2, unit="us")
        await RisingEdge(self.dut.clk)
        cocotb.start_soon(self._run())

    def send(self, data: bytes, gap: int = 24, preamble: bytes = PREAMBLE, odd: bool = False):
        self._out += [(1, n) for n in nibbles(preamble + data)]
        if odd:
            self._out.append((1, 5))
        self._out += [(0, 0)] * gap

    @staticmethod
    def ns() -> float:
        return cocotb.utils.get_sim_time("ns")

    @property
    def quiet(self) -> bool:
        return not self._out

    async def _run(self) -> None:
        d, to_go, hearing, gap = self.dut, NIBBLE, [], 0
        while True:
            tick = self.ticking >= 1 or self.rng.random() < self.ticking
            strobe = tick and to_go == 1
            if tick:
                to_go = NIBBLE if to_go == 1 else to_go - 1
                self.now += 1
            d.tick.value = tick
            d.mii_txStrobe.value = strobe
            if strobe:
                enable, nibble = self._out.pop(0) if self._out else (0, 0)
                d.mii_txEn.value, d.mii_txd.value = enable, nibble
            await RisingEdge(d.clk)
            if d.mii_rxStrobe.value:
                if d.mii_rxDv.value:
                    if not hearing:
                        self.gaps.append(gap)
                        gap = 0
                        self.strobes.append(self.now)
                        self.first_ns = self.ns()
                    hearing.append((int(d.mii_rxd.value), bool(d.mii_rxEr.value)))
                else:
                    gap += 1
                    if hearing:
                        self._end(hearing)
                        hearing = []

    def _end(self, hearing: list[tuple[int, bool]]) -> None:
        lead = nibbles(PREAMBLE)
        values = [n for n, _ in hearing]
        assert values[: len(lead)] == lead, values[:20]
        body = values[len(lead) :]
        self.heard.append(bytes(a | b << 4 for a, b in zip(body[::2], body[1::2], strict=False)))
        self.odd.append(len(body) % 2 == 1)
        self.wrong.append(hearing[0][1])
        assert len({wrong for _, wrong in hearing}) == 1

    def counts(self) -> dict[str, int]:
        names = ("sent", "received", "sendDropped", "receiveDropped", "receiveErrors")
        names += ("sendWaiting", "receiveWaiting", "sentNibbles")
        return {name: int(getattr(self.dut, f"counts_{name}").value) for name in names}


async def until(condition, limit_us: int = 10_000) -> None:
    for _ in range(limit_us):
        if condition():
            return
        await Timer(1, unit="us")
    raise AssertionError(f"not within {limit_us} us: {condition.__doc__ or condition}")


async def both_ways(node: Node, phy, rng: random.Random, count: int = 5) -> None:
    """Frames of many lengths out and, at the same time, in; both sides get what was sent."""
    lengths = (1, 2, 14, 64, 65, 200)
    out, back = (
        [rng.randbytes(rng.choice(lengths)) for _ in range(count)] for _ in ("out", "back")
    )
    for data in out:
        node.send(data)
    for n, data in enumerate(back):
        await phy.source.send(wire(data))
        await until(lambda n=n: len(node.heard) > n)
    await until(lambda: phy.sink.count() == count)
    assert phy.got() == out
    assert node.heard == back
    assert not any(node.wrong) and not any(node.odd)
    counts = node.counts()
    assert (counts["sent"], counts["received"]) == (count, count)
    assert not counts["sendDropped"] and not counts["receiveDropped"]
