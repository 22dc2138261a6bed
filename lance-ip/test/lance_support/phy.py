# SPDX-License-Identifier: BSD-2-Clause
"""A PHY at MDIO, written from IEEE 802.3 clause 22."""

import cocotb
from cocotb.triggers import RisingEdge, Timer

ADDRESS = 7


class Phy:
    """Takes MDIO at MDC's rise; drives it 300 ns after a rise, the latest it may."""

    def __init__(self, dut, address: int = ADDRESS):
        self.dut, self.address = dut, address
        self.registers = [0] * 32
        self.rises: list[float] = []
        dut.pins_read.value = 1
        cocotb.start_soon(self._run())

    async def _bit(self) -> int:
        await RisingEdge(self.dut.pins_mdc)
        self.rises.append(cocotb.utils.get_sim_time("ns"))
        return int(self.dut.pins_write.value) if self.dut.pins_drive.value else 1

    async def _number(self, bits: int) -> int:
        value = 0
        for _ in range(bits):
            value = value << 1 | await self._bit()
        return value

    async def _run(self) -> None:
        while True:
            ones = 0
            while (bit := await self._bit()) or ones < 32:
                ones = ones + 1 if bit else 0
            if await self._bit() != 1:
                continue
            operation, phy, register = [await self._number(n) for n in (2, 5, 5)]
            if phy != self.address:
                continue
            if operation == 0b01:
                assert await self._number(2) == 0b10, "turn-around"
                self.registers[register] = await self._number(16)
            elif operation == 0b10:
                await self._bit()
                assert not self.dut.pins_drive.value, "the turn-around is nobody's"
                for n in range(16, -1, -1):
                    await Timer(300, unit="ns")
                    self.dut.pins_read.value = self.registers[register] >> n & 1 if n < 16 else 0
                    await self._bit()
                    assert not self.dut.pins_drive.value, "the data is the PHY's"
                await Timer(300, unit="ns")
                self.dut.pins_read.value = 1
