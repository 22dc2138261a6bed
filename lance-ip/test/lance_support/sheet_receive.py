# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet: receive descriptors, the filter's other side, loopback (1.3, 1.5, 1.7)."""

from lance_support.sheet_row import Row, up
from lance_support.sheet_runner import RDRA, RX_BUFFERS, bad, data, whole

OTHER = bytes([2] * 6)  # somebody else
FRAME, NEXT = data(60), data(80, seed=5)
LIST = "docs/reference/lance.md"
FOREIGN = whole(data(1500, OTHER))
INTERNAL, DTCR, COLL, PROM = 0x44, 0x08, 0x10, 0x8000
LOOP = 0x04  # external
SELF = data(20)
GROUP = data(60, bytes.fromhex("01005e000001"))


def receives(*frames: bytes, then: list[tuple] = [], **setup: int) -> list[tuple]:  # noqa: B006
    steps = up(**setup)
    for frame in frames:
        steps += [("arrive", frame), ("wait", 60 + 2 * len(frame))]
    return steps + then


def runts(size: int, count: int) -> list[tuple]:
    """So many of ``size`` bytes 0.4 us apart while memory answers in 24 us; then, with memory fast
    again, a good frame, which alone is told of."""
    each = 0.4 * (16 + 2 * size + 1)
    steps = [*up(), ("memory", 24)]
    steps += [("arrive", data(size, seed=n), {"after": 0.1 + n * each}) for n in range(count)]
    steps += [("wait", 40 * count + 2000), ("memory", 0.1), ("arrive", whole(NEXT)), ("wait", 300)]
    # A chip may miss one of more than sixteen that wait (docs/reference/lance.md).
    mask = 0xFFFF if count <= 16 else 0x6FFF
    return [*steps, ("got", 0, whole(NEXT)), ("rmd", 1, 1, 0x8000), ("csr_is", 0, 0x04F3, mask)]


def runs_over(size: int, wanted: int | tuple) -> list[tuple]:
    """A frame of 604 bytes into buffers of ``size`` while memory is slower than the wire; then one
    that passes. ``wanted``: RMD1, or a step."""
    says = ("rmd", 0, 1, wanted) if isinstance(wanted, int) else wanted
    return [*up(size=size), ("slow_bursts", 16), ("arrive", whole(data(600))), ("wait", 3000), says,
            ("csr_is", 0, 0x04F3), ("memory", 0.1), ("arrive", whole(NEXT)), ("wait", 300),
            ("got", 1, whole(NEXT))]  # fmt: skip


def receives_swapped(size: int, odd: int) -> list[tuple]:
    frame = whole(data(size))
    steps = [*up(), ("csr", 0, 4), ("rx", 0, {"at": RX_BUFFERS + odd}), ("csr", 3, 4)]
    steps += [("csr", 0, 1), ("wait", 100), ("csr", 0, 0x142), ("wait", 5),
              ("arrive", frame), ("wait", 300)]  # fmt: skip
    steps += [("rmd", 0, 1, 0x0300), ("rmd", 0, 3, len(frame))]
    return [*steps, ("holds", RX_BUFFERS + odd, frame, {"swap": True})]


def restarts(mode: int, *after: tuple) -> list[tuple]:
    """STOP, a new MODE and the driver's start while a frame of 1,500 bytes comes in."""
    return [*up(mode=PROM), ("arrive", FOREIGN), ("wait", 100), *up(mode=mode), *after]


LOOPED = [("tx", 0, SELF), ("demand",), ("wait", 1500), ("sent",), ("got", 0, whole(SELF)),
          ("csr_is", 0, 0x06F3)]  # fmt: skip

