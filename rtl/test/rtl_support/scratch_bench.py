# SPDX-License-Identifier: BSD-2-Clause
"""Around a TcScratchOnTc: core and memory of tc_bench, two scratch cards in slots 0 and 7."""

import cocotb
from cocotb.triggers import FallingEdge

from rtl_support.tc_bench import TcBench

SLOTS = 0x1_0000_0000, 0x1_E000_0000
SPARSE = 0x1000_0000
ADDRESS, CONTROL, INTERRUPT, ROM = 0x10, 0x14, 0x18, 0x3E0
INTO, OUT_OF = 1 << 8, 1 << 9  # memory
BUSY, FAILED = 1 << 31, 1 << 30
SIGNALS = "cycle reset sel write adHost rdy conflict rReq wReq ack err adOption int".split()


class ScratchBench(TcBench):
    """``lines`` is what was on slot 0 in each TURBOchannel cycle, while ``recording``."""

    def __init__(self, dut, seed: int = 1):
        super().__init__(dut, seed, options=0)  # of Python
        self.recording = False
        self.lines: list[dict[str, int]] = []

    async def start(self) -> None:
        cocotb.start_soon(self._record())
        await super().start()

    async def _record(self) -> None:
        while True:
            await FallingEdge(self.dut.clk)
            if self.recording and self.dut.io_seen_0_cycle.value == 1:
                self.lines.append(
                    {name: int(getattr(self.dut, f"io_seen_0_{name}").value) for name in SIGNALS}
                )

    async def read(self, card: int, offset: int) -> int:
        data, error, _ = await self.access(SLOTS[card] + SPARSE + 2 * offset, False)
        assert not error, f"read of {offset:x} in slot {card} timed out"
        return data & 0xFFFFFFFF

    async def write(self, card: int, offset: int, data: int) -> None:
        _, error, _ = await self.access(SLOTS[card] + SPARSE + 2 * offset, True, data)
        assert not error, f"write of {offset:x} in slot {card} timed out"

    async def burst(self, card: int, address: int, words: int, way: int) -> None:
        """Begins it; the interrupt says when it is over."""
        await self.write(card, ADDRESS, address)
        await self.write(card, CONTROL, way | (words - 1))

    async def over(self, card: int) -> int:
        """Polls until the burst has ended; CONTROL then."""
        while (control := await self.read(card, CONTROL)) & BUSY:
            pass
        return control
