# SPDX-License-Identifier: BSD-2-Clause
"""`lance.chip = "c-lance"`: what the Am79C90 does otherwise (sources/lance.md 1.1 to 1.3, 1.6)."""

import cocotb
from cocotb.triggers import RisingEdge
from lance_support.segment import CABLE, SLOT, Segment

from mcpi.cocotb.lance import NIBBLE, RDP, US, fcs, timed
from mcpi.cocotb.lance_driver import ENP, ERR, STATION, STP, running
from mcpi.hdl.cocotb_run import run_cocotb

ADD_FCS, DTCR, EMBA = 0x2000, 0x0008, 0x0080
COLLISIONS = 6  # enough for a long backoff


def test_c_lance():
    run_cocotb(__file__, "LanceOnTc", settings={"lance.chip": "c-lance"})


@timed
async def test_tmd1_bit_13_adds_the_fcs(dut):
    """ADD_FCS of the first descriptor goes before DTCR."""
    bench, driver = await running(dut, mode=DTCR)
    data = bench.random.randbytes(160)
    driver.give_tx(0, data[:60], STP | ENP)
    driver.give_tx(1, data[:60], ADD_FCS | STP | ENP)
    driver.give_tx(3, data[100:], ADD_FCS | ENP)
    driver.give_tx(2, data[:100], STP)
    await driver.demand()
    while len(bench.sent) < 3:
        await bench.ticks(500)
    assert [f for _, _, f in bench.sent] == [data[:60], data[:60] + fcs(data[:60]), data]
    await bench.wait_csr0(0x0200)
    assert bench.word(driver.tx_descriptor(1) + 2) == STP | ENP


async def last_backoff(dut, mode: int, stop: bool = False, traffic: bool = True) -> int:
    """Collisions; then, with ``traffic``, somebody else sends for three slots. Ticks of the last
    backoff; until it begins, every call is the same, so it draws the same number.

    ``stop``: STOP and STRT without INIT come before.
    """
    bench, driver = await running(dut, mode=mode, half=True)
    if stop:
        await bench.write(RDP, 0x0004)
        await bench.write(RDP, 0x0042)
    await bench.ticks(20 * US)
    segment = Segment(bench, [20 * NIBBLE] * COLLISIONS)
    driver.give_tx(0, bytes(60))
    await driver.demand()
    while len(segment.attempts) < COLLISIONS:
        await bench.ticks(100)
    await bench.ticks(1000)
    dut.io_mii_crs.value = int(traffic)
    await bench.ticks(3 * SLOT)
    dut.io_mii_crs.value = 0
    await RisingEdge(dut.io_mii_txEn)
    return bench.now - segment.attempts[-1][1]


@timed
async def test_mode_bit_7_pauses_the_backoff(dut):
    """EMBA: the backoff does not count while there is carrier."""
    plain = await last_backoff(dut, 0)
    assert plain % SLOT == 0 and plain > 4 * SLOT
    assert await last_backoff(dut, 0, traffic=False) == plain
    quiet = await last_backoff(dut, EMBA, traffic=False)
    assert quiet % SLOT == CABLE - 1 and quiet > 4 * SLOT, "CABLE: the carrier of the jam"
    assert await last_backoff(dut, EMBA) == quiet + 3 * SLOT


@timed
async def test_stop_clears_emba(dut):
    """A transmitter that STRT starts without INIT has no EMBA (docs/reference/lance.md)."""
    plain = await last_backoff(dut, 0, stop=True)
    assert await last_backoff(dut, EMBA, stop=True) == plain


@timed
async def test_receive_silo_of_64(dut):
    """A bus that is too slow fills it with 64 bytes, not 48, before OFLO."""
    bench, driver = await running(dut)
    await bench.ticks(30 * US)
    bench.dma_latency = 20 * US
    sending = cocotb.start_soon(bench.send(STATION + bench.random.randbytes(400)))
    most = 0
    while not sending.done():
        await bench.ticks(20)
        most = max(most, int(dut.card.ticked_lance.receiveSilo.used.value))
    bench.dma_latency = 10
    await bench.wait_csr0(0x0400)
    assert most == 64
    assert bench.word(driver.rx_descriptor(0) + 2) == ERR | 0x1000 | STP, "OFLO"
