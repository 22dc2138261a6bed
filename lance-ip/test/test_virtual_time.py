# SPDX-License-Identifier: BSD-2-Clause
"""Only `tick` moves anything: with ticks withheld, or idle ones skipped, every event keeps its
tick."""

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge, Timer

from mcpi.cocotb.lance import RDP, US, fcs, sparse
from mcpi.cocotb.lance_driver import STATION, running
from mcpi.hdl.cocotb_run import run_cocotb

events: dict[float, list] = {}  # by the share of clocks without a tick


def test_virtual_time():
    run_cocotb(__file__, "LanceOnTc")


async def both_ways(
    dut, withheld: float = 0, skips: random.Random | None = None, shake: bool = False, **timing
) -> list:
    """Sends a frame while one arrives; (tick, what) of everything that shows outside. `shake`: in
    each clock another nibble is shown before the one that counts; `nextEvent` must not notice.
    """
    bench, driver = await running(dut, **timing)
    await bench.ticks(30 * US)
    for task in bench.helpers:
        task.cancel()
    driver.give_tx(0, bytes(range(60)))
    frame = STATION + bytes(range(100, 154))
    nibbles = [5] * 15 + [0xD]
    for byte in frame + fcs(frame):
        nibbles += [byte & 15, byte >> 4]
    d = dut
    d.io_io_cmd_payload_address.value = sparse(RDP)
    d.io_io_cmd_payload_write.value = 1
    d.io_io_cmd_payload_quad.value = 0
    d.io_io_cmd_payload_data.value = 0x0048
    seen, ticks, commanded, due, answer = [], 0, False, None, 0
    line = clocks = 0
    while ticks < 130 * US:
        tick = int(bench.random.random() >= withheld)
        d.io_tick.value = tick
        d.io_io_cmd_valid.value = int(not commanded)
        place, phase = divmod(ticks, 70)
        d.io_mii_rxStrobe.value = int(phase == 0)
        d.io_mii_rxDv.value = int(place < len(nibbles))
        d.io_mii_rxd.value = nibbles[place] if place < len(nibbles) else 0
        d.io_dma_rsp_valid.value = int(due == ticks)
        d.io_dma_rsp_payload_data.value = answer
        await FallingEdge(d.clk)
        if shake:
            said, there = int(d.io_nextEvent.value), int(d.io_mii_rxStrobe.value)
            d.io_mii_rxStrobe.value = 1 - there
            await Timer(1, "ps")
            assert int(d.io_nextEvent.value) == said, f"tick {ticks}: nextEvent hears the nibble"
            d.io_mii_rxStrobe.value = there
            await Timer(1, "ps")
        skip = 0
        if skips and tick and phase and commanded and due != ticks:
            ahead = [70 - phase, 130 * US - ticks, int(d.io_nextEvent.value)]
            most = max(0, min(ahead) - 1)
            skip = skips.choice([0, most, most, skips.randint(0, most)])
        d.io_skip.value = skip
        clocks += tick
        if tick:
            if d.io_io_cmd_valid.value == 1 and d.io_io_cmd_ready.value == 1:
                commanded = True
                seen.append((ticks, "command"))
            if d.io_io_rsp_valid.value == 1:
                seen.append((ticks, "response"))
            if d.io_mii_txStrobe.value == 1:
                seen.append((ticks, "nibble", int(d.io_mii_txEn.value), int(d.io_mii_txd.value)))
            if int(d.io_interrupt.value) != line:
                line = int(d.io_interrupt.value)
                seen.append((ticks, "line", line))
            if d.io_dma_cmd_valid.value == 1:
                address = int(d.io_dma_cmd_payload_address.value)
                write = int(d.io_dma_cmd_payload_write.value)
                data = int(d.io_dma_cmd_payload_data.value).to_bytes(16, "little")
                mask = int(d.io_dma_cmd_payload_mask.value)
                seen.append((ticks, "dma", address, write))
                for i in range(16):
                    if write and mask >> i & 1:
                        bench.memory[address + i] = data[i]
                answer = int.from_bytes(bench.memory[address : address + 16], "little")
                due = ticks + 10
        await RisingEdge(d.clk)
        ticks += tick * (1 + skip)
    assert bench.buffer(driver.rx_buffer(0), 64) == frame + fcs(frame)
    assert bench.word(driver.tx_descriptor(0) + 2) == 0x0300
    d.io_skip.value = 0
    if skips:
        assert clocks < 0.4 * ticks, f"{clocks} clocks for {ticks} ticks"
    return seen


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_every_clock_a_tick(dut):
    events[0] = await both_ways(dut)
    kinds = [e[1] for e in events[0]]
    assert kinds.count("nibble") == 2 * 72 + 1
    assert kinds.count("dma") == 9 + 9 and "line" in kinds  # each way: 4 bursts, 5 words


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_a_third_withheld(dut):
    assert await both_ways(dut, 0.33) == events[0]


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_most_withheld(dut):
    assert await both_ways(dut, 0.7) == events[0]


@cocotb.test(timeout_time=90, timeout_unit="ms")
async def test_idle_ticks_skipped(dut):
    """Also with polls of the rings in between, with no times to wait, and without a heartbeat."""
    rng = random.Random(1996)
    assert await both_ways(dut, skips=rng) == events[0]
    none = dict.fromkeys(("word", "gap", "arbitration", "csr", "demand", "setup", "start"), 0)
    for timing in (
        {"poll": 11_000},
        none,
        {"heartbeat": 0, "status": 0, "interrupt": 0},
        {"sqe": 0},
    ):
        plain = await both_ways(dut, **timing)
        assert await both_ways(dut, skips=rng, **timing) == plain, timing


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_skipped_and_withheld(dut):
    assert await both_ways(dut, 0.33, random.Random(7)) == events[0]


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_next_event_is_of_its_own_making(dut):
    """The driver of the MII asks before the tick's nibble is there (contracts.md 3)."""
    assert await both_ways(dut, shake=True) == events[0]
