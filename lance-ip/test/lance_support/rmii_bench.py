# SPDX-License-Identifier: BSD-2-Clause
"""An RMII PHY, written from the consortium's specification 1.2."""

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from lance_support.phy_bench import PREAMBLE


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
    """Takes a dibit at the reference clock's rise, the first of each group of ``hold``;
    ``whole``: frames are whole bytes."""

    def __init__(self, dut, hold: int, whole: bool = True):
        self.dut, self.hold, self.whole, self.frames = dut, hold, whole, []
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
                assert not self.whole or n % (4 * self.hold) == 0, n
                quads = zip(*[iter(values)] * 4, strict=False)
                whole = bytes(a | b << 2 | c << 4 | e << 6 for a, b, c, e in quads)
                assert whole.startswith(PREAMBLE)
                self.frames.append(whole[len(PREAMBLE) :])
                values, n = [], 0

    def count(self) -> int:
        return len(self.frames)
