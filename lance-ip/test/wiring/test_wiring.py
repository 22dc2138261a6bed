# SPDX-License-Identifier: BSD-2-Clause
"""IOASIC and TURBOchannel as the LANCE sees them: scenarios 39, 42, 43; virtual time."""

import cocotb

from mcpi.cocotb.lance import (
    POINTER,
    RDP,
    ROM,
    SIMR,
    SIR,
    SLOT7,
    SLOT_REGISTER,
    SSR,
    US,
    WINDOW,
    Bench,
    fcs,
    sparse,
)
from mcpi.cocotb.lance_driver import STATION, running
from mcpi.hdl.cocotb_run import run_cocotb


def test_wiring():
    run_cocotb(__file__, "LanceOnTc")


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s39_no_ready(dut):
    """DMA disabled in SSR: the chip waits 25.6 us, then MERR; with INIT there is no IDON."""
    bench, driver = await running(dut)
    await bench.ticks(40 * US)
    await bench.write(SSR, 1 << 8)
    driver.give_tx(0, bytes(60))
    handover = await driver.demand()
    line = await bench.wait_line(1, us=100)
    # csr + demand + READY's time
    assert abs((line - handover) / US - (1.0 + 3.0 + 25.6)) < 0.5, (line - handover) / US
    assert await bench.read(RDP) & ~0x0008 == 0x88C3, "MERR and ERR, RXON and TXON 0"
    await bench.write(RDP, 0x0004)
    await bench.write(RDP, 0x0001)
    await bench.ticks(40 * US)
    assert await bench.read(RDP) == 0x8881, "no IDON"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_dma_read_error(dut):
    bench, driver = await running(dut)
    await bench.ticks(40 * US)
    bench.dma_error = True
    driver.give_tx(0, bytes(60))
    await driver.demand()
    await bench.wait_line(1, us=100)
    assert await bench.read(SIR) == 1 << 16 | 1 << 8
    await bench.write(SIR, 0)
    assert await bench.read(SIR) == 1 << 8, "the LANCE's own bit follows its line"
    assert await bench.read(RDP) & 0x8800 == 0x8800


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s42_gap_layout(dut):
    bench, driver = await running(dut)
    start = driver.rx_buffer(0)
    for i in range(0x20000):
        if bench.memory[WINDOW + i] == 0:
            bench.memory[WINDOW + i] = 0xEE if i >= 2 * start else 0
    before = bytes(bench.memory)
    await bench.ticks(30 * US)
    frame = STATION + bench.random.randbytes(54)
    bench.dma_log.clear()
    await bench.send(frame)
    await bench.wait_line(1)
    whole = frame + fcs(frame)
    for i in range(64):
        at = WINDOW + ((2 * (start + i)) & ~31) + ((start + i) & 15)
        assert bench.memory[at] == whole[i]
    changed = {i for i in range(len(before)) if bench.memory[i] != before[i]}
    buffer = {bench.byte_at(start + i) for i in range(64)}
    d = {WINDOW + 2 * driver.rx_descriptor(0) + o for o in (4, 5, 6, 7, 12, 13, 14, 15)}
    assert changed <= buffer | d, "the gaps between 16-byte pieces are as they were"
    bursts = [(a, m) for _, a, w, m in bench.dma_log if w and a >= WINDOW + 2 * start]
    assert bursts == [(WINDOW + 2 * start + 32 * i, 0xFFFF) for i in range(4)]


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s43_station_rom(dut):
    """Read the ROM as Linux probes it: address, then FF 00 55 AA; and forward, backward, forward
    copies."""
    bench = Bench(dut)
    await bench.start()
    rom = bytes([await bench.read(ROM + 4 * i) & 0xFF for i in range(32)])
    assert rom[:6] == STATION
    assert rom[8:16] == rom[:8][::-1] and rom[16:24] == rom[:8]
    assert rom[24:] == bytes.fromhex("ff0055aaff0055aa")
    total = 0
    for i in (0, 2, 4):
        total = total * 2
        total = (total & 0xFFFF) + (total >> 16) + int.from_bytes(STATION[i : i + 2], "big")
        total = (total & 0xFFFF) + (total >> 16)
    assert int.from_bytes(rom[6:8], "big") == total


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_registers_of_the_ioasic(dut):
    bench = Bench(dut)
    await bench.start()
    for offset in (POINTER, SSR, SIMR, SLOT_REGISTER):
        value = bench.random.getrandbits(32) & ~0x100
        await bench.write(offset, value)
        assert await bench.read(offset) == value
    # Dense: a quadword is two accesses; a longword write touches one register only.
    await bench.access(SLOT7 + SIMR, True, 0x12345678)
    data, error, _ = await bench.access(SLOT7 + SIMR, False, quad=True)
    assert (data, error) == (0x12345678, False)
    # Sparse quadword: the byte mask travels in bits 35:32.
    await bench.access(sparse(SIMR), True, 0b0101 << 32 | 0xAABBCCDD, quad=True)
    assert await bench.read(SIMR) == 0x12BB56DD


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_simr_masks_the_interrupt(dut):
    """The LANCE's bit stands in SIR whatever SIMR says; the slot's line is both."""
    bench, driver = await running(dut)
    driver.give_tx(0, bytes(60))
    await driver.demand()
    await bench.wait_line(1)
    for mask, line in ((0, 0), (0x100, 1), (0xFFFFFEFF, 0)):
        await bench.write(SIMR, mask)
        await bench.ticks(20)
        assert await bench.read(SIR) & 0x100
        assert int(dut.io_interrupt.value) == line, hex(mask)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_timeout(dut):
    """A slot that is not there: an error after 512 cycles of 7 ticks."""
    bench = Bench(dut)
    await bench.start()
    data, error, ticks = await bench.access(0x1_2000_0000, False)
    assert error
    assert abs(ticks - 512 * 7) <= 14, ticks


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_access_times(dut):
    """Programmed I/O: a read of the IOASIC is 5 TURBOchannel cycles and what the grid costs."""
    bench = Bench(dut)
    await bench.start()
    for _ in range(20):
        await bench.ticks(bench.random.randint(20, 60))
        *_, ticks = await bench.access(sparse(SSR), False)
        assert 3 * 7 <= ticks <= 5 * 7, ticks
    bench.dut._log.info(f"sparse read: {ticks} ticks")


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_csr_write_is_posted(dut):
    """A write of CSR0 answers at once and reaches the chip 1.0 us later; a read waits for it."""
    bench, _ = await running(dut)
    await bench.ticks(2 * US)
    *_, write = await bench.access(sparse(RDP), True, 0x0040)
    data, _, read = await bench.access(sparse(RDP), False)
    assert write <= 5 * 7
    assert data == 0x0073
    assert 1.0 * US - 14 <= read <= 1.0 * US + 6 * 7, read
