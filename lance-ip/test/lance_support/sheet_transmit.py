# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet: transmit descriptors, the wire, collisions (1.3, 1.4)."""

from lance_support.sheet_row import Row, up
from lance_support.sheet_runner import ENP, STP, data, whole

FRAME = data(60)
LIST = "docs/reference/lance.md"
DTCR, DRTY = 0x08, 0x20
SENT = [("wait", 300), ("tmd", 0, 1, 0x0300), ("csr_is", 0, 0x02F3)]
# TMD1 and TMD3 without the time to the collision.
RTRY, LCOL = (0x4300, 0x0400), (0x4300, 0x1000)


def sends(frame: bytes, *after: tuple, mode: int = 0, flags: int = STP | ENP) -> list[tuple]:
    return [*up(mode=mode), ("tx", 0, frame, flags), ("demand",), ("wait", 300), *after]


def collides(frame: bytes, *at: int | None, ends: tuple[int, int | None], mode: int = 0) -> list:
    """Attempts that collide in these nibbles (None: not); then TMD1, TMD3 but its count."""
    sent = frame if mode & DTCR else whole(frame)
    status, error = ends
    steps = [*up(mode=mode), ("half",), ("collide", *at), ("tx", 0, frame), ("demand",),
             ("wait", 600_000 if len(at) > 5 else 10_000), ("attempts", *at, {"frame": sent}),
             ("tmd", 0, 1, status)]  # fmt: skip
    steps += [
        ("tmd", 0, 3, 0x5555 if error is None else error, 0xFFFF if error is None else 0xFC00)
    ]
    return [*steps, ("csr_is", 0, 0x02F3)]


def last(size: int) -> int:
    """The last nibble of a frame of ``size`` bytes, FCS included; 0 is the preamble's first."""
    return 15 + 2 * size


def sends_swapped(size: int, odd: int) -> list[tuple]:
    frame = data(size)
    return [*up(), ("csr", 0, 4), ("csr", 3, 4), ("csr", 0, 1), ("wait", 100), ("csr", 0, 0x142),
            ("tx", 0, frame, {"at": 0x8000 + odd, "swap": True}),
            ("demand",), ("wait", 300), ("sent", whole(frame))]  # fmt: skip


