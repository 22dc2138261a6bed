# SPDX-License-Identifier: BSD-2-Clause
"""The classifier (docs/reference/lance.md): which frames have the id 0, and what a write does to a
frame that comes in. sim/test/lance/test_classifier.py has random entries and frames."""

import struct

from mcpi.cocotb.lance import NIBBLE, RDP, US, timed
from mcpi.cocotb.lance_driver import ENP, ERR, STATION, STP, running
from mcpi.hdl.cocotb_run import run_cocotb

ENTRIES, COUNT = 0xD0000, 63
INTERNAL = 0x0044


def test_classifier():
    run_cocotb(__file__, "LanceOnTc", settings={"lance.classifier": "on"})


async def write(bench, entry: int, place: int, value: int) -> None:
    await bench.write(ENTRIES + 256 * entry + 4 * place, value)


async def of_station(bench, entry: int) -> None:
    """An entry for all frames to the station."""
    for place, word in enumerate(struct.unpack("<3H", STATION)):
        await write(bench, entry, place, 0xFFFF0000 | word)
    await write(bench, entry, COUNT, 3)


async def begun(dut, **options):
    bench, driver = await running(dut, **options)
    await bench.ticks(20 * US)
    return bench, driver


async def received(bench, driver, i: int) -> tuple[int, int]:
    """Path id and flags of a frame that has come."""
    await bench.wait_csr0(0x0400)
    await bench.write(RDP, 0x0440)
    d = driver.rx_descriptor(i)
    return bench.word(d + 6) >> 12, bench.word(d + 2) & 0xFF00


@timed
async def test_the_lowest_entry(dut):
    bench, driver = await begun(dut)
    frame = STATION + bytes(54)
    await bench.send(frame)
    assert await received(bench, driver, 0) == (0, STP | ENP)
    for number, entry in enumerate((7, 2, 4), 1):
        await of_station(bench, entry)
        await bench.send(frame)
        assert await received(bench, driver, number) == ((8, 3, 3)[number - 1], STP | ENP)


@timed
async def test_a_frame_with_a_wrong_fcs_has_no_id(dut):
    bench, driver = await begun(dut)
    await of_station(bench, 0)
    await bench.send(STATION + bytes(54), error_at=100)
    got, flags = await received(bench, driver, 0)
    assert flags & ERR and got == 0
    await bench.send(STATION + bytes(54))
    assert await received(bench, driver, 1) == (1, STP | ENP)


@timed
async def test_a_frame_in_two_buffers_has_no_id(dut):
    bench, driver = await begun(dut, buffer=64)
    await of_station(bench, 0)
    await bench.send(STATION + bytes(94))
    assert await received(bench, driver, 1) == (0, ENP)


@timed
async def test_a_looped_frame_has_no_id(dut):
    bench, driver = await begun(dut, mode=INTERNAL)
    await of_station(bench, 0)
    driver.give_tx(0, STATION + bytes(18))
    await driver.demand()
    await bench.ticks(200 * US)
    d = driver.rx_descriptor(0)
    assert bench.word(d + 2) & 0xFF00 == STP | ENP and bench.word(d + 6) == 28


@timed
async def test_an_entry_that_is_written_as_a_frame_comes(dut):
    """The frame does not match it; the next does, if the count came last."""
    bench, driver = await begun(dut)
    await of_station(bench, 0)
    frame = STATION + bytes(54)
    coming = bench.run(bench.send(frame))
    await bench.ticks(60 * NIBBLE)
    await write(bench, 0, COUNT, 3)
    await coming
    assert await received(bench, driver, 0) == (0, STP | ENP)
    await bench.send(frame)
    assert await received(bench, driver, 1) == (1, STP | ENP)
    await write(bench, 0, 1, 0)
    await bench.send(frame)
    assert await received(bench, driver, 2) == (0, STP | ENP)
