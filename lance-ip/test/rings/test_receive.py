# SPDX-License-Identifier: BSD-2-Clause
"""Receive: scenarios 29, 30 and 38 of sources/lance.md 5, random frames, both directions; the
others are rows of ``sheet_receive.py`` and ``sheet_init.py``."""

import cocotb
from cocotb.triggers import RisingEdge

from mcpi.cocotb.lance import NIBBLE, RDP, US, WINDOW, fcs
from mcpi.cocotb.lance_driver import ENP, ERR, OWN, STATION, STP, running
from mcpi.hdl.cocotb_run import run_cocotb

SPACING = 1680  # ticks between frames: 9.6 us


def test_receive():
    run_cocotb(__file__, "LanceOnTc")


def frame_to(destination: bytes, bench, size: int = 60) -> bytes:
    return destination + bench.random.randbytes(size - len(destination))


def check_received(bench, driver, i: int, frame: bytes) -> None:
    """Descriptor i holds exactly this frame, without an error."""
    d = driver.rx_descriptor(i)
    size = len(frame) + 4
    assert bench.word(d + 2) == STP | ENP, f"RMD1 {bench.word(d + 2):04x}"
    assert bench.word(d + 6) == size
    assert bench.buffer(driver.rx_buffer(i), size) == frame + fcs(frame)


async def send(bench, frame, **options):
    last = await bench.send(frame, **options)
    await bench.ticks(SPACING)
    return last


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s29_unicast(dut):
    bench, driver = await running(dut)
    frame = frame_to(STATION, bench)
    last = await bench.send(frame)
    line = await bench.wait_line(1, us=100)
    check_received(bench, driver, 0, frame)
    assert bench.word(driver.rx_descriptor(0) + 6) == 64
    ring = [WINDOW + 2 * driver.rx_descriptor(0), WINDOW + 2 * driver.rx_descriptor(1)]
    written = [(a, m) for _, a, w, m in bench.dma_log if w and ring[0] <= a < ring[1]]
    assert written == [(ring[0], 0xF000), (ring[0], 0x00F0)], "RMD3, then RMD1: OWN last of all"
    assert await bench.read(RDP) == 0x04F3
    # the last burst, microcode, two descriptor words, interrupt: sources/lance.md 2's terms
    assert 10 * US < line - last < 30 * US, (line - last) / US
    dut._log.info(f"last bit to interrupt: {(line - last) / US:.2f} us")


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s30_not_for_us(dut):
    bench, driver = await running(dut)
    await bench.ticks(30 * US)
    before, csr0 = len(bench.dma_log), await bench.read(RDP)
    await send(bench, frame_to(bytes.fromhex("08002b010204"), bench))
    await bench.ticks(100 * US)
    assert len(bench.dma_log) == before, "no bus cycle"
    assert await bench.read(RDP) == csr0


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_a_runt_that_chained(dut):
    """Buffers under 64 bytes, which DS p.28 forbids: what a runt filled is given back; the next
    frame begins, with STP, in the buffer where the runt ended."""
    bench, driver = await running(dut, buffer=48)
    status = [driver.rx_descriptor(i) + 2 for i in range(3)]
    await send(bench, frame_to(STATION, bench, size=50))
    await bench.ticks(100 * US)
    assert [bench.word(d) for d in status] == [STP, OWN, OWN]
    assert await bench.read(RDP) == 0x0073, "no RINT"
    frame = frame_to(STATION, bench)
    await send(bench, frame)
    await bench.ticks(40 * US)
    assert [bench.word(d) for d in status] == [STP, STP, ENP]
    assert bench.word(driver.rx_descriptor(2) + 6) == 64
    whole = frame + fcs(frame)
    assert bench.buffer(driver.rx_buffer(1), 64) == whole


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_s38_overflow(dut):
    bench, driver = await running(dut)

    async def stall():
        await bench.ticks(100 * US)
        bench.dma_stalled = True
        await bench.ticks(20 * US)
        bench.dma_stalled = False

    bench.dma_latency = 10
    lance = dut.card.ticked_lance
    full = []

    async def watch():
        await RisingEdge(lance.receiveWire_1.overflow)
        full.append(int(lance.receiveSilo.used.value))

    cocotb.start_soon(watch())
    cocotb.start_soon(stall())
    bench_dma = 60 * US
    await bench.ticks(1)
    # three stalls fill 48 bytes although each is shorter than READY's 25.6 us
    bench.dma_latency = 20 * US
    frame = frame_to(STATION, bench, size=400)
    await bench.send(frame)
    await bench.ticks(bench_dma)
    bench.dma_latency = 10
    await bench.wait_csr0(0x0400)
    status = bench.word(driver.rx_descriptor(0) + 2)
    assert status == ERR | 0x1000 | STP, hex(status)
    assert full == [48], "bytes in the silo"


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_buffer_error_and_overflow(dut):
    """No next buffer, and the silo has lost bytes by the time the chip finds out: BUFF and OFLO."""
    bench, driver = await running(dut, buffer=64)
    driver.give_rx(1, own=False)
    await bench.ticks(30 * US)
    bench.dma_latency = 20 * US  # below READY's 25.6 us; the wire brings 25 bytes meanwhile
    bench.run(bench.send(frame_to(STATION, bench, size=260)))
    await RisingEdge(dut.card.ticked_lance.receiveWire_1.overflow)
    bench.dma_latency = 10
    await bench.wait_csr0(0x0400)
    status = bench.word(driver.rx_descriptor(0) + 2)
    assert status == ERR | 0x1400 | STP, hex(status)


