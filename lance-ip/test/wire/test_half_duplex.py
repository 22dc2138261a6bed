# SPDX-License-Identifier: BSD-2-Clause
"""Half duplex: scenarios 23 and 25 of sources/lance.md 5; deferral, jam, backoff (its 1.4).
More collisions are rows of ``sheet_transmit.py``."""

from cocotb.triggers import RisingEdge
from lance_support.segment import CABLE, SLOT, Segment

from mcpi.cocotb.lance import NIBBLE, RDP, US, fcs, timed
from mcpi.cocotb.lance_driver import ENP, ERR, OWN, STATION, STP, running
from mcpi.hdl.cocotb_run import run_cocotb

MORE, ONE, DEF = 0x1000, 0x0800, 0x0400  # TMD1
LCOL, LCAR, RTRY = 0x1000, 0x0800, 0x0400  # TMD3
SPACING = 1680
REFILL = 25 * US  # three bursts and the start, as long as a retry takes at least


def test_half_duplex():
    run_cocotb(__file__, "LanceOnTc")


async def one_frame(dut, plan, mode=0, skip=False, **options):
    """Sends one frame against a plan of collisions; returns (bench, driver, segment, data)."""
    bench, driver = await running(dut, mode=mode, half=True, **options)
    await bench.ticks(20 * US)
    segment = Segment(bench, plan)
    data = bench.random.randbytes(60)
    driver.give_tx(0, data)
    await driver.demand()
    if skip:
        segment.skip = bench.skipping = True
    await RisingEdge(dut.io_events_interrupt)
    await bench.ticks(200)
    return bench, driver, segment, data


def status(bench, driver, i: int = 0) -> tuple[int, int]:
    d = driver.tx_descriptor(i)
    return bench.word(d + 2), bench.word(d + 6)


