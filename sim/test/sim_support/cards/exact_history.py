# SPDX-License-Identifier: BSD-2-Clause
"""Kinds of random histories of a card; the same for the RTL's library and the exact engine's."""

import ctypes
import random
import zlib

from lance_support.library import TIMES

from sim_support.cards.card_history import (
    BASE,
    BUFFER_BYTES,
    BUFFERS,
    LANCE_SLOT,
    POINTER_REGISTER,
    RAP,
    RDP,
    RECEIVE,
    RING,
    ROM,
    SIMR,
    SIR,
    SSR,
    STATION,
    TRANSMIT,
    History,
    OnPmad,
)


def random_times(draw: random.Random) -> dict[str, int]:
    """The machine's, none, short ones, long ones; in ticks."""
    most = draw.choice([None, 1, 30, 300])
    times = {} if most is None else {name: draw.randrange(most) for name in TIMES}
    times["poll"] = draw.choice([280_000, draw.randrange(5000, 8000)])
    return times | {"poll_phase": draw.randrange(2000), "dma_latency": draw.randrange(1, 60)}


def frame(draw: random.Random, most: int = 190) -> list[int]:
    """Nibbles of one to the station."""
    body = STATION + draw.randbytes(draw.randrange(54, most))
    data = body + zlib.crc32(body).to_bytes(4, "little")
    return [5] * 15 + [13] + [half for byte in data for half in (byte & 15, byte >> 4)]


def history(library: ctypes.CDLL, seed: int, **wrong: int) -> History:
    """``wrong``: times that are others than the seed says."""
    draw = random.Random(seed)
    times = random_times(draw)
    csr = times.get("csr", 175)
    h = History(library, times | wrong)
    h.begin()
    h.advance(3000 + draw.randrange(50))
    if draw.random() < 0.5:
        h.access(RDP, 0x43)
    else:
        h.access(RDP, 0x41)
        h.advance(12000 + draw.randrange(9))
        h.access(RDP, 0x142)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    given = 0
    for _ in range(draw.randrange(1, 6)):
        what = draw.choice(["send", "send", "receive", "receive", "read"])
        if what == "send" and given < RING:
            h.frame(given, draw.randbytes(draw.randrange(60, 200)), 0x8300)
            given += 1
            h.access(RDP, 0x48)
        elif what == "receive":
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        else:
            h.access(draw.choice([SSR, RDP, SIR, SIMR, ROM, POINTER_REGISTER]))
        h.advance(draw.choice([100, 1000, 30000]) + draw.randrange(1000))
        if draw.random() < 0.5:
            h.access(RDP)
            h.access(RDP, 0x740)
            h.advance(csr + 20 if draw.random() < 0.3 else 0)
    h.advance(60000)
    h.access(RDP)
    h.log.append((h.chip.now, "memory", zlib.crc32(h.memory)))
    return h


def _running(library: ctypes.CDLL, draw: random.Random, owned: int = RING) -> History:
    """Started; so many receive buffers are the chip's."""
    h = History(library, random_times(draw))
    h.begin()
    for n in range(owned, RING):
        h.give(RECEIVE, n, 1536, 0)
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    return h


def _over(h: History) -> History:
    h.advance(100_000)
    h.access(RDP)
    h.log.append((h.chip.now, "memory", zlib.crc32(h.memory)))
    return h


def without_buffers(library: ctypes.CDLL, seed: int) -> History:
    """Frames come while the ring has no buffer, or gets one again."""
    draw = random.Random(seed)
    given = draw.randrange(3)
    h = _running(library, draw, given)
    for _ in range(draw.randrange(2, 8)):
        for _ in range(draw.choice([1, 1, 2, 3])):
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        h.advance(draw.choice([100, 1000, 30000]) + draw.randrange(1000))
        if draw.random() < 0.3:
            h.give(RECEIVE, given % RING, 1536, 0x8000)
            given += 1
        if draw.random() < 0.5:
            h.access(RDP)
            h.access(RDP, 0x1740)
    return _over(h)


