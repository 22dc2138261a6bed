# SPDX-License-Identifier: BSD-2-Clause
"""CSR rules: scenarios 1 to 14 of facts/lance.md 5."""

import cocotb
from lance_bench import RAP, RDP, SSR, US, Bench
from lance_driver import Driver, running

from mcpi.testing import run_cocotb


def test_registers():
    run_cocotb(__file__, "LanceOnTc")


async def stopped(dut):
    bench = Bench(dut)
    await bench.start()
    driver = Driver(bench)
    await driver.attach()
    return bench, driver


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s01_reset(dut):
    bench, _ = await stopped(dut)
    assert await bench.read(RAP) == 0
    assert await bench.read(RDP) == 0x0004


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s02_rap_has_two_bits(dut):
    bench, _ = await stopped(dut)
    await bench.write(RAP, 0xFFFF)
    assert await bench.read(RAP) == 0x0003
    await bench.write(SSR, 1 << 16)  # LANCE into RESET and out again: RAP 0
    await bench.write(SSR, 1 << 16 | 1 << 8)
    assert await bench.read(RAP) == 0


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s03_csr1_to_3_read_back(dut):
    bench, _ = await stopped(dut)
    for number, value in ((1, 0xABCC), (2, 0x00FE), (3, 0x0007)):
        await bench.set_csr(number, value)
    assert [await bench.csr(n) for n in (1, 2, 3)] == [0xABCC, 0x00FE, 0x0007]


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s04_csr1_to_3_closed_while_running(dut):
    bench, _ = await running(dut)
    for number, value in ((1, 0x1234), (2, 0x0056), (3, 0x0007)):
        await bench.set_csr(number, value)
    await bench.set_csr(0, 0x0004)
    assert [await bench.csr(n) for n in (1, 2, 3)] == [0, 0, 0]
    await bench.set_csr(3, 7)
    await bench.set_csr(1, 0x2468)
    await bench.set_csr(0, 0x0004)  # STOP clears CSR3 and keeps CSR1
    assert [await bench.csr(n) for n in (1, 3)] == [0x2468, 0]


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


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s06_linux_open(dut):
    bench, _ = await running(dut)
    assert await bench.read(RDP) == 0x0073
    assert dut.io_interrupt.value == 0


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s07_netbsd_init(dut):
    bench, driver = await stopped(dut)
    await driver.netbsd_init()
    assert await bench.read(RDP) == 0x01F3
    assert dut.io_interrupt.value == 1
    await bench.write(RDP, 0x0140)
    assert await bench.read(RDP) == 0x0073
    assert dut.io_interrupt.value == 0


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s08_init_and_start_in_one_write(dut):
    bench, driver = await stopped(dut)
    driver.write_init_block()
    await bench.set_csr(0, 0x0003)
    await bench.wait_csr0(0x0100)
    await bench.ticks(10)
    assert await bench.read(RDP) == 0x01B3


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s09_stop_wins(dut):
    bench, _ = await running(dut)
    await bench.write(RDP, 0x0007)
    assert await bench.read(RDP) == 0x0004


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s10_stop_clears_everything(dut):
    bench, driver = await running(dut)
    await both_done(bench, driver)
    assert await bench.read(RDP) & 0x0640 == 0x0640
    assert dut.io_interrupt.value == 1
    await bench.write(RDP, 0x0004)
    assert await bench.read(RDP) == 0x0004
    assert dut.io_interrupt.value == 0


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s11_inea_while_stopped(dut):
    """The Am7990 refuses it (the C-LANCE would take it)."""
    bench, _ = await stopped(dut)
    await bench.set_csr(0, 0x0040)
    assert await bench.read(RDP) == 0x0004


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s12_write_one_to_clear(dut):
    bench, driver = await running(dut)
    await both_done(bench, driver)
    await bench.write(RDP, 0x0440)
    assert await bench.read(RDP) == 0x02F3


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s13_acknowledge_without_inea(dut):
    bench, driver = await running(dut)
    await both_done(bench, driver)
    await bench.write(RDP, 0x0400)  # INEA takes the 0
    assert await bench.read(RDP) == 0x02B3
    assert dut.io_interrupt.value == 0
    await bench.write(RDP, 0x0040)
    await bench.read(RDP)
    assert dut.io_interrupt.value == 1


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s14_receiver_or_transmitter_off(dut):
    bench, driver = await running(dut, mode=0x0001)
    assert await bench.read(RDP) == 0x0053
    await driver.linux_open(mode=0x0002)
    assert await bench.read(RDP) == 0x0063


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


async def both_done(bench, driver):
    """One frame each way; RINT and TINT pending."""
    driver.give_tx(0, bytes(60))
    await driver.demand()
    await bench.send(bytes.fromhex("08002b010203") + bytes(54))
    while await bench.read(RDP) & 0x0600 != 0x0600:
        await bench.ticks(200)