def check_backoff(attempts: list[tuple[int, int]]) -> list[int]:
    """Whole slots from the end of each attempt to the next; returns them."""
    slots = []
    for n, (a, b) in enumerate(zip(attempts, attempts[1:]), 1):
        gap = b[0] - a[1]
        slots.append(0 if gap < SLOT else gap // SLOT)
        assert gap % SLOT == 0 or SPACING < gap < REFILL, f"backoff {n}: {gap} ticks"
        assert slots[-1] < 2 ** min(n, 10), f"backoff {n}: {slots[-1]} slots"
    return slots


@timed
async def test_s23_one_collision(dut):
    at = 30 * NIBBLE + 5
    bench, driver, segment, data = await one_frame(dut, [at])
    assert status(bench, driver) == (ONE | STP | ENP, 0x5555), "ONE, and the error word untouched"
    assert await bench.read(RDP) == 0x02F3
    (start, end), (again, _) = segment.attempts
    assert end - start == (31 + 8) * NIBBLE, "the nibble on its way, then 32 bits of jam"
    assert again - end >= SPACING
    assert bench.sent[1][2] == data + fcs(data)
    assert len(segment.attempts) == 2


@timed
async def test_s23_five_collisions(dut):
    plan = [20, 17 * NIBBLE, 127 * NIBBLE, 15 * NIBBLE + 69, 100 * NIBBLE]
    bench, driver, segment, data = await one_frame(dut, plan, skip=True)
    assert status(bench, driver) == (MORE | STP | ENP, 0x5555)
    assert len(segment.attempts) == 6
    check_backoff(segment.attempts)
    lengths = [(end - start) // NIBBLE for start, end in segment.attempts]
    assert lengths[0] == 16 + 8, "the preamble is finished before the jam"
    assert lengths[1:5] == [18 + 8, 128 + 8, 16 + 8, 101 + 8]
    assert bench.sent[-1][2] == data + fcs(data), "the silo was filled from the start again"


@timed
async def test_s23_sixteen_collisions(dut):
    bench, driver, segment, _ = await one_frame(dut, [40 * NIBBLE + 7] * 16, skip=True)
    assert status(bench, driver) == (ERR | STP | ENP, RTRY | 40 * 4), "RTRY, and TDR in bit times"
    assert len(segment.attempts) == 16
    slots = check_backoff(segment.attempts)
    dut._log.info(f"backoff in slots: {slots}")
    assert max(slots) > 100 and len(set(slots)) > 5, "r is random and grows"
    assert await bench.read(RDP) == 0x02F3, "TXON stays"
    data = bench.random.randbytes(60)
    driver.give_tx(1, data)  # the next frame starts with sixteen attempts of its own
    await bench.write(RDP, 0x0240)
    segment.plan = [20 * NIBBLE]
    await driver.demand()
    await RisingEdge(dut.io_events_interrupt)
    assert status(bench, driver, 1)[0] == ONE | STP | ENP
    assert bench.sent[-1][2] == data + fcs(data)


@timed
async def test_s25_late_collision(dut):
    """From 512 bit times on there is no retry; the tick before is in time."""
    bench, driver, segment, _ = await one_frame(dut, [SLOT + 1])
    assert status(bench, driver) == (ERR | STP | ENP, LCOL | 512)
    assert len(segment.attempts) == 1
    start, end = segment.attempts[0]
    assert end - start == (129 + 8) * NIBBLE, "a jam all the same"
    assert await bench.read(RDP) == 0x02F3, "TXON stays"
    bench, driver, segment, _ = await one_frame(dut, [SLOT])
    assert status(bench, driver)[0] == ONE | STP | ENP


@timed
async def test_collision_in_the_last_nibble(dut):
    """It is one like any other until the nibble is over (802.3): jam after the frame, LCOL."""
    last = (16 + 2 * 64 - 1) * NIBBLE
    for at in (last - 1, last, last + 1, last + NIBBLE - 1):
        bench, driver, segment, data = await one_frame(dut, [at])
        bits = (at - 1) // NIBBLE * 4
        assert status(bench, driver) == (ERR | STP | ENP, LCOL | bits), at - last
        start, end = segment.attempts[0]
        assert end - start == (at // NIBBLE + 1 + 8) * NIBBLE
        assert await bench.read(RDP) == 0x02F3, "no CERR"
    bench, driver, segment, data = await one_frame(dut, [last + NIBBLE])
    assert status(bench, driver) == (STP | ENP, 0x5555), "after the frame it is none"
    assert [f for _, _, f in bench.sent] == [data + fcs(data)]


async def backoffs(dut, station: bytes, collisions: int, wait: int = 0) -> list[int]:
    """Slots of each backoff of one frame."""
    bench, driver = await running(dut, half=True, station=station)
    await bench.ticks(20 * US + wait)
    segment = Segment(bench, [20 * NIBBLE] * collisions)
    driver.give_tx(0, bytes(60))
    await driver.demand()
    segment.skip = bench.skipping = True
    await RisingEdge(dut.io_events_interrupt)
    await bench.ticks(200)
    return check_backoff(segment.attempts)


@timed
async def test_no_two_stations_have_the_same_backoff(dut):
    """All 48 bits of the address count: stations that collide in every attempt, in the same tick,
    part. The second was a twin of the first in one way of mixing the bits."""
    addresses = ("08002b010203", "0a002b810203", "0a002b010203", "08002b010283", "08002b810203")
    found = [await backoffs(dut, bytes.fromhex(a), 8) for a in addresses]
    dut._log.info(f"backoff in slots: {found}")
    assert len({tuple(slots) for slots in found}) == len(addresses), found


@timed
async def test_the_backoff_moves_with_time(dut):
    """The same station in the same tick again: the same numbers; a little later: others."""
    station = bytes.fromhex("08002b010203")
    found = [await backoffs(dut, station, 8, wait) for wait in (0, 0, 700)]
    assert found[0] == found[1] and found[2] != found[0], found


@timed
async def test_full_duplex_does_not_listen(dut):
    """Without half duplex neither carrier nor collision means anything."""
    bench, driver = await running(dut)
    await bench.ticks(20 * US)
    dut.io_mii_crs.value = dut.io_mii_col.value = 1
    data = bench.random.randbytes(60)
    driver.give_tx(0, data)
    await driver.demand()
    await bench.wait_line(1)
    assert status(bench, driver) == (STP | ENP, 0x5555)
    assert bench.sent[0][2] == data + fcs(data)


async def wait_for_carrier(dut, blip: tuple[int, int] | None):
    """A frame that is ready while others send; returns (bench, driver, carrier's end)."""
    bench, driver = await running(dut, half=True)
    await bench.ticks(20 * US)
    Segment(bench)
    driver.give_tx(0, bench.random.randbytes(60))
    dut.io_mii_crs.value = 1
    await driver.demand()
    await bench.ticks(60 * US)
    assert not bench.sent and dut.io_mii_txEn.value == 0
    dut.io_mii_crs.value = 0
    end = bench.now
    if blip:
        await bench.ticks(blip[0])
        dut.io_mii_crs.value = 1
        await bench.ticks(blip[1])
        dut.io_mii_crs.value = 0
        if blip[0] <= 6 * US:
            end = bench.now
    await RisingEdge(dut.io_mii_txEn)
    first = bench.now
    await bench.wait_line(1)
    assert status(bench, driver) == (DEF | STP | ENP, 0x5555)
    return first - end


@timed
async def test_deferral(dut):
    """9.6 us behind a carrier, to the tick; DEF."""
    assert await wait_for_carrier(dut, None) == SPACING


@timed
async def test_deferral_starts_again(dut):
    """A carrier in the first 6.0 us of the spacing starts it again; later it is overlooked."""
    assert await wait_for_carrier(dut, (6 * US - 5, 30)) == SPACING
    assert await wait_for_carrier(dut, (6 * US + 5, 300)) == SPACING


@timed
async def test_no_deferral_behind_a_carrier_long_gone(dut):
    bench, driver = await running(dut, half=True)
    Segment(bench)
    dut.io_mii_crs.value = 1
    await bench.ticks(40 * US)
    dut.io_mii_crs.value = 0
    await bench.ticks(10 * US)
    driver.give_tx(0, bytes(60))
    handover = await driver.demand()
    await RisingEdge(dut.io_mii_txEn)
    assert abs((bench.now - handover) / US - 34.8) < 0.3
    await bench.wait_line(1)
    assert status(bench, driver)[0] == STP | ENP, "no DEF"


@timed
async def test_own_frame_is_not_received(dut):
    """A PHY that echoes what is sent: the receiver is off meanwhile, and on again afterwards."""
    bench, driver = await running(dut, half=True)
    Segment(bench)
    await bench.ticks(20 * US)
    data = STATION + bench.random.randbytes(54)
    driver.give_tx(0, data)
    await driver.demand()
    await RisingEdge(dut.io_mii_txEn)
    await bench.ticks(40)
    await bench.send(data)
    await bench.wait_line(1)
    await bench.ticks(60 * US)
    assert await bench.read(RDP) == 0x02F3, "no RINT, no MISS"
    await bench.send(data)
    await bench.wait_csr0(0x0400)
    assert bench.buffer(driver.rx_buffer(0), 64) == data + fcs(data)


async def chained_retry(dut, first: int, nibble: int) -> None:
    """A chain whose first buffer has ``first`` bytes; a collision in that nibble: it is sent again
    from the first buffer, which the chip has kept."""
    bench, driver = await running(dut, half=True)
    await bench.ticks(20 * US)
    segment = Segment(bench, [nibble * NIBBLE])
    data = bench.random.randbytes(160)
    driver.give_tx(1, data[first:], ENP)
    driver.give_tx(0, data[:first], STP)
    await driver.demand()
    await RisingEdge(dut.io_mii_txEn)
    await bench.ticks((nibble - 1) * NIBBLE)
    assert bench.word(driver.tx_descriptor(0) + 2) & OWN
    await bench.wait_line(1)
    assert len(segment.attempts) == 2
    assert bench.sent[-1][2] == data + fcs(data)
    assert status(bench, driver, 0) == (STP, 0x5555)
    assert status(bench, driver, 1) == (ONE | ENP, 0x5555)


@timed
async def test_chain_is_kept_for_a_retry(dut):
    """The first of two buffers is not given back before the slot time is over."""
    await chained_retry(dut, 100, 126)


@timed
async def test_short_chain_is_kept_for_a_retry(dut):
    """Nor is one of 80 bytes, although the silo has the last of them long before."""
    await chained_retry(dut, 80, 110)


@timed
async def test_chain_is_kept_while_the_jam_outlasts_the_slot_time(dut):
    """The collision was in time, its jam ends behind the slot time (random history 949)."""
    await chained_retry(dut, 80, 126)


@timed
async def test_first_buffer_too_short_for_a_retry(dut):
    """Below 100 bytes (sources/lance.md 1.4) the chip may have given it back: RTRY."""
    bench, driver = await running(dut, half=True)
    await bench.ticks(20 * US)
    segment = Segment(bench, [100 * NIBBLE])
    driver.give_tx(1, bytes(100), ENP)
    driver.give_tx(0, bytes(20), STP)
    await driver.demand()
    await bench.wait_line(1)
    assert status(bench, driver, 0)[0] == STP
    tmd1, tmd3 = status(bench, driver, 1)
    assert (tmd1, tmd3 & 0xFC00) == (ERR | ENP, RTRY)
    assert len(segment.attempts) == 1


@timed
async def test_collisions_everywhere(dut):
    """Ten frames in a row, collisions at random ticks of random attempts: nothing gets lost."""
    bench, driver = await running(dut, half=True)
    await bench.ticks(20 * US)
    frames = [bench.random.randbytes(bench.random.choice((60, 61, 97, 200))) for _ in range(10)]
    segment = Segment(bench)
    expected = []
    for i, frame in enumerate(frames):
        count = bench.random.choice((0, 0, 1, 2))
        segment.plan += [bench.random.randint(CABLE + 1, SLOT) for _ in range(count)] + [None]
        expected.append((0, ONE, MORE)[count] | STP | ENP)
        driver.give_tx(i, frame)
    attempts = len(segment.plan)
    await driver.demand()
    while bench.word(driver.tx_descriptor(9) + 2) & OWN:
        await bench.ticks(2000)
    assert len(segment.attempts) == attempts
    assert [status(bench, driver, i)[0] for i in range(10)] == expected
    whole = [f for _, _, f in bench.sent if len(f) > 4 and fcs(f[:-4]) == f[-4:]]
    assert whole == [f + fcs(f) for f in frames]