def fast_memory(library: ctypes.CDLL, seed: int) -> History:
    """Frames into small buffers, accesses of the core all the time, memory of a few ticks."""
    draw = random.Random(seed)
    times = random_times(draw) | {"dma_latency": draw.randrange(1, 8)}
    h = History(library, times)
    h.begin()
    for n in range(RING):
        h.give(RECEIVE, n, draw.choice([64, 80, 1536]), 0x8000)
    h.access(RDP, 0x43)
    h.advance(20_000)
    h.access(RDP, 0x140)
    for _ in range(draw.randrange(2, 5)):
        h.chip.receive(frame(draw), draw.randrange(1, 300))
        h.advance(draw.randrange(1000))
    for _ in range(draw.randrange(5, 60)):
        what = draw.randrange(6)
        if what == 0:
            h.access(RDP, 0x40 | draw.choice([0x1740, 0x740, 0, 0x400]))
        elif what == 1:
            h.access(SIMR, draw.choice([0, 256]))
        elif what == 2:
            h.access(RDP)
        elif what == 3:
            h.access(RDP, draw.choice([4] + [0x40] * 30))
        else:
            h.access(SIR)
        h.advance(draw.choice([0, 0, 1, draw.randrange(20), draw.randrange(3000)]))
    return _over(h)


def broken_frames(library: ctypes.CDLL, seed: int) -> History:
    """Short ones, half bytes, wrong checksums, other stations'."""
    draw = random.Random(seed)
    h = _running(library, draw)
    for _ in range(draw.randrange(2, 8)):
        size = draw.choice([draw.randrange(1, 64), draw.randrange(60, 70), draw.randrange(7, 30)])
        body = (STATION if draw.random() < 0.8 else bytes(6)) + draw.randbytes(60)
        body = body[: max(1, size - 4)]
        data = body + zlib.crc32(body).to_bytes(4, "little")
        nibbles = [5] * 15 + [13] + [half for byte in data for half in (byte & 15, byte >> 4)]
        if draw.random() < 0.3:
            nibbles.append(draw.randrange(16))
        if draw.random() < 0.2:
            nibbles[20] ^= 1
        h.chip.receive(nibbles, draw.randrange(1, 300))
        if draw.random() < 0.5:
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        h.advance(draw.choice([100, 1000, 30000]) + draw.randrange(1000))
    return _over(h)


def any_place(library: ctypes.CDLL, seed: int) -> History:
    """Receive buffers at any address, so that a first burst may have no more bytes than the address
    of its frame. Frames come, or the chip sends them to itself."""
    draw = random.Random(seed)
    inside = draw.random() < 0.5
    times = random_times(draw) | {"dma_latency": draw.randrange(1, 30)}
    h = History(library, times)
    h.begin()
    for n in range(RING):
        h.give(RECEIVE, n, draw.choice([64, 80, 1500]), 0x8000)
        h.word(RECEIVE + 8 * n, BUFFERS[RECEIVE] + BUFFER_BYTES * n + draw.randrange(16))
    if inside:
        h.word(0, 0x4C)  # MODE: INTL, LOOP, DTCR
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    for n in range(3):
        if inside:
            h.frame(n, STATION + draw.randbytes(draw.randrange(2, 26)), 0x8300)
            h.access(RDP, 0x48)
        else:
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        h.advance(40000 + draw.randrange(1000))
    return _over(h)


def let_go(library: ctypes.CDLL, seed: int) -> History:
    """STOP while a burst moves into a buffer at any address, again and again: what the chip has
    moved by then is what the next frame's first longword begins with."""
    draw = random.Random(seed)
    times = random_times(draw) | {"poll": 280_000, "word": draw.randrange(2, 300)}
    h = History(library, times)
    h.begin()
    for _ in range(4):
        for n in range(RING):
            h.give(RECEIVE, n, 1500, 0x8000)
            h.word(RECEIVE + 8 * n, BUFFERS[RECEIVE] + BUFFER_BYTES * n + draw.randrange(16))
        h.access(RDP, 0x43)
        h.advance(20_000 + draw.randrange(50))
        h.chip.receive(frame(draw), draw.randrange(1, 300))
        h.advance(draw.randrange(2000, 12_000))
        h.access(RDP, 4)
        h.advance(20_000)
    return _over(h)


