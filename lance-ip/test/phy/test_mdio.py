# SPDX-License-Identifier: BSD-2-Clause
"""MDIO management against a PHY written from IEEE 802.3 clause 22."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from lance_support.phy import ADDRESS, Phy

from mcpi.hdl.cocotb_run import run_cocotb


def test_mdio():
    run_cocotb(__file__, "Mdio")


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
