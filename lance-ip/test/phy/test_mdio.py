# SPDX-License-Identifier: BSD-2-Clause
"""MDIO management against a PHY written from IEEE 802.3 clause 22."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

from mcpi.hdl.cocotb_run import run_cocotb

ADDRESS = 7


def test_mdio():
    run_cocotb(__file__, "Mdio")


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


async def running(dut) -> Phy:
    cocotb.start_soon(Clock(dut.clk, 20, unit="ns").start())
    phy = Phy(dut)
    dut.cmd_valid.value = 0
    dut.reset.value = 1
    await Timer(100, unit="ns")
    dut.reset.value = 0
    return phy


async def access(dut, register: int, data: int | None = None, phy: int = ADDRESS):
    """Writes ``data``, or reads: returns (data, missing)."""
    dut.cmd_payload_write.value = data is not None
    dut.cmd_payload_phy.value, dut.cmd_payload_register.value = phy, register
    dut.cmd_payload_data.value = data or 0
    dut.cmd_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.cmd_ready.value:
        await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.cmd_valid.value = 0
    while not dut.rsp_valid.value:
        await RisingEdge(dut.clk)
    return int(dut.rsp_payload_data.value), bool(dut.rsp_payload_missing.value)


@cocotb.test()
async def registers(dut):
    """Every register is written and read back; another PHY's address is answered by nobody."""
    phy = await running(dut)
    rng = random.Random(1)
    want = [rng.randrange(1 << 16) for _ in range(32)]
    for register, value in enumerate(want):
        await access(dut, register, value)
    assert phy.registers == want
    for register, value in enumerate(want):
        assert await access(dut, register) == (value, False)
    assert (await access(dut, 3, phy=ADDRESS + 1)) == (0xFFFF, True)
    await access(dut, 3, 0x1234, phy=ADDRESS + 1)
    assert phy.registers == want
    periods = [b - a for a, b in zip(phy.rises, phy.rises[1:], strict=False)]
    assert min(periods) >= 400, "MDC has at most 2.5 MHz"