def polls(library: ctypes.CDLL, seed: int) -> History:
    """Polls come all the time, also while the rings are at the last one; frames both ways. With
    fast times there are pauses: else DMA would keep the core from the bus."""
    draw = random.Random(seed)
    times = random_times(draw)
    short = [300, 1000, 3000] if "gap" in times else [0, 1, 30, 300, 1000, 3000]
    times["poll"] = draw.choice(short) + draw.randrange(20)
    given = draw.randrange(RING + 1)
    h = History(library, times)
    h.begin()
    for n in range(given, RING):
        h.give(RECEIVE, n, 1536, 0)
    if draw.random() < 0.3:
        h.word(0, draw.choice([1, 2, 0x48]))  # MODE: DRX, DTX, neither
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    sent = 0
    for _ in range(draw.randrange(3, 12)):
        what = draw.choice(["send", "demand", "receive", "receive", "give", "read"])
        if what == "send" and sent < RING:
            data = draw.randbytes(draw.randrange(60, 120))
            h.frame(sent, data, draw.choice([0x8300] * 7 + [0x8100]))
            sent += 1
        if what in ("send", "demand"):
            for _ in range(draw.randrange(3)):
                h.access(RDP, 0x48)
                h.advance(draw.randrange(1, 200))
        elif what == "receive":
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        elif what == "give":
            h.give(RECEIVE, given % RING, 1536, 0x8000)
            given += 1
        else:
            h.access(RDP)
        h.advance(draw.choice([1, 100, 1000, 30000]) + draw.randrange(100))
    return _over(h)


def memory_errors(library: ctypes.CDLL, seed: int) -> History:
    """Memory dies while the chip lies still: DMA is switched off, memory answers too late, or with
    an error. A poll, a demand, a frame or INIT finds that. Then the chip starts anew."""
    draw = random.Random(seed)
    h = _running(library, draw, draw.randrange(RING + 1))
    for number in range(2):
        how = draw.choice(["off", "late", "error"])
        if how == "off":
            h.access(SSR, 1 << 8)
        if how == "late":
            library.lance_set_dma_latency(h.chip.chip, 6000)
        library.lance_fail_reads(h.chip.chip, how == "error")
        h.frame(number, draw.randbytes(draw.randrange(60, 120)), 0x8300)
        what = draw.choice(["demand", "receive", "init", "poll"])
        if what == "receive":
            h.chip.receive(frame(draw), draw.randrange(1, 20_000))
        if what == "init":
            h.access(RDP, 4)
            h.access(RDP, 0x43)
        h.access(RDP, 0x48 if what == "demand" else 0x40)
        h.advance(50_000 + draw.randrange(100))
        library.lance_set_dma_latency(h.chip.chip, 10)
        library.lance_fail_reads(h.chip.chip, 0)
        h.access(SSR, 1 << 16 | 1 << 8)
        h.access(RDP)
        h.access(SIR)
        h.access(SIR, 0)
        if draw.random() < 0.8:
            h.access(RDP, 4)
            h.advance(7000)
        h.access(RDP, 0x43)
        h.advance(50_000 + draw.randrange(100))
        h.access(RDP, 0x7F40)
    return _over(h)


def masked(library: ctypes.CDLL, seed: int) -> History:
    """The line, while SIMR and INEA are written and reads of memory fail."""
    draw = random.Random(seed)
    h = History(library, random_times(draw))
    h.begin()
    h.access(RDP, 0x41)
    h.advance(20_000 + draw.randrange(50))
    for _ in range(draw.randrange(3, 9)):
        h.access(SIMR, draw.choice([0, 1 << 8, 1 << 16, 1 << 8 | 1 << 16]))
        h.advance(draw.choice([0, 3, 100]))
        if draw.random() < 0.3:
            h.access(RDP, draw.choice([0x40, 0]))
        if draw.random() < 0.3:
            library.lance_fail_reads(h.chip.chip, 1)
            h.access(RDP, 4)
            h.access(RDP, 0x41)
            h.advance(draw.choice([1000, 2000, 10_000]))
            library.lance_fail_reads(h.chip.chip, 0)
        if draw.random() < 0.5:
            h.access(SIR)
        if draw.random() < 0.3:
            h.access(SIR, 0)
        h.advance(draw.choice([0, 3, 100, 1000]))
    return _over(h)


