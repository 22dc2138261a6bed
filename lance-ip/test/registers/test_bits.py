# SPDX-License-Identifier: BSD-2-Clause
"""Every bit of CSRs, init block and descriptors by itself (sources/lance.md 1.1 to 1.3)."""

import pytest
from cocotb.triggers import FallingEdge, RisingEdge

from mcpi.cocotb.lance import RDP, Bench, fcs, timed
from mcpi.cocotb.lance_driver import ENP, OWN, STATION, STP, Driver
from mcpi.hdl.cocotb_run import run_cocotb

FAST = dict.fromkeys(("word", "gap", "arbitration", "csr", "demand", "setup", "start"), 0)
FAST |= dict.fromkeys(("heartbeat", "status", "interrupt"), 0)
SPACING = 1680


@pytest.mark.long
def test_bits():
    run_cocotb(__file__, "LanceOnTc")


async def stopped(dut):
    bench = Bench(dut)
    await bench.start(**FAST)
    driver = Driver(bench)
    await driver.attach()
    return bench, driver


async def restarted(bench, driver, change=None, mode: int = 0, csr=(0, 0)) -> None:
    """STOP, a new init block (``change`` may edit it), INIT and STRT."""
    await bench.set_csr(0, 0x0004)
    driver.write_init_block(mode)
    if change:
        change()
    await bench.set_csr(1, csr[0])
    await bench.set_csr(2, csr[1])
    await bench.set_csr(0, 0x0003)
    await bench.wait_csr0(0x0100)
    await bench.write(RDP, 0x0140)
    await bench.ticks(20)


class ChipBus:
    """Every address the chip puts on its own bus (24 bits), with its kind."""

    def __init__(self, bench):
        self.bench = bench
        self.seen: list[tuple[int, bool, bool]] = []  # address, write, single
        bench.run(self._watch())

    async def _watch(self) -> None:
        chip = self.bench.dut.card.ticked_lance
        while True:
            await RisingEdge(chip.io_memory_request)
            await FallingEdge(self.bench.dut.clk)
            write, single = chip.io_memory_write.value == 1, chip.io_memory_single.value == 1
            self.seen.append((int(chip.io_memory_address.value), write, single))


@timed
async def test_csr1_and_csr2_every_bit(dut):
    """All 16 bits of both read back; as IADR only 23:1 count: the init block is read from there."""
    bench, driver = await stopped(dut)
    for number in (1, 2):
        for bit in range(16):
            await bench.set_csr(number, 1 << bit)
            assert await bench.csr(number) == 1 << bit
            await bench.set_csr(number, 0xFFFF ^ 1 << bit)
            assert await bench.csr(number) == 0xFFFF ^ 1 << bit
    bus = ChipBus(bench)
    for bit in range(24):
        await bench.set_csr(0, 0x0004)
        await bench.set_csr(1, 1 << bit & 0xFFFF)
        await bench.set_csr(2, 1 << bit >> 16)
        bus.seen.clear()
        await bench.set_csr(0, 0x0001)
        await bench.wait_csr0(0x0100)
        start = 1 << bit & ~1
        assert bus.seen == [(start + 2 * i, False, True) for i in range(12)], bit


@timed
async def test_csr0_every_bit_written(dut):
    """From STOP: what one bit alone does. From RUN: only STOP, INIT, TDMD and INEA do anything."""
    bench, driver = await stopped(dut)
    driver.write_init_block()
    expected = {0: 0x0181, 1: 0x0002, 2: 0x0004}  # INIT; STRT without init block; STOP
    for bit in range(16):
        await bench.set_csr(0, 0x0004)
        await bench.write(RDP, 1 << bit)
        await bench.ticks(4000)
        # After the first INIT an init block is known: STRT starts.
        wanted = 0x0032 if bit == 1 else expected.get(bit, 0x0004)
        assert await bench.read(RDP) == wanted, f"bit {bit} from STOP"
    for bit in range(16):
        await restarted(bench, driver)
        assert await bench.read(RDP) == 0x0073
        await bench.write(RDP, 1 << bit)
        await bench.ticks(4000)
        wanted = {0: 0x0133 | 0x80, 2: 0x0004, 6: 0x0073}.get(bit, 0x0033)
        assert await bench.read(RDP) == wanted, f"bit {bit} from RUN"


@timed
async def test_tdmd_reads_one_until_it_is_taken(dut):
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    dut.io_timing_demand.value = 2000
    await bench.write(RDP, 0x0048)
    assert await bench.read(RDP) == 0x007B
    await bench.ticks(2100)
    assert await bench.read(RDP) == 0x0073