async def overflowed(dut, buffer: int):
    """A frame of 400 bytes against slow memory; returns (bench, driver, bytes in the silo's
    hands)."""
    bench, driver = await running(dut, buffer=buffer)
    await bench.ticks(30 * US)
    bench.dma_latency = 20 * US
    wire = dut.card.ticked_lance.receiveWire_1
    sending = bench.run(bench.send(frame_to(STATION, bench, size=400)))
    await RisingEdge(wire.overflow)
    bench.dma_latency = 10
    await sending
    stored = int(wire.stored.value)
    await bench.wait_csr0(0x0400)
    return bench, driver, stored


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_overflow_before_the_next_buffer_is_looked_at(dut):
    """BUFF's second cause: the buffer is full and the frame is not over, but the silo lost bytes
    before the chip looked at the next descriptor: BUFF and OFLO, and the next is not touched."""
    bench, driver, stored = await overflowed(dut, 1536)
    assert bench.word(driver.rx_descriptor(0) + 2) == ERR | 0x1000 | STP, "no chain: OFLO alone"
    for buffer in (stored - 8, stored):  # more in the silo; or its last byte fills the buffer
        bench, driver, again = await overflowed(dut, buffer)
        assert again == stored
        status = [bench.word(driver.rx_descriptor(i) + 2) for i in range(2)]
        assert status == [ERR | 0x1400 | STP, OWN], [hex(s) for s in status]
        frame = frame_to(STATION, bench)
        await bench.ticks(100 * US)
        await send(bench, frame)
        await bench.ticks(60 * US)
        check_received(bench, driver, 1, frame)


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def test_more_frame_ends_than_the_chip_can_hold(dut):
    """Runts of six bytes, 0.4 us apart, to slow memory: of each the end waits for the ring. None
    of them spoils the frame after them; what can't wait is MISS."""
    for count in (9, 10, 11, 12, 20, 40):
        bench, driver = await running(dut)
        await bench.ticks(30 * US)
        bench.dma_latency = 24 * US - 100  # below READY's 25.6 us
        for _ in range(count):
            await bench.send(STATION, bare=True)
            await bench.ticks(NIBBLE)
        bench.dma_latency = 10
        await bench.ticks(200 * US)
        assert await bench.read(RDP) == (0x90F3 if count == 40 else 0x0073), count
        frame = frame_to(STATION, bench)
        await send(bench, frame)
        await bench.ticks(60 * US)
        check_received(bench, driver, 0, frame)
        assert bench.word(driver.rx_descriptor(1) + 2) == OWN


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_receive_error_of_the_phy(dut):
    """RX_ER with any nibble of a frame spoils its FCS; outside a frame it means nothing."""
    bench, driver = await running(dut)
    frame = frame_to(STATION, bench)
    for i, at in enumerate((16, 80, 143)):
        await send(bench, frame, error_at=at)
        await bench.ticks(20 * US)
        assert bench.word(driver.rx_descriptor(i) + 2) == ERR | 0x0800 | STP | ENP
    await send(bench, frame, error_at=3)
    await bench.ticks(20 * US)
    check_received(bench, driver, 3, frame)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_random_frames(dut):
    """Every length class, ring of four entries wrapping, buffers given back as a driver does."""
    bench, driver = await running(dut, rx_log=2)
    for i in range(16):
        frame = frame_to(STATION, bench, bench.random.choice((60, 61, 62, 63, 64, 75, 300, 1514)))
        await send(bench, frame)
        while bench.word(driver.rx_descriptor(i) + 2) & OWN:
            await bench.ticks(100)
        check_received(bench, driver, i, frame)
        driver.give_rx(i)


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_back_to_back(dut):
    """Frames 9.6 us apart: the silo carries the one while the other's status is written."""
    bench, driver = await running(dut)
    frames = [frame_to(STATION, bench, bench.random.randint(60, 90)) for _ in range(12)]
    for frame in frames:
        await send(bench, frame)
    await bench.ticks(60 * US)
    for i, frame in enumerate(frames):
        check_received(bench, driver, i, frame)
    assert await bench.read(RDP) == 0x04F3


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_both_directions(dut):
    """Sending and receiving at once; one DMA engine serves both.

    With the fitted times a burst each way costs 13.4 us of every 12.8: no half-duplex chip had to
    do that. Without arbitration and gap there is room for both.
    """
    bench, driver = await running(dut, arbitration=0, gap=0)
    out = [bench.random.randbytes(bench.random.randint(60, 300)) for _ in range(8)]
    into = [frame_to(STATION, bench, bench.random.randint(60, 300)) for _ in range(8)]
    for i, frame in enumerate(out):
        driver.give_tx(i, frame)
    await driver.demand()
    for frame in into:
        await send(bench, frame)
    while len(bench.sent) < 8:
        await bench.ticks(500)
    await bench.ticks(60 * US)
    assert [f for _, _, f in bench.sent] == [f + fcs(f) for f in out]
    for i, frame in enumerate(into):
        check_received(bench, driver, i, frame)
    for i in range(8):
        assert bench.word(driver.tx_descriptor(i) + 2) == STP | ENP


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def test_both_directions_overload(dut):
    """At the machine's own times the transmitter runs dry, says so, and receive stays correct."""
    bench, driver = await running(dut)
    driver.give_tx(0, bench.random.randbytes(1514))
    await driver.demand()
    into = [frame_to(STATION, bench, 60) for _ in range(16)]
    for frame in into:
        await send(bench, frame)
    await bench.ticks(60 * US)
    for i, frame in enumerate(into):
        check_received(bench, driver, i, frame)
    d = driver.tx_descriptor(0)
    assert bench.word(d + 2) == ERR | STP | ENP
    assert bench.word(d + 6) == 0x4000, "UFLO"
    assert await bench.read(RDP) & 0x0010 == 0, "TXON is 0"