def registers(library: ctypes.CDLL, seed: int) -> History:
    """The IOASIC's, byte by byte too, while the line is up, frames come and reads of memory fail,
    or DMA is off."""
    draw = random.Random(seed)
    h = History(library, random_times(draw) | {"poll": draw.randrange(300, 3000)})
    h.begin()
    h.access(RDP, 0x43)
    h.advance(20_000)
    h.access(RDP, 0x140)
    for _ in range(draw.randrange(5, 50)):
        what = draw.choice(["write", "write", "bytes", "read", "chip", "receive", "memory"])
        offset, value = draw.choice(
            [
                (SIR, draw.choice([0, 1 << 16])),
                (SIMR, draw.choice([0, 1 << 8, 1 << 16, 1 << 16 | 1 << 8])),
                (SSR, draw.choice([1 << 8, 1 << 16 | 1 << 8])),
                (POINTER_REGISTER, BASE << 3 | draw.getrandbits(15) << 5),
                (LANCE_SLOT, draw.getrandbits(32)),
            ]
        )
        if what == "write":
            h.access(offset, value)
        elif what == "bytes":
            offset, value = draw.choice([(offset, value), (RDP, 0x40), (RAP, 0)])
            h.write_bytes(offset, value, draw.randrange(16))
        elif what == "read":
            h.access(draw.choice([offset, RDP]))
        elif what == "chip":
            h.access(RDP, draw.choice([0x7F40, 0x43, 0x40, 0x48, 4]))
        elif what == "receive":
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        else:
            library.lance_fail_reads(h.chip.chip, draw.randrange(2))
        h.advance(draw.choice([0, 1, draw.randrange(20), draw.randrange(300), 3000]))
    return _over(h)


def on_the_edge(library: ctypes.CDLL, seed: int) -> History:
    """Play cases that histories (lance-histories.md) leave out, because they depend on times: half
    duplex with first buffers that go back early, collisions in any nibble, carriers of others at
    any time; frames around 1518 bytes; a threshold that the wire overtakes; memory slower than the
    wire while frames come into small buffers."""
    draw = random.Random(seed)
    kind = draw.choice(["collisions", "collisions", "long", "threshold", "slow"])
    times = random_times(draw)
    if kind == "collisions":
        times["half_duplex"] = 1
    if kind == "threshold":
        times |= {"transmit_threshold": draw.randrange(1, 17), "start": 1}
        times["word"] = draw.randrange(1, 100)
    h = History(library, times)
    h.begin()
    if kind == "slow":
        sizes = [draw.choice([64, 70, 80, 96]) for _ in range(RING)]
        for n in range(RING):
            h.give(RECEIVE, n, sizes[n], 0x8000 if draw.random() < 0.8 else 0)
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    if kind == "slow":
        library.lance_set_dma_latency(h.chip.chip, draw.choice([800, 2000, 4000]))
        for _ in range(draw.randrange(1, 6)):
            h.chip.receive(frame(draw), draw.randrange(1, 20_000))
        h.advance(200_000)
        library.lance_set_dma_latency(h.chip.chip, 10)  # else polls may keep the core from the bus
    elif kind == "long":
        size = draw.randrange(1508, 1524)
        _chain(h, draw, [1400, size - 1400])
        h.advance(400_000)
    elif kind == "threshold":
        _chain(h, draw, [draw.randrange(60, 90)])
    else:
        for _ in range(draw.randrange(4)):
            at = draw.choice([draw.randrange(1, 8960), draw.randrange(8960, 15_000), None])
            h.chip.collide(at)
        sizes = [draw.randrange(20, 130)] + [draw.randrange(30, 90)] * draw.randrange(3)
        for _ in range(draw.randrange(3)):
            h.chip.receive(frame(draw), draw.randrange(1, 12_000))
        h.advance(draw.randrange(1, 30_000))
        _chain(h, draw, sizes)
        if draw.random() < 0.5:
            h.chip.receive(frame(draw), draw.randrange(1, 40_000))
        h.advance(200_000)
    return _over(h)