@timed
async def test_ring_addresses_every_bit(dut):
    """RDRA and TDRA 23:3 arrive on the chip's bus; the low three bits count as zero."""
    bench, driver = await stopped(dut)
    bus = ChipBus(bench)
    for bit in range(24):
        rx, tx = 1 << bit, (1 << bit) ^ 0x5A5A58

        def change(rx=rx, tx=tx):
            bench.set_word(16, rx & 0xFFFF)
            bench.set_word(18, rx >> 16)
            bench.set_word(20, tx & 0xFFFF)
            bench.set_word(22, tx >> 16)

        bus.seen.clear()
        await restarted(bench, driver, change)
        bus.seen.clear()
        await bench.ticks(1500)  # the first poll
        looked = {a for a, write, _ in bus.seen if not write and a % 8 == 2}
        assert {(rx & ~7) + 2, (tx & ~7) + 2} <= looked, (bit, [hex(a) for a in looked])


def group_with_hash(wanted: int) -> bytes:
    """A group address that selects bit ``wanted`` of LADRF: FCS over it, not inverted, 31:26."""
    for i in range(10000):
        address = bytes([0x01, 0, 0x5E, 0, i >> 8, i & 255])
        crc = int.from_bytes(fcs(address), "little") ^ 0xFFFFFFFF
        if crc >> 26 == wanted:
            return address
    raise AssertionError("none found")


@timed
async def test_logical_filter_every_bit(dut):
    """LADRF: one address for each of the 64 bits, with random words and their complement."""
    bench, driver = await stopped(dut)
    ladrf = bench.random.getrandbits(64)
    taken = []
    for mask in (ladrf, ladrf ^ (1 << 64) - 1):

        def change(mask=mask):
            for i in range(4):
                bench.set_word(8 + 2 * i, mask >> 16 * i & 0xFFFF)

        await restarted(bench, driver, change)
        next_rx = 0
        for bit in range(64):
            await bench.send(group_with_hash(bit) + bytes(54))
            await bench.ticks(SPACING)
            accepted = not bench.word(driver.rx_descriptor(next_rx) + 2) & OWN
            assert accepted == bool(mask >> bit & 1), bit
            if accepted:
                taken.append(bit)
                driver.give_rx(next_rx)
                next_rx = (next_rx + 1) % driver.rx
    assert sorted(taken) == list(range(64))


@timed
async def test_buffer_addresses_every_bit(dut):
    """RMD0/TMD0 and bits 7:0 of RMD1/TMD1: 24 bits, on the chip's bus, kept in the write-back."""
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    await bench.ticks(2000)
    await bench.set_csr(0, 0x0004)
    bus = ChipBus(bench)
    for bit in range(4, 24):
        address = 1 << bit
        frame = STATION + bytes(54)

        def change(address=address):
            for d in (driver.rx_descriptor(0), driver.tx_descriptor(0)):
                bench.set_word(d, address & 0xFFFF)
                bench.set_word(d + 2, (0 if d >= driver.tdra else OWN) | address >> 16)
            for i in range(1, 16):
                bench.set_word(driver.rx_descriptor(i) + 2, 0)

        # Buffers lie over everything here: rings and init block end below 200 hex, so 4 to 8 hit
        # them. What matters is where the bursts go.
        await restarted(bench, driver, change)
        bus.seen.clear()
        tx = driver.tx_descriptor(0)
        bench.set_word(tx + 4, 0x10000 - 60)
        bench.set_word(tx + 2, OWN | STP | ENP | address >> 16)
        await bench.write(RDP, 0x0048)
        await bench.ticks(14000)
        if bit >= 9:
            await bench.send(frame)
            await bench.ticks(SPACING)
        bursts = [(a, w) for a, w, single in bus.seen if not single]
        reads = [a for a, w in bursts if not w]
        writes = [a for a, w in bursts if w]
        assert reads == [address + 16 * i for i in range(4)], (bit, reads)
        if bit >= 9:
            assert writes == [address + 16 * i for i in range(4)], (bit, writes)
            assert bench.word(tx + 2) == STP | ENP | address >> 16
            assert bench.word(driver.rx_descriptor(0) + 2) == STP | ENP | address >> 16


@timed
async def test_buffer_lengths_every_bit(dut):
    """TMD2 and RMD2: two's complement in 11:0; 15:12 may hold anything; zero means 4096."""
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    bench.set_word(driver.rx_descriptor(1) + 2, 0)
    for i, size in enumerate((1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)):
        d = driver.tx_descriptor(i)
        driver.give_tx(i, bytes(size), flags=0)
        bench.set_word(d + 4, (0x10000 - size) & 0x0FFF | bench.random.getrandbits(4) << 12)
        bench.set_word(d + 2, OWN | STP | ENP)
        await bench.write(RDP, 0x0048)
        while bench.word(d + 2) & OWN:
            await bench.ticks(1000)
        assert len(bench.sent[-1][2]) == size + 4
    d = driver.tx_descriptor(12)
    bench.set_word(d + 4, 0)
    bench.set_word(d, 0x1000)
    bench.set_word(d + 2, OWN | STP | ENP)
    await bench.write(RDP, 0x0048)
    while bench.word(d + 2) & OWN:
        await bench.ticks(1000)
    assert len(bench.sent[-1][2]) == 4096 + 4
    assert bench.word(d + 2) == STP | ENP


