# SPDX-License-Identifier: BSD-2-Clause
"""INIT in ticks, what it reads and what not (scenario 5 of sources/lance.md 5). The other rules of
the CSRs are rows of ``sheet_registers.py``."""

import cocotb
from cocotb.triggers import with_timeout

from mcpi.cocotb.bus import PERIOD
from mcpi.cocotb.lance import RDP, SSR, TIMES, US, Bench
from mcpi.cocotb.lance_driver import Driver, running
from mcpi.hdl.cocotb_run import run_cocotb


def test_registers():
    run_cocotb(__file__, "LanceOnTc")


async def stopped(dut):
    bench = Bench(dut)
    await bench.start()
    driver = Driver(bench)
    await driver.attach()
    return bench, driver


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s05_init(dut):
    bench, driver = await stopped(dut)
    driver.write_init_block()
    await bench.select(0)
    start = bench.now
    await bench.write(RDP, 0x0001)
    assert await bench.read(RDP) & 0x0104 == 0, "STOP falls at once, IDON is not yet there"
    await bench.ticks(31 * US)  # no polling: it would move the accesses by a TURBOchannel cycle
    assert await bench.wait_csr0(0x0100, us=1) == 0x0181
    reads = bench.dma_log
    assert [(a, w) for _, a, w, _ in reads] == [
        (0x20000 + 4 * i & ~15, False) for i in range(12)
    ], "twelve single reads in the gap2 layout"
    assert len(reads) == 12
    gaps = [b[0] - a[0] for a, b in zip(reads, reads[1:])]
    # A + Tw + G = 2.5 us each, on the TURBOchannel's grid of 7 ticks, and two ticks of logic. The
    # first read had the bus later: the access of CSR0 above went before it.
    assert all(abs(gap - 2.5 * US) < 7 for gap in gaps[1:]), gaps
    assert abs(sum(gaps[1:]) / 10 - 2.5 * US) < 3, gaps
    assert reads[-1][0] - start < 1000 * US, "Linux waits for one millisecond"


NO_DMA, DMA = 1 << 8, 1 << 16 | 1 << 8  # of SSR: without it READY stays away


async def nothing_starts(bench, driver) -> None:
    """For two polls of the rings: a frame to be sent and one that comes in stay where they are."""
    before = len(bench.dma_log)
    driver.give_tx(0, bytes(60))
    await bench.send(bytes.fromhex("08002b010203") + bytes(54))
    await bench.ticks(4000 * US)
    assert len(bench.dma_log) == before and not bench.sent


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_nothing_starts_after_an_init_that_met_merr(dut):
    """INIT and STRT in one write, or one after the other: no receiver and no transmitter on a block
    that was not read, nor on the one before it. A new INIT reads all of it, then STRT counts."""
    for at_once in (True, False):
        bench, driver = await running(dut)
        await bench.write(RDP, 0x0004)
        await bench.write(SSR, NO_DMA)
        await bench.write(RDP, 0x0003 if at_once else 0x0001)
        assert await bench.wait_csr0(0x0800) == (0x8883 if at_once else 0x8881)
        await bench.write(SSR, DMA)
        await bench.write(RDP, 0x0002)
        assert await bench.read(RDP) == 0x8883
        await nothing_starts(bench, driver)
        driver.write_init_block()
        before = len(bench.dma_log)
        await bench.write(RDP, 0x0001)
        await bench.wait_csr0(0x0100)
        assert len(bench.dma_log) >= before + 12
        await bench.ticks(10)
        assert await bench.read(RDP) == 0x89B3


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_no_idon_without_twelve_words(dut):
    """After an INIT that met MERR, and while a block is being read; again only when it was."""
    bench, driver = await stopped(dut)
    driver.write_init_block()
    await bench.write(SSR, NO_DMA)
    await bench.set_csr(0, 0x0001)
    await bench.wait_csr0(0x0800)
    await bench.write(SSR, DMA)
    await bench.write(RDP, 0x0801)  # reads it now
    await bench.write(RDP, 0x0001)  # no effect
    await bench.wait_csr0(0x0100)
    assert len(bench.dma_log) == 12
    assert await bench.read(RDP) == 0x0181
    await bench.write(RDP, 0x0101)  # the flag again, nothing is read
    assert await bench.read(RDP) == 0x0181
    await bench.ticks(100 * US)
    assert len(bench.dma_log) == 12


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_stop_while_the_block_is_read(dut):
    """STRT has no block afterwards, although there was one before."""
    bench, driver = await running(dut)
    await bench.write(RDP, 0x0004)
    await bench.write(RDP, 0x0001)
    await bench.ticks(10 * US)
    await bench.write(RDP, 0x0004)
    await bench.write(RDP, 0x0002)
    assert await bench.read(RDP) == 0x0002
    await nothing_starts(bench, driver)


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_stop_as_the_last_word_comes(dut):
    """STOP in the ticks about the end of the block's last word: CSR0 is 0004, and the next INIT
    reads a block. A gap of each length puts that end into each tick of a bus cycle."""
    for gap in range(60, 67):
        bench = Bench(dut)
        times = {"csr": 6, "word": 5, "arbitration": 9, "gap": gap}
        await bench.start(**{name: ticks * 1000 / US for name, ticks in times.items()})
        driver = Driver(bench)
        await driver.attach()
        driver.write_init_block()
        await bench.select(0)
        for cycle in range(4, 12):
            await bench.write(RDP, 0x0001)
            before = len(bench.dma_log)
            while len(bench.dma_log) < before + 12:
                await bench.ticks(1)
            await bench.ticks(20 + 7 * cycle)
            await bench.write(RDP, 0x0004)
            assert await bench.read(RDP) == 0x0004, (gap, cycle)
            await bench.ticks(300)


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_an_access_ends_while_the_chip_polls(dut):
    """A poll interval shorter than the polls take on the bus: DMA is wanted all the time, and a
    read waits for two bursts at most."""
    bench, driver = await running(dut, **dict.fromkeys(TIMES, 0) | {"poll": 100 * US})
    for n in range(driver.rx):
        driver.give_rx(n, own=False)
    bench.dma_latency = 60
    dut.io_timing_poll.value = US
    await bench.ticks(110 * US)
    for _ in range(20):
        began = bench.now
        await with_timeout(bench.read(RDP), 1000 * PERIOD, "ns")
        assert bench.now - began < 300
        await bench.ticks(37)


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_no_init_under_live_rings(dut):
    """STOP and STRT go on with the block there is, INIT beside STOP is none; INIT then reads
    nothing until STOP."""
    bench, driver = await running(dut, poll_phase=100 * US)
    await bench.write(RDP, 0x0007)
    await bench.write(RDP, 0x0002)
    assert await bench.read(RDP) == 0x0032
    before = len(bench.dma_log)
    await bench.write(RDP, 0x0001)
    await bench.write(RDP, 0x0001)
    await bench.ticks(50 * US)
    assert await bench.read(RDP) == 0x0033
    assert len(bench.dma_log) == before
    data = bench.random.randbytes(60)
    driver.give_tx(0, data)
    await bench.write(RDP, 0x0008)
    await bench.wait_csr0(0x0200)
    assert [sent[:60] for *_, sent in bench.sent] == [data]