def _chain(h: History, draw: random.Random, sizes: list[int]) -> None:
    """Send a frame in buffers of these sizes, with a demand."""
    last = len(sizes) - 1
    for n in range(last, -1, -1):
        flags = 0x8000 | (0x200 if n == 0 else 0) | (0x100 if n == last else 0)
        h.frame(n, draw.randbytes(sizes[n]), flags)
    h.access(RDP, 0x48)


def retried(library: ctypes.CDLL, seed: int) -> History:
    """Chains of short buffers that collide, with slow bursts: one is under way as an attempt ends,
    and another waits for the bus while a frame comes in."""
    draw = random.Random(seed)
    times = {name: draw.randrange(1, 60) for name in TIMES}
    times["word"] = draw.choice([draw.randrange(2, 60), draw.randrange(60, 300)])
    times["arbitration"], times["gap"] = draw.randrange(1, 300), draw.randrange(1, 300)
    times |= {"poll": 280_000, "poll_phase": draw.randrange(100), "half_duplex": 1}
    times["dma_latency"] = draw.randrange(1, 60)
    if draw.random() < 0.3:
        times["transmit_threshold"] = draw.randrange(1, 49)
    h = History(library, times)
    h.begin()
    h.word(0, draw.choice([0, 0, 0, 0x20, 0x44, 0x54]))  # MODE: DRTY, INTL, COLL
    h.access(RDP, 0x43)
    h.advance(9000)
    h.access(RDP, 0x140)
    for _ in range(draw.randrange(1, 4)):
        h.chip.collide(draw.choice([draw.randrange(1, 9100), draw.randrange(1, 3000)]))
    sizes = [draw.choice([draw.randrange(20, 130), draw.randrange(100, 120)])]
    _chain(h, draw, sizes + [draw.randrange(1, 90) for _ in range(draw.randrange(3))])
    if draw.random() < 0.3:
        h.chip.receive(frame(draw), draw.randrange(1, 12_000))
    h.advance(60_000)
    return _over(h)


def dry(library: ctypes.CDLL, seed: int) -> History:
    """A chain goes out of memory that is slower than the wire: the silo runs dry before or after
    the next descriptor is read, and perhaps after a collision. Or there is one buffer of more than
    2,048 bytes."""
    draw = random.Random(seed)
    times = random_times(draw) | {"poll": 280_000, "half_duplex": draw.randrange(2)}
    h = History(library, times)
    h.begin()
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    if draw.random() < 0.15:
        _chain(h, draw, [draw.randrange(2049, 2600)])
    else:
        library.lance_set_dma_latency(h.chip.chip, draw.choice([1500, 2000, 2500, 4000]))
        for _ in range(draw.randrange(3)):
            h.chip.collide(draw.randrange(1, 9000))
        _chain(h, draw, [draw.randrange(20, 300) for _ in range(draw.randrange(1, 4))])
    h.advance(400_000)
    library.lance_set_dma_latency(h.chip.chip, 10)
    return _over(h)


def overrun(library: ctypes.CDLL, seed: int) -> History:
    """Frames come into short buffers, of which the chip owns most, while memory is slower than the
    wire: the silo runs over."""
    draw = random.Random(seed)
    h = History(library, random_times(draw) | {"poll": 280_000})
    h.begin()
    for n in range(RING):
        size = draw.choice([draw.randrange(20, 120), draw.randrange(60, 400)])
        h.give(RECEIVE, n, size, 0x8000 if draw.random() < 0.85 else 0)
    h.access(RDP, 0x43)
    h.advance(20000 + draw.randrange(50))
    h.access(RDP, 0x140)
    library.lance_set_dma_latency(h.chip.chip, draw.choice([800, 1500, 2500, 4000]))
    for _ in range(draw.randrange(1, 5)):
        h.chip.receive(frame(draw, 500), draw.randrange(1, 20_000))
    h.advance(300_000)
    library.lance_set_dma_latency(h.chip.chip, 10)  # else polls may keep the core from the bus
    return _over(h)


def half_duplex(library: ctypes.CDLL, seed: int) -> History:
    """Carriers of others near the tick in which a frame is ready to go, or within the spacing
    before it; collisions in any nibble, a carrier that goes away, EMBA, DRTY, internal loopback."""
    alone, first_bit = _among_others(library, seed, None)
    alone.chip.close()
    return _over(_among_others(library, seed, first_bit)[0])


