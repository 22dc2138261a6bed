# SPDX-License-Identifier: BSD-2-Clause
"""The cable of half duplex, as the chip sees it: carrier while it sends, collisions as planned."""

from cocotb.triggers import FallingEdge, RisingEdge

from mcpi.cocotb.lance import Bench

CABLE = 12  # ticks from the chip's own bits to its carrier
SLOT = 8960  # ticks: 51.2 us


class Segment:
    """``plan``: for each attempt the ticks from its first bit to the collision, or None."""

    def __init__(self, bench: Bench, plan: list[int | None] = (), skip: bool = False):
        self.bench = bench
        self.plan = list(plan)
        self.skip = skip  # idle ticks between the attempts
        self.attempts: list[tuple[int, int]] = []  # first bit, after the last one
        self.drop_at: int | None = None  # ticks from the first bit to a carrier that goes away
        bench.run(self._follow())
        bench.run(self._sent())
        bench.skipping = skip

    async def _follow(self) -> None:
        d, b = self.bench.dut, self.bench
        while True:
            await RisingEdge(d.io_mii_txEn)
            first = b.now
            b.skipping = False
            collision = self.plan.pop(0) if self.plan else None
            await b.ticks(CABLE)
            d.io_mii_crs.value = 1
            task = None
            if collision is not None:
                task = b.run(self._at(collision - CABLE, d.io_mii_col, 1))
            if self.drop_at is not None:
                b.run(self._at(self.drop_at - CABLE, d.io_mii_crs, 0))
            await FallingEdge(d.io_mii_txEn)
            await RisingEdge(d.io_mii_txStrobe)  # the last nibble is over
            self.attempts.append((first, b.now))
            await b.ticks(CABLE)
            if task:
                task.cancel()
            d.io_mii_col.value = 0
            d.io_mii_crs.value = 0
            await b.ticks(2)
            b.skipping = self.skip

    async def _at(self, ticks: int, pin, value: int) -> None:
        await self.bench.ticks(ticks)
        pin.value = value

    async def _sent(self) -> None:
        """The SQE test of the last attempt is counted in plain ticks."""
        d, b = self.bench.dut, self.bench
        while True:
            await RisingEdge(d.io_events_interrupt)
            self.skip = b.skipping = False
