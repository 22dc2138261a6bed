# SPDX-License-Identifier: BSD-2-Clause
"""The serial line's bits in time: 8N1, a host whose clock is off, glitches, a queue."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer

from mcpi.hdl.cocotb_run import run_cocotb

CLOCK_PS = 20_000  # 50 MHz
BIT_PS = 10**12 // 115200
TOLERANCE = 0.01  # of a bit time, over a frame of ten bits: what the divider leaves


def test_serial_line():
    run_cocotb(__file__, "SerialLine")


async def start(dut):
    dut.rxd.value = 1
    dut.toHost_valid.value = 0
    dut.fromHost_ready.value = 0
    dut.reset.value = 1
    cocotb.start_soon(Clock(dut.clk, CLOCK_PS, "ps").start())
    await ClockCycles(dut.clk, 4)
    dut.reset.value = 0
    await Timer(3 * BIT_PS // 1000, "ns")  # the line has been at rest


async def push(dut, byte: int):
    """A byte of the node's; it is taken when it has been sent."""
    dut.toHost_valid.value = 1
    dut.toHost_payload.value = byte
    await FallingEdge(dut.clk)
    while not int(dut.toHost_ready.value):
        await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.toHost_valid.value = 0


async def send(dut, byte: int, bit_ps: float, stop: int = 1):
    """A frame on rxd, with a sender's bit time."""
    levels = [0, *(byte >> n & 1 for n in range(8)), stop]
    begun = cocotb.utils.get_sim_time("ps")
    for n, level in enumerate(levels, 1):
        dut.rxd.value = level
        now = cocotb.utils.get_sim_time("ps")
        await Timer(max(round((begun + n * bit_ps - now) / 1000), 1), "ns")
    dut.rxd.value = 1


async def taken(dut, count: int) -> bytes:
    """So many bytes from the queue."""
    found = bytearray()
    await FallingEdge(dut.clk)
    dut.fromHost_ready.value = 1
    for _ in range(200):
        if int(dut.fromHost_valid.value):
            found.append(int(dut.fromHost_payload.value))
        await FallingEdge(dut.clk)
        if len(found) == count:
            break
    dut.fromHost_ready.value = 0
    return bytes(found)


@cocotb.test()
async def bits_to_the_host(dut):
    """Every edge of txd lies where its bit begins; the line rests high."""
    await start(dut)
    rng = random.Random(1)
    for byte in (0x00, 0xFF, 0x55, 0xAA, *(rng.randrange(256) for _ in range(4))):
        assert int(dut.txd.value) == 1
        cocotb.start_soon(push(dut, byte))
        await FallingEdge(dut.txd)
        begun = cocotb.utils.get_sim_time("ps")
        wanted = [0, *(byte >> n & 1 for n in range(8)), 1]
        edges = [n for n in range(1, 10) if wanted[n] != wanted[n - 1]]
        for n in edges:
            await (cocotb.triggers.RisingEdge if wanted[n] else FallingEdge)(dut.txd)
            error = (cocotb.utils.get_sim_time("ps") - begun) / BIT_PS - n
            assert abs(error) < 10 * TOLERANCE, f"byte {byte:02x}, bit {n}: {error:+.3f} bits off"
        end = begun + 10 * BIT_PS - cocotb.utils.get_sim_time("ps")
        await Timer(round(end / 1000) + BIT_PS // 1000, "ns")


@cocotb.test()
async def bits_from_the_host(dut):
    """A sender up to 2.5 % too fast or too slow, frames without a pause."""
    await start(dut)
    rng = random.Random(2)
    for off in (0.0, 0.025, -0.025):
        wanted = bytes([0, 255, 0x55, *(rng.randrange(256) for _ in range(5))])
        for byte in wanted:
            await send(dut, byte, BIT_PS * (1 + off))
        await Timer(BIT_PS // 1000, "ns")
        assert await taken(dut, len(wanted)) == wanted, f"clock off by {off}"


@cocotb.test()
async def a_glitch_is_no_byte(dut):
    """A low shorter than half a bit."""
    await start(dut)
    dut.rxd.value = 0
    await Timer(BIT_PS // 4000, "ns")
    dut.rxd.value = 1
    await Timer(12 * BIT_PS // 1000, "ns")
    await FallingEdge(dut.clk)
    assert int(dut.fromHost_valid.value) == 0
    await send(dut, 0x42, BIT_PS)
    await Timer(BIT_PS // 1000, "ns")
    assert await taken(dut, 1) == b"\x42"


@cocotb.test()
async def bytes_wait_for_the_node(dut):
    """Nobody takes them for a while: none is lost, their order stays."""
    await start(dut)
    wanted = bytes(range(40))
    for byte in wanted:
        await send(dut, byte, BIT_PS)
    await Timer(BIT_PS // 1000, "ns")
    assert await taken(dut, len(wanted)) == wanted