@timed
async def test_receive_buffers_of_every_length(dut):
    """Chained over buffers of 64 to 2048 bytes and of 4096: RMD2's bits, and MCNT's."""
    for size, length in (
        (64, 200),
        (128, 300),
        (256, 600),
        (512, 1100),
        (1024, 1500),
        (2048, 2500),
    ):
        bench, driver = await stopped(dut)
        driver.buffer = size
        await restarted(bench, driver)
        frame = STATION + bench.random.randbytes(length - 6)
        await bench.send(frame)
        await bench.ticks(SPACING)
        whole = frame + fcs(frame)
        last = (len(whole) - 1) // size
        for i in range(last + 1):
            d = driver.rx_descriptor(i)
            flags = (STP if i == 0 else 0) | (ENP if i == last else 0)
            assert bench.word(d + 2) == flags, (size, i)
            piece = whole[size * i : size * (i + 1)]
            assert bench.buffer(driver.rx_buffer(i), len(piece)) == piece
        assert bench.word(driver.rx_descriptor(last) + 6) == len(whole)
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    bench.set_word(driver.rx_descriptor(0) + 4, 0)  # 4096
    frame = STATION + bench.random.randbytes(4000 - 6)
    await bench.send(frame)
    await bench.ticks(SPACING)
    assert bench.word(driver.rx_descriptor(0) + 2) == STP | ENP
    assert bench.word(driver.rx_descriptor(0) + 6) == 4004


@timed
async def test_transmit_from_any_byte(dut):
    """Buffers that start anywhere, in pieces of any size: no bus cycle, and no silo, gets stuck."""
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    for pieces in ((20, 100), (5, 7, 9, 60), (100, 1), (1,) * 6 + (70,), (33, 33, 33)):
        data = bench.random.randbytes(sum(pieces))
        at = 0
        first = driver.next_tx
        for n, size in enumerate(pieces):
            flags = (STP if n == 0 else 0) | (ENP if n == len(pieces) - 1 else 0)
            i = first + n
            d = driver.tx_descriptor(i)
            start = driver.tx_buffer(i) + bench.random.randint(0, 15)
            bench.set_buffer(start, data[at : at + size])
            bench.set_word(d, start & 0xFFFF)
            bench.set_word(d + 4, 0x10000 - size)
            bench.set_word(d + 2, (OWN if n else 0) | flags)
            at += size
        driver.next_tx = first + len(pieces)
        bench.set_word(driver.tx_descriptor(first) + 2, OWN | STP)
        await bench.write(RDP, 0x0048)
        while bench.word(driver.tx_descriptor(driver.next_tx - 1) + 2) & OWN:
            await bench.ticks(500)
        assert bench.sent[-1][2] == data + fcs(data), pieces
        assert bench.word(driver.tx_descriptor(driver.next_tx - 1) + 2) == ENP


@timed
async def test_descriptor_bits_the_chip_writes_back(dut):
    """TMD1 14:10 are the chip's: what software left there is gone after a frame; TMD3 is not."""
    bench, driver = await stopped(dut)
    await restarted(bench, driver)
    for i, junk in enumerate((0x0400, 0x0800, 0x1000, 0x2000, 0x4000, 0x7C00)):
        driver.give_tx(i, bytes(60), junk | STP | ENP, tmd3=0xFFFF)
        await bench.write(RDP, 0x0048)
        await bench.ticks(15000)
        assert bench.word(driver.tx_descriptor(i) + 2) == STP | ENP, hex(junk)
        assert bench.word(driver.tx_descriptor(i) + 6) == 0xFFFF
    for i, junk in enumerate((0x0100, 0x0200, 0x0400, 0x0800, 0x1000, 0x2000, 0x4000)):
        d = driver.rx_descriptor(i)
        bench.set_word(d + 2, OWN | junk)
    await restarted_rings(bench, driver)
    for i in range(7):
        await bench.send(STATION + bytes(54))
        await bench.ticks(SPACING)
        assert bench.word(driver.rx_descriptor(i) + 2) == STP | ENP


async def restarted_rings(bench, driver) -> None:
    """INIT again from STOP, the rings as they are."""
    await bench.set_csr(0, 0x0004)
    await bench.set_csr(0, 0x0003)
    await bench.wait_csr0(0x0100)
    await bench.write(RDP, 0x0140)