ROWS = [
    Row("60 bytes and FCS received", "§5 29",
        receives(whole(FRAME), then=[("got", 0, whole(FRAME)), ("csr_is", 0, 0x04F3),
                                     ("line_is", 1)])),
    *(Row(f"{n} bytes received", "1.3 (MCNT)", receives(whole(data(n - 4)), then=[
        ("got", 0, whole(data(n - 4))), ("rmd", 1, 1, 0x8000)])) for n in
      (64, 65, 66, 67, 68, 72, 79, 80, 96, 127, 128, 255, 256, 511, 512, 1023, 1024, 1517, 1518)),
    Row("wrong unicast", "§5 30",
        receives(whole(data(60, OTHER)), then=[("rmd", 0, 1, 0x8000), ("rmd", 0, 3, 0x5555),
                                                        ("csr_is", 0, 0x73), ("line_is", 0)])),
    *(Row(f"{n} bytes are too short", "§5 33",
          receives(whole(data(n - 4)), whole(FRAME), then=[("got", 0, whole(FRAME)),
                   ("rmd", 1, 1, 0x8000), ("csr_is", 0, 0x04F3)])) for n in (10, 20, 48, 60, 63)),
    Row("a frame too short, nothing else", "§5 33",
        receives(whole(data(59)), then=[("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x0073)])),
    Row("bad FCS", "§5 34",
        receives(bad(FRAME), then=[("rmd", 0, 1, 0x4B00), ("csr_is", 0, 0x04F3)])),
    Row("bad FCS and dribble", "§5 34",
        [*up(), ("arrive", bad(FRAME), {"dribble": True}), ("wait", 200), ("rmd", 0, 1, 0x6B00)]),
    Row("dribble alone", "§5 34",
        [*up(), ("arrive", whole(FRAME), {"dribble": True}), ("wait", 200),
         ("got", 0, whole(FRAME))]),
    Row("more frames than buffers", "§5 35",
        receives(*[whole(data(60, seed=n)) for n in range(5)], then=[
            *(("got", n, whole(data(60, seed=n))) for n in range(4)), ("csr_is", 0, 0x94F3),
            ("rx", 0), ("arrive", whole(NEXT)), ("wait", 200), ("got", 0, whole(NEXT))])),
    Row("no buffer at all", "1.5", receives(whole(FRAME), buffers=0, then=[("csr_is", 0, 0x90F3)])),
    Row("what is not for the chip is not missed", "1.5",
        receives(whole(data(60, OTHER)), buffers=0, then=[("csr_is", 0, 0x0073)])),
    Row("a buffer given after MISS is found", "1.5",
        receives(whole(FRAME), buffers=0, then=[("rx", 0), ("arrive", whole(NEXT)), ("wait", 300),
                                                ("got", 0, whole(NEXT)), ("csr_is", 0, 0x94F3)])),
    Row("a frame that fills its buffer", "1.3", receives(whole(FRAME), size=64, then=[
        ("got", 0, whole(FRAME)), ("rmd", 1, 1, 0x8000)])),
    Row("a frame a byte longer than its buffer", "1.3", receives(whole(data(61)), size=64, then=[
        ("rmd", 0, 1, 0x0200), ("rmd", 1, 1, 0x0100), ("rmd", 1, 3, 65),
        ("holds", RX_BUFFERS, whole(data(61))[:64]), ("rmd", 0, 3, 0x5555)])),
    Row("a frame over four buffers", "§5 36", receives(whole(data(200)), size=64, then=[
        *(("rmd", i, 1, s) for i, s in enumerate((0x0200, 0, 0, 0x0100))), ("rmd", 3, 3, 204),
        *(("holds", RX_BUFFERS + 0x700 * i, whole(data(200))[64 * i:64 * i + 64])
          for i in range(4)), ("csr_is", 0, 0x04F3)])),
    Row("a chain that finds no more", "§5 37", receives(whole(data(200)), size=64, buffers=2, then=[
        ("rmd", 0, 1, 0x0200), ("rmd", 1, 1, 0x4400), ("csr_is", 0, 0x04F3)])),
    Row("the first buffer of a chain that finds no more", "§5 37",
        receives(whole(data(200)), size=64, buffers=1, then=[("rmd", 0, 1, 0x4600),
                                                             ("rmd", 1, 1, 0)])),
    Row("address bits 23:16 of a receive buffer are kept", "1.3, 3.2",
        [*up(), ("csr", 0, 4), ("word", RDRA + 2, 0x80AB), ("csr", 0, 2), ("wait", 5),
         ("arrive", whole(FRAME)),
         ("wait", 200), ("rmd", 0, 1, 0x03AB), ("holds", RX_BUFFERS, whole(FRAME))]),
    *(Row(f"a receive buffer at {at:x}", "1.3",
          [("block",), ("rx", 0, {"at": at}), ("csr", 0, 3), ("wait", 100),
           ("arrive", whole(FRAME)), ("wait", 200), ("rmd", 0, 1, 0x0300),
           ("holds", at, whole(FRAME))])
      for at in (0x1001, 0x1002, 0x1003, 0x100F, 0x2010, 0x9001)),
    # Memory slower than the wire
    Row("the silo runs over", "§5 38", runs_over(1536, 0x5200)),
    # Which of both it is depends on where the silo is full: so far from either side none is near.
    *(Row(f"the silo runs over before the look-ahead, {size} bytes", LIST, runs_over(size, 0x5600),
          (chip,)) for chip, sizes in (("am7990", (96, 112)), ("c-lance", (160, 176)))
      for size in sizes),
    *(Row(f"the silo runs over with room left, {size} bytes", LIST, runs_over(size, 0x5200))
      for size in (416, 800)),
    *(Row(f"the silo runs over, {size} bytes", LIST,
          runs_over(size, ("full_is_buff", 0, whole(data(600)), size)))
      for size in range(160, 321, 16)),
    # Runts that wait for the ring: their bytes leave the silo before their end is looked at
    *(Row(f"{count} frames of {size} bytes while memory is slow", "1.5", runts(size, count))
      for size in (6, 7, 8, 12) for count in (4, 8, 10, 14, 24)),
    # A frame under way when the chip starts is not received, and spoils nothing
    Row("a frame under way when internal loopback begins", "1.7",
        restarts(INTERNAL, *LOOPED)),
    Row("a frame under way when the chip starts", "1.5",
        restarts(PROM, ("wait", 1500), ("csr_is", 0, 0x0073), ("rmd", 0, 1, 0x8000),
                 ("arrive", whole(NEXT)), ("wait", 300), ("got", 0, whole(NEXT)))),
    Row("a frame under way when internal loopback ends", "1.7",
        [*up(mode=INTERNAL | PROM), ("arrive", FOREIGN), ("wait", 100), *up(mode=PROM),
         ("wait", 1500), ("csr_is", 0, 0x0073), ("arrive", whole(NEXT)), ("wait", 300),
         ("got", 0, whole(NEXT))]),
    Row("a frame under way at STOP", "1.1",
        [*up(mode=PROM), ("arrive", FOREIGN), ("wait", 200), ("csr", 0, 4), ("wait", 1500),
         ("csr_is", 0, 4), ("rmd", 0, 1, 0x8000), *up(), ("arrive", whole(NEXT)), ("wait", 300),
         ("got", 0, whole(NEXT))]),
    # Loopback
    Row("internal loopback", "§5 40", [*up(mode=INTERNAL), *LOOPED], config={"sqe_test": 0}),
    *(Row(f"internal loopback, {n} bytes", "1.7",
          [*up(mode=INTERNAL), ("tx", 0, data(n)), ("demand",), ("wait", 300), ("sent",),
           ("got", 0, whole(data(n)))]) for n in (8, 9, 31, 32)),
    Row("internal loopback, five frames", "1.7",
        [*up(mode=INTERNAL), *(step for n in range(5) for step in (
            ("tx", n % 4, data(20 + n)), ("rx", n % 4), ("demand",), ("wait", 300),
            ("got", n % 4, whole(data(20 + n)))))]),
    Row("internal loopback, software's FCS", "§5 40, 1.7",
        [*up(mode=INTERNAL | DTCR), ("tx", 0, whole(SELF)), ("demand",), ("wait", 300),
         ("got", 0, whole(SELF))]),
    Row("internal loopback, software's wrong FCS", "1.7",
        [*up(mode=INTERNAL | DTCR), ("tx", 0, bad(SELF)), ("demand",), ("wait", 300),
         ("rmd", 0, 1, 0x4B00), ("holds", RX_BUFFERS, bad(SELF))]),
    Row("internal loopback, to somebody else", "1.7",
        [*up(mode=INTERNAL), ("tx", 0, data(20, OTHER)), ("demand",), ("wait", 300),
         ("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x02F3)]),
    Row("internal loopback does not hear the wire", "1.7",
        [*up(mode=INTERNAL | PROM), ("arrive", FOREIGN), ("wait", 2000), ("csr_is", 0, 0x0073),
         ("rmd", 0, 1, 0x8000), *LOOPED]),
    Row("internal loopback while a frame passes on the wire", "1.7",
        [*up(mode=INTERNAL), ("arrive", FOREIGN), ("wait", 200), *LOOPED]),
    Row("INTL without LOOP means nothing", "1.2",
        [*up(mode=0x40), ("tx", 0, FRAME), ("demand",), ("wait", 300), ("sent", whole(FRAME)),
         ("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x02F3)]),
    Row("external loopback does not check the FCS", "1.7",
        [*up(mode=LOOP), ("arrive", bad(FRAME)), ("wait", 300), ("got", 0, bad(FRAME))]),
    Row("external loopback checks software's FCS", "1.7",
        [*up(mode=LOOP | DTCR), ("arrive", bad(FRAME)), ("wait", 300), ("rmd", 0, 1, 0x4B00)]),
    Row("a group in external loopback", "1.7",
        [*up(mode=LOOP | DTCR, ladrf=1 << 54), ("arrive", whole(GROUP)), ("wait", 300),
         ("got", 0, whole(GROUP))]),
    Row("a group in external loopback without DTCR", "1.7",
        [*up(mode=LOOP, ladrf=1 << 54), ("arrive", whole(GROUP)), ("wait", 300),
         ("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x0073)]),
    Row("COLL: RTRY", "§5 40",
        [*up(mode=INTERNAL | COLL), ("tx", 0, SELF), ("demand",), ("wait", 600_000), ("sent",),
         ("tmd", 0, 1, 0x4300), ("tmd", 0, 3, 0x0400, 0xFC00), ("rmd", 0, 1, 0x8000),
         ("csr_is", 0, 0x02F3)]),
    # Byte order
    *(Row(f"BSWP: {n + 4} bytes received at an {'odd' if odd else 'even'} address", "1.1, §5 41",
          receives_swapped(n, odd)) for n in (60, 61, 62, 63, 64, 65, 67) for odd in (0, 1)),
]  # fmt: skip