def _among_others(library: ctypes.CDLL, seed: int, first_bit: int | None) -> tuple[History, int]:
    """Up to the end, and the first bit of the last frame. `first_bit`: the tick in which it goes
    if nobody else is there; None: nobody is."""
    draw = random.Random(seed)
    h = History(library, random_times(draw) | {"half_duplex": 1})
    h.begin()
    h.word(0, draw.choice([0, 0, 0, 0x80, 0x80, 0x20, 0x44, 0x54]))  # MODE: EMBA, DRTY, INTL, COLL
    h.access(RDP, 0x43)
    h.advance(20_000 + draw.randrange(50))
    h.access(RDP, 0x140)
    sizes = [draw.randrange(60, 400)] if draw.random() < 0.5 else [100, draw.randrange(1, 100)]
    before = draw.choice([None, None, draw.randrange(2000)])
    if before is not None:  # a frame of its own ends near the last one's beginning
        h.frame(2, draw.randbytes(60), 0x8300)
        h.access(RDP, 0x48)
        h.advance(9000 + before)
    if first_bit is not None:
        if draw.random() < 0.1:  # a carrier that is there when MODE changes
            h.chip.receive([5] * 60, 1)
            h.access(RDP, 4)
            h.access(RDP, 0x43)
            h.advance(draw.randrange(20_000))
        for _ in range(draw.randrange(1, 5)):
            overlapping = first_bit - draw.choice([0, 630, 1050, 1680]) + draw.randrange(-4, 5)
            far = first_bit + draw.randrange(-4000, 1500)
            at = draw.choice([overlapping, far, h.chip.now + draw.randrange(60_000)])
            nibbles = draw.choice([1, 2, 9, 15, 24, 60])
            h.chip.receive([5] * nibbles, max(1, at - h.chip.now))
        for _ in range(draw.randrange(4)):
            h.chip.collide(draw.choice([draw.randrange(1, 9100), draw.randrange(1, 30_000), None]))
        if draw.random() < 0.3:
            library.lance_lose_carrier(h.chip.chip, draw.randrange(1, 15_000))
    _chain(h, draw, sizes)
    begins = h.chip.now + 3000  # about, where nothing is on the MII
    h.advance(500_000)
    return h, max([begins, *(entry[2] for entry in h.log if entry[1] == "sent")])


def on_pmad(library: ctypes.CDLL, seed: int) -> History:
    """Frames both ways on a PMAD card, while the core reads rings and buffers."""
    draw = random.Random(seed)
    times = random_times(draw)
    times["poll"] = draw.choice([300, 3000, 280_000]) + draw.randrange(20)
    h = OnPmad(library, times)
    h.begin()
    h.access(h.rdp, 0x43)
    h.advance(draw.choice([100, 20_000]) + draw.randrange(50))
    h.access(h.rdp, 0x140)
    given = 0
    for _ in range(draw.randrange(3, 9)):
        what = draw.choice(["send", "send", "receive", "receive", "read", "read"])
        if what == "send" and given < RING:
            h.frame(given, draw.randbytes(draw.randrange(60, 120)), 0x8300)
            given += 1
            h.access(h.rdp, 0x48)
        elif what == "receive":
            h.chip.receive(frame(draw), draw.randrange(1, 300))
        else:
            for _ in range(draw.randrange(1, 40)):
                h.access(draw.choice([RECEIVE, RECEIVE + 4, TRANSMIT, 0x1000, 0x1040, h.rdp]))
        h.advance(draw.choice([10, 1000, 30000]) + draw.randrange(1000))
        if draw.random() < 0.5:
            h.access(h.rdp)
            h.access(h.rdp, 0x740)
    h.advance(60000)
    for at in (*range(0x20, 0x80, 4), *range(0x1000, 0x1040, 4)):
        h.access(at)
    return h


KINDS = (  # of the card on an IOASIC
    history,
    without_buffers,
    broken_frames,
    fast_memory,
    any_place,
    let_go,
    polls,
    memory_errors,
    masked,
    registers,
    on_the_edge,
    retried,
    dry,
    overrun,
    half_duplex,
)
