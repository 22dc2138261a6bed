# SPDX-License-Identifier: BSD-2-Clause
"""Transmit: scenarios 15 to 22, 27, 28 and 44 of facts/lance.md 5, and random frames."""

import cocotb
from cocotb.triggers import RisingEdge
from lance_bench import RDP, TIMES, US, fcs
from lance_driver import ENP, ERR, OWN, STP, running

from mcpi.testing import run_cocotb


def test_transmit():
    run_cocotb(__file__, "LanceOnTc")


async def idle_after_open(bench):
    """Past the first poll, so that only what the test does starts a look at the ring."""
    await bench.ticks(20 * US)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s15_one_frame(dut):
    bench, driver = await running(dut)
    await idle_after_open(bench)
    data = bench.random.randbytes(60)
    driver.give_tx(0, data)
    await driver.demand()
    await bench.wait_line(1)
    (first, last, frame), *others = bench.sent
    assert not others
    assert frame == data + fcs(data)
    assert bench.preamble_nibbles == [16]
    assert last - first == 72 * 2 * 70, "57.6 us on the wire"
    d = driver.tx_descriptor(0)
    assert bench.word(d + 2) == 0x0300
    assert bench.word(d + 6) == 0x5555, "the error word is written only on error"
    assert await bench.read(RDP) == 0x02F3


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
async def test_s17_software_fcs(dut):
    bench, driver = await running(dut, mode=0x0008)
    data = bench.random.randbytes(60)
    driver.give_tx(0, data + fcs(data))
    await driver.demand()
    await bench.wait_line(1)
    assert bench.sent[0][2] == data + fcs(data)


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
async def test_s20_chain_ends_early(dut):
    bench, driver = await running(dut)
    driver.give_tx(0, bytes(100), STP)
    await driver.demand()
    await bench.wait_line(1)
    d = driver.tx_descriptor(0)
    assert bench.word(d + 2) == ERR | STP
    assert bench.word(d + 6) == 0xC000, "BUFF and UFLO"
    assert await bench.read(RDP) == 0x02E3, "TXON is 0"
    assert len(bench.sent[0][2]) == 100


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
async def test_s21_owned_without_stp(dut):
    bench, driver = await running(dut)
    good = bench.random.randbytes(60)
    driver.give_tx(1, good)
    driver.give_tx(0, bytes(60), ENP)
    await driver.demand()
    await bench.wait_line(1)
    assert [f for _, _, f in bench.sent] == [good + fcs(good)]
    assert bench.word(driver.tx_descriptor(1) + 2) == 0x0300


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s22_underflow(dut):
    bench, driver = await running(dut)
    driver.give_tx(0, bytes(1000))
    await driver.demand()
    await RisingEdge(dut.io_events_firstBit)
    await bench.ticks(50 * US)
    bench.dma_stalled = True
    await bench.ticks(60 * US)
    bench.dma_stalled = False
    value = await bench.wait_csr0(0x0A00)
    assert value & 0x0010 == 0, "TXON is 0"
    await driver.linux_open()
    driver.next_tx = 0
    data = bench.random.randbytes(60)
    driver.give_tx(0, data)
    await driver.demand()
    await bench.wait_csr0(0x0200)
    assert bench.sent[-1][2] == data + fcs(data)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_underflow_before_the_next_status(dut):
    """BUFF's second cause: the silo runs dry in a buffer without ENP before the next TMD1 was
    read, although the chip owns it. In the frame's last buffer it is UFLO alone."""
    for flags, error in ((STP, 0xC000), (STP | ENP, 0x4000)):
        bench, driver = await running(dut)
        driver.give_tx(1, bytes(200), ENP)
        driver.give_tx(0, bytes(1000), flags)
        await driver.demand()
        await RisingEdge(dut.io_events_firstBit)
        await bench.ticks(50 * US)
        bench.dma_latency = 20 * US
        await bench.wait_csr0(0x0200)
        d = driver.tx_descriptor(0)
        assert bench.word(d + 2) == ERR | flags
        assert bench.word(d + 6) & 0xFC00 == error, hex(bench.word(d + 6))
        assert bench.word(driver.tx_descriptor(1) + 2) == OWN | ENP
        assert await bench.read(RDP) & 0x0010 == 0, "TXON is 0"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s27_no_heartbeat(dut):
    bench, driver = await running(dut, sqe=0, interrupt=10000)
    driver.give_tx(0, bytes(60))
    await driver.demand()
    value = await bench.wait_csr0(0x2000)
    assert value == 0xA073, "CERR and ERR, but neither INTR nor the line"
    assert dut.io_interrupt.value == 0
    await bench.wait_line(1)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s28_babble(dut):
    bench, driver = await running(dut)
    data = bench.random.randbytes(1600)
    driver.give_tx(1, data[800:], ENP)
    driver.give_tx(0, data[:800], STP)
    await driver.demand()
    await bench.wait_csr0(0x4000)
    assert await bench.read(RDP) == 0xC0F3
    await bench.wait_csr0(0x0200)
    assert bench.sent[0][2] == data + fcs(data), "it goes on to the end"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_babble_starts_at_1519_bytes(dut):
    bench, driver = await running(dut)
    for i, (size, csr0) in enumerate(((1514, 0x02F3), (1515, 0xC2F3))):
        driver.give_tx(i, bytes(size))
        await driver.demand()
        assert await bench.wait_csr0(0x0200) == csr0
        assert len(bench.sent[i][2]) == size + 4
        await bench.write(RDP, 0x7F40)


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


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_random_lengths(dut):
    """Any length and any even ring; byte counts that are not whole words."""
    bench, driver = await running(dut, tx_log=2)
    for i in range(12):
        data = bench.random.randbytes(bench.random.choice((1, 15, 16, 17, 47, 48, 49, 61, 333)))
        driver.give_tx(i, data)
        await driver.demand()
        while len(bench.sent) <= i:
            await bench.ticks(100)
        assert bench.sent[i][2] == data + fcs(data)
        while bench.word(driver.tx_descriptor(i) + 2) & OWN:
            await bench.ticks(100)