ROWS = [
    Row("60 bytes and FCS", "§5 15", sends(FRAME, *SENT, ("tmd", 0, 3, 0x5555), ("line_is", 1),
                                          ("sent", whole(FRAME)))),
    Row("a frame is found without TDMD", "§5 16",
        [*up(), ("tx", 0, FRAME), ("wait", 1000), ("sent",), ("wait", 1000), ("sent", whole(FRAME)),
         ("csr_is", 0, 0x02F3)]),
    Row("software's FCS", "§5 17", sends(whole(FRAME), *SENT, ("sent", whole(FRAME)), mode=DTCR)),
    *(Row(f"no padding: {n} bytes", "1.4", sends(data(n), *SENT, ("sent", whole(data(n)))))
      for n in (1, 2, 15, 16, 17, 47, 48, 49, 59, 61, 333)),
    *(Row(f"a buffer at {at:x}", "1.3",
          [*up(), ("tx", 0, FRAME, {"at": at}), ("demand",), *SENT, ("sent", whole(FRAME))])
      for at in (0x8001, 0x8002, 0x8003, 0x800F, 0xC010, 0x2001)),
    Row("address bits 23:16 are kept", "1.3, 3.2",
        [*up(), ("tx", 0, FRAME), ("word", 0x202, 0x83AB), ("demand",), ("wait", 300),
         ("tmd", 0, 1, 0x03AB), ("sent", whole(FRAME))]),
    Row("a length of 0 is 4096", "1.3, §5 28",
        [*up(), ("tx", 0, data(4096), {"at": 0x8000}), ("demand",), ("wait", 4000),
         ("sent", whole(data(4096))), ("csr_is", 0, 0xC2F3), ("tmd", 0, 1, 0x0300)]),
    Row("1518 bytes are no babble", "1.1",
        [*up(), ("tx", 0, data(1514)), ("demand",), ("wait", 2000), ("sent", whole(data(1514))),
         ("csr_is", 0, 0x02F3)]),
    Row("babble in a chain goes on to the end", "§5 28",
        [*up(), ("tx", 1, data(800, seed=2), ENP), ("tx", 0, data(800), STP), ("demand",),
         ("wait", 2000), ("csr_is", 0, 0xC2F3), ("sent", whole(data(800) + data(800, seed=2)))]),
    Row("status bits of before are gone", "1.3", sends(FRAME, *SENT, flags=STP | ENP | 0x1C00)),
    Row("ADD_FCS", "1.3", sends(FRAME, ("sent", whole(FRAME)), mode=DTCR, flags=0x2300),
        ("c-lance",)),
    Row("bit 13 is reserved", "1.3", sends(FRAME, ("sent", FRAME), mode=DTCR, flags=0x2300),
        ("am7990",)),
    Row("a descriptor that is not owned", "1.3",
        [*up(), ("tx", 0, FRAME, {"own": False}), ("demand",), ("wait", 300), ("sent",),
         ("csr_is", 0, 0x0073), ("tmd", 0, 1, 0x0300)]),
    Row("16 frames, the ring wraps", "§5 18",
        [*up(), *(step for i in range(16) for step in
                  (("tx", i % 4, data(60, seed=i)), ("demand",), ("wait", 250),
                   ("sent", whole(data(60, seed=i))), ("tmd", i % 4, 1, 0x0300)))]),
    Row("four frames back to back", "1.4",
        [*up(), *(("tx", i, data(60, seed=i)) for i in range(4)), ("demand",), ("wait", 1000),
         ("sent", *(whole(data(60, seed=i)) for i in range(4)))]),
    Row("a chain of two", "§5 19",
        [*up(), ("tx", 1, data(60, seed=3), ENP), ("tx", 0, data(100), STP), ("demand",),
         ("wait", 500), ("sent", whole(data(100) + data(60, seed=3))), ("tmd", 0, 1, 0x0200),
         ("tmd", 1, 1, 0x0100), ("csr_is", 0, 0x02F3)]),
    Row("a chain of four", "1.4",
        [*up(), ("tx", 3, data(9), ENP), ("tx", 2, data(1), 0), ("tx", 1, data(33), 0),
         ("tx", 0, data(100), STP), ("demand",), ("wait", 500),
         ("sent", whole(data(100) + data(33) + data(1) + data(9))),
         *(("tmd", i, 1, s) for i, s in enumerate((0x0200, 0, 0, 0x0100)))]),
    Row("a chain that is cut off", "§5 20",
        [*up(), ("tx", 0, data(100), STP), ("demand",), ("wait", 500), ("sent", data(100)),
         ("tmd", 0, 1, 0x4200), ("tmd", 0, 3, 0xC000), ("csr_is", 0, 0x02E3)]),
    Row("OWN without STP", "§5 21, " + LIST,
        [*up(), ("tx", 0, data(90), ENP), ("tx", 1, FRAME), ("demand",), ("wait", 500),
         ("sent", whole(FRAME)), ("tmd", 0, 1, 0x0100), ("tmd", 1, 1, 0x0300),
         ("csr_is", 0, 0x02F3)]),
    Row("memory slower than the wire", "§5 22",
        [*up(), ("memory", 20), ("tx", 0, data(1000)), ("demand",), ("wait", 2000),
         ("ran_dry", data(1000)), ("tmd", 0, 1, 0x4300), ("tmd", 0, 3, 0x4000, 0xFC00),
         ("csr_is", 0, 0x02E3), ("memory", 0.1), *sends(FRAME, *SENT, ("sent", whole(FRAME)))]),
    Row("dry before the next TMD1 was read", LIST,
        [*up(), ("memory", 20), ("tx", 1, FRAME, ENP), ("tx", 0, data(1000), STP), ("demand",),
         ("wait", 2000), ("ran_dry", data(1000)), ("tmd", 0, 1, 0x4200),
         ("tmd", 0, 3, 0xC000, 0xFC00), ("csr_is", 0, 0x02E3), ("tmd", 1, 1, 0x8100)]),
    # Collisions
    Row("one collision", "§5 23", collides(FRAME, 40, None, ends=(0x0B00, None))),
    Row("two collisions", "1.4", collides(FRAME, 40, 50, None, ends=(0x1300, None))),
    Row("five collisions", "§5 23",
        collides(FRAME, 40, 20, 3, 100, 77, None, ends=(0x1300, None))),
    Row("fifteen collisions", "1.4", collides(FRAME, *[30] * 15, None, ends=(0x1300, None))),
    Row("sixteen collisions", "§5 23", collides(FRAME, *[30] * 16, ends=RTRY)),
    Row("DRTY, one collision", "§5 24", collides(FRAME, 40, ends=RTRY, mode=DRTY)),
    Row("DRTY, none", "1.2", collides(FRAME, None, ends=(0x0300, None), mode=DRTY)),
    Row("TDR counts bits", "1.3",
        [*collides(FRAME, 40, ends=RTRY, mode=DRTY), ("tmd", 0, 3, 0x04A0, 0xFFFC)]),
    Row("a collision in the preamble", "1.4, " + LIST,
        collides(FRAME, 3, None, ends=(0x0B00, None))),
    Row("the slot time's last nibble", "1.4", collides(FRAME, 127, None, ends=(0x0B00, None))),
    Row("the nibble after the slot time", "§5 25", collides(FRAME, 128, ends=LCOL)),
    Row("late with DRTY", "1.4", collides(FRAME, 140, ends=LCOL, mode=DRTY)),
    Row("one in time, one late", "1.4", collides(FRAME, 20, 140, ends=LCOL)),
    # The last nibble is one like any other
    *(Row(f"the last nibble but {back} of {n} bytes", LIST,
          collides(data(n - 4), last(n) - back, None, ends=(0x0B00, None)))
      for n in (20, 24, 56) for back in (0, 1)),
    *(Row(f"the last nibble but {back} of {n} bytes, late", LIST,
          collides(data(n - 4), last(n) - back, ends=LCOL)) for n in (64, 68) for back in (0, 1)),
    Row("the last nibble without FCS", LIST,
        collides(data(30), last(30), None, ends=(0x0B00, None), mode=DTCR)),
    Row("the last nibble with DRTY", LIST, collides(data(20), last(24), ends=RTRY, mode=DRTY)),
    Row("the last nibble, sixteen times", LIST, collides(data(20), *[last(24)] * 16, ends=RTRY)),
    Row("a chain's first buffer is kept for a retry", "1.4",
        [*up(), ("half",), ("collide", 120, None), ("tx", 1, data(60, seed=2), ENP),
         ("tx", 0, data(100), STP), ("demand",), ("wait", 3000),
         ("attempts", 120, None, {"frame": whole(data(100) + data(60, seed=2))}),
         ("tmd", 0, 1, 0x0200), ("tmd", 1, 1, 0x0900), ("csr_is", 0, 0x02F3)]),
    *(Row(f"a cut chain collides: {what}", LIST,
          [*up(mode=mode), ("half",), ("collide", at), ("tx", 0, data(size), STP), ("demand",),
           ("wait", 3000), ("tmd", 0, 1, status & ~0x0100), ("tmd", 0, 3, error, 0xFC00),
           ("csr_is", 0, 0x02F3), ("tx", 1, FRAME), ("demand",), ("wait", 500),
           ("tmd", 1, 1, 0x0300)])
      for what, mode, at, size, (status, error) in
      (("DRTY", DRTY, 40, 30, RTRY), ("late", 0, 180, 100, LCOL))),
    Row("the next frame after RTRY", "1.4",
        [*collides(FRAME, 40, ends=RTRY, mode=DRTY), ("tx", 1, data(70)), ("demand",),
         ("wait", 1000), ("sent", whole(data(70))), ("tmd", 1, 1, 0x0300)]),
    Row("the carrier goes away", "§5 26",
        [*up(), ("half",), ("lose_carrier", 60), ("tx", 0, FRAME), ("demand",), ("wait", 500),
         ("sent", whole(FRAME)), ("tmd", 0, 1, 0x4300), ("tmd", 0, 3, 0x0800, 0xFC00),
         ("csr_is", 0, 0x02F3), ("tx", 1, FRAME), ("demand",), ("wait", 500),
         ("tmd", 1, 1, 0x0300)]),
    Row("somebody else sends: DEF", "1.4",
        [*up(), ("half",), ("arrive", whole(data(400, b"\2\2\2\2\2\2"))), ("wait", 50),
         ("tx", 0, FRAME), ("demand",), ("wait", 1000), ("sent", whole(FRAME)),
         ("tmd", 0, 1, 0x0700), ("csr_is", 0, 0x02F3)]),
    Row("full duplex does not defer", "1.4",
        [*up(), ("arrive", whole(data(400, b"\2\2\2\2\2\2"))), ("wait", 50), ("tx", 0, FRAME),
         ("demand",), ("wait", 1000), ("sent", whole(FRAME)), ("tmd", 0, 1, 0x0300)]),
    # Byte order
    *(Row(f"BSWP: {n} bytes sent from an {'odd' if odd else 'even'} address", "1.1, §5 41",
          sends_swapped(n, odd)) for n in (60, 61, 62, 63, 64, 65, 67) for odd in (0, 1)),
]  # fmt: skip
