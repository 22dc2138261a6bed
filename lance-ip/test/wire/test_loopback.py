# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the parts of scenario 40 of sources/lance.md 5 and of its 1.7 that rows of
``sheet_receive.py`` do not see: attempts that stay inside, pins, a cable."""

import cocotb
from cocotb.triggers import RisingEdge

from mcpi.cocotb.lance import NIBBLE, RDP, US, fcs, timed
from mcpi.cocotb.lance_driver import ENP, ERR, OWN, STATION, STP, running
from mcpi.hdl.cocotb_run import run_cocotb

EXTERNAL, INTERNAL, COLL, RTRY = 0x0004, 0x0044, 0x0010, 0x0400


def test_loopback():
    run_cocotb(__file__, "LanceOnTc")


async def looped(dut, mode: int, frame: bytes, echo: bool = False, **options):
    """Sends ``frame`` in a loopback mode until both sides are done; returns (bench, driver)."""
    bench, driver = await running(dut, mode=mode, **options)
    await bench.ticks(20 * US)
    if echo:
        bench.run(cable(bench))
    driver.give_tx(0, frame)
    await driver.demand()
    await bench.wait_csr0(0x0200)
    await bench.ticks(60 * US)
    return bench, driver


async def cable(bench) -> None:
    """Outside: what the chip sends comes back two nibbles later."""
    d = bench.dut
    while True:
        await RisingEdge(d.io_mii_txStrobe)
        nibble, enable = int(d.io_mii_txd.value), int(d.io_mii_txEn.value)
        bench.run(later(bench, nibble, enable))


async def later(bench, nibble: int, enable: int) -> None:
    d = bench.dut
    await bench.ticks(2 * NIBBLE + 3)
    d.io_mii_rxd.value, d.io_mii_rxDv.value, d.io_mii_rxStrobe.value = nibble, enable, 1
    await RisingEdge(d.clk)
    d.io_mii_rxStrobe.value = 0


def received(bench, driver, i: int = 0) -> tuple[int, bytes]:
    """RMD1's upper half and the buffer's bytes (MCNT of them)."""
    d = driver.rx_descriptor(i)
    return bench.word(d + 2), bench.buffer(driver.rx_buffer(i), bench.word(d + 6))


@timed
async def test_s40_forced_collision(dut):
    """COLL: sixteen attempts, RTRY; nobody outside sees any of them."""
    bench, driver = await running(dut, mode=INTERNAL | COLL)
    await bench.ticks(20 * US)
    strobes = []

    async def watch():
        while True:
            await RisingEdge(dut.io_mii_txStrobe)
            strobes.append(bench.now)

    bench.run(watch())
    first = []

    async def attempts():
        while True:
            await RisingEdge(dut.io_events_firstBit)
            first.append(bench.now)

    bench.run(attempts())
    driver.give_tx(0, STATION + bytes(26))
    await driver.demand()
    bench.skipping = True
    await RisingEdge(dut.io_events_interrupt)
    bench.skipping = False
    await bench.ticks(200)
    d = driver.tx_descriptor(0)
    assert bench.word(d + 2) == ERR | STP | ENP
    assert bench.word(d + 6) == RTRY
    assert len(first) == 16 and not strobes
    assert await bench.read(RDP) == 0x02F3, "nothing received"


@timed
async def test_coll_counts_only_in_internal_loopback(dut):
    frame = STATION + bytes(54)
    for mode in (COLL, EXTERNAL | COLL):
        bench, driver = await looped(dut, mode, frame)
        assert bench.word(driver.tx_descriptor(0) + 2) == STP | ENP
        assert bench.sent[0][2] == frame + fcs(frame)


@timed
async def test_internal_overlooks_the_wire(dut):
    """Traffic outside is ignored: frames, carrier and collisions."""
    bench, driver = await running(dut, mode=INTERNAL, half=True)
    dut.io_mii_crs.value = dut.io_mii_col.value = 1
    outside = cocotb.start_soon(bench.send(STATION + bytes(54)))
    frame = STATION + bytes(range(26))
    await bench.ticks(10 * US)
    driver.give_tx(0, frame)
    await driver.demand()
    await outside
    await bench.ticks(60 * US)
    assert received(bench, driver) == (STP | ENP, frame + fcs(frame))
    assert bench.word(driver.rx_descriptor(1) + 2) & OWN, "and no other"
    assert bench.word(driver.tx_descriptor(0) + 2) == STP | ENP


@timed
async def test_a_frame_in_flight_does_not_spoil_the_first_of_a_loopback(dut):
    """A frame for somebody else comes in from before STOP until after the loopback; then the chip
    goes back to the wire, in the middle of another."""
    bench, driver = await running(dut, poll_phase=0)
    other = b"\x08\x00\x2b\x01\x02\x04"
    outside = bench.run(bench.send(other + bench.random.randbytes(1490)))
    await bench.ticks(100 * US)
    await driver.linux_open(mode=INTERNAL)
    frame = STATION + bench.random.randbytes(14)
    driver.give_tx(0, frame)
    await driver.demand()
    await bench.wait_csr0(0x0200)
    await bench.ticks(60 * US)
    assert not outside.done()
    assert received(bench, driver) == (STP | ENP, frame + fcs(frame))
    await outside
    await bench.ticks(1680)
    inner = b"\xd5" + STATION + bytes(80)  # looks like a frame, inside one
    outside = bench.run(bench.send(other + bytes(400) + inner + bytes(400)))
    await bench.ticks(100 * US)
    await driver.linux_open()
    assert not outside.done()
    await outside
    await bench.ticks(1680)
    assert await bench.read(RDP) == 0x0073
    await bench.send(STATION + bytes(54))
    await bench.ticks(60 * US)
    assert received(bench, driver) == (STP | ENP, STATION + bytes(54) + fcs(STATION + bytes(54)))


@timed
async def test_external(dut):
    """Out and in again through the MII; shorter than a runt, as loopback frames are."""
    frame = STATION + bytes(range(26))
    for half in (False, True):
        bench, driver = await looped(dut, EXTERNAL, frame, echo=True, half=half)
        assert bench.sent[0][2] == frame + fcs(frame)
        assert received(bench, driver) == (STP | ENP, frame + fcs(frame))
