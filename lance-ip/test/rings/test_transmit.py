# SPDX-License-Identifier: BSD-2-Clause
"""Transmit, in ticks: scenarios 16, 18, 19 and 44 of sources/lance.md 5. The others are rows
of ``sheet_transmit.py`` and ``sheet_registers.py``."""

import cocotb
from cocotb.triggers import RisingEdge

from mcpi.cocotb.lance import RDP, TIMES, US, fcs
from mcpi.cocotb.lance_driver import ENP, OWN, STP, running
from mcpi.hdl.cocotb_run import run_cocotb


def test_transmit():
    run_cocotb(__file__, "LanceOnTc")


async def idle_after_open(bench):
    """Past the first poll, so that only what the test does starts a look at the ring."""
    await bench.ticks(20 * US)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s16_found_by_the_poll(dut):
    bench, driver = await running(dut)
    await idle_after_open(bench)
    given = bench.now
    driver.give_tx(0, bytes(60))
    await bench.wait_line(1)
    assert bench.sent[0][0] - given < 1640 * US
    driver.give_tx(1, bytes(60))
    given = bench.now
    while len(bench.sent) < 2:
        await bench.ticks(100)
    assert bench.sent[1][0] - bench.sent[0][0] > 1500 * US


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s18_ring_wraps(dut):
    bench, driver = await running(dut)
    await idle_after_open(bench)
    frames = [bench.random.randbytes(bench.random.randint(60, 200)) for _ in range(21)]
    for i, frame in enumerate(frames[:16]):
        driver.give_tx(i, frame)
    await driver.demand()
    for i, frame in enumerate(frames[16:], 16):  # the ring's second round
        while bench.word(driver.tx_descriptor(i) + 2) & OWN:
            await bench.ticks(100)
        driver.give_tx(i, frame)
    while len(bench.sent) < 21:
        await bench.ticks(500)
    assert [f for _, _, f in bench.sent] == [f + fcs(f) for f in frames]
    gaps = [b[0] - a[1] for a, b in zip(bench.sent, bench.sent[1:])]
    assert min(gaps) >= 1680, "9.6 us of interframe spacing"
    assert max(gaps) < 60 * US, "a frame behind another pays neither poll nor demand"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s19_chain(dut):
    bench, driver = await running(dut)
    data = bench.random.randbytes(160)
    driver.give_tx(1, data[100:], ENP)
    driver.give_tx(0, data[:100], STP)
    await driver.demand()
    while bench.word(driver.tx_descriptor(0) + 2) & OWN:
        await bench.ticks(10)
    assert bench.word(driver.tx_descriptor(1) + 2) == OWN | ENP, "the first is released first"
    await bench.wait_line(1)
    assert [f for _, _, f in bench.sent] == [data + fcs(data)]
    assert bench.word(driver.tx_descriptor(0) + 2) == STP
    assert bench.word(driver.tx_descriptor(1) + 2) == ENP


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_a_demand_that_nobody_takes(dut):
    """TDMD is cleared by the look that takes it, or by STOP. Here a poll finds the frame, TDMD
    comes while it is sent, and its end switches the transmitter off: there is no other look."""
    bench, driver = await running(dut, poll=11_000)
    driver.give_tx(0, bytes(100), STP)
    await RisingEdge(dut.io_events_firstBit)
    await driver.demand()
    await bench.wait_line(1)
    assert await bench.read(RDP) == 0x02EB, "TXON is 0, TDMD is not"
    assert bench.word(driver.tx_descriptor(0) + 6) == 0xC000, "BUFF and UFLO"
    await driver.linux_open()
    assert await bench.read(RDP) == 0x0073


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_interframe_spacing(dut):
    """Without the chip's own times a frame waits behind the one before: 9.6 us to the tick."""
    bench, driver = await running(dut, **(dict.fromkeys(TIMES, 0) | {"poll": 1600000}))
    for i in range(4):
        driver.give_tx(i, bytes(60))
    await driver.demand()
    while len(bench.sent) < 4:
        await bench.ticks(500)
    assert [b[0] - a[1] for a, b in zip(bench.sent, bench.sent[1:])] == [1680] * 3
    assert await bench.read(RDP) == 0x02F3, "no heartbeat window, no CERR"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s44_hand_over_to_tint(dut):
    """105.0 us from hand-over to interrupt for 64 bytes; the overhead does not know the length."""
    bench, driver = await running(dut)
    await idle_after_open(bench)
    overheads = []
    for i, size in enumerate((60, 60, 94, 590, 1514)):
        driver.give_tx(i, bench.random.randbytes(size))
        handover = await driver.demand()
        line = await bench.wait_line(1)
        wire = (8 + size + 4) * 140
        first, last, _ = bench.sent[-1]
        assert last - first == wire
        total = (line - handover) / US
        before, after = (first - handover) / US, (line - last) / US
        dut._log.info(
            f"{size + 4} bytes: {total:.2f} us = {before:.2f} + {wire / US:.1f} + {after:.2f}"
        )
        overheads.append(total - wire / US)
        if size == 60:
            assert abs(total - 105.0) < 0.5, total
        await bench.write(RDP, 0x0240)
        await bench.wait_line(0)
        await bench.ticks(bench.random.randint(3000, 6000))
    assert max(overheads) - min(overheads) < 0.15, overheads
