# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet: INIT, STRT, STOP and MERR; the fields of the init block (1.1, 1.2)."""

from lance_support.sheet_row import Row, up
from lance_support.sheet_runner import RDRA, STATION, TDRA, data, whole

FRAME = data(60)
LIST = "docs/reference/lance.md"
# CSR0 between what is acknowledged and what stays.
NO_INIT = [("memory", None), ("csr", 0, 1), ("wait", 200), ("csr_is", 0, 0x8881)]
QUIET = [("wait", 4000), ("sent",)]
GROUPS = {"01005e000001": 54, "01005e0000fb": 33, "333300000001": 23, "09002b00000f": 35,
          "ab0000010000": 15, "0180c2000000": 58}  # fmt: skip


def accepts(frame: bytes) -> list[tuple]:
    return [("arrive", whole(frame)), ("wait", 200), ("got", 0, whole(frame))]


def refuses(frame: bytes) -> list[tuple]:
    return [("arrive", whole(frame)), ("wait", 200), ("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x0073)]


def ring_of(log: int) -> list[tuple]:
    """A receive ring of 1 << log: the frame after a full round is missed, what lies beyond the
    ring stays as it is."""
    n = 1 << log
    steps = [("block", {"rlen": log, "tdra": 0x800})]
    steps += [("rx", i, {"at": 0x1000}) for i in range(n + 1)]
    steps += [("csr", 0, 0x43), ("wait", 100), ("csr", 0, 0x140)]
    for i in range(n):
        steps += [("arrive", whole(FRAME)), ("wait", 120), ("rmd", i, 1, 0x0300)]
    return [*steps, ("csr_is", 0, 0x04F3), ("arrive", whole(FRAME)), ("wait", 120),
            ("csr_is", 0, 0x94F3), ("rmd", n, 1, 0x8000)]  # fmt: skip


def send_ring_of(log: int) -> list[tuple]:
    n = 1 << log
    steps = [("block", {"tlen": log}), ("rx", 0), *(("tx", i, FRAME, {"at": 0x8000})
                                                    for i in range(n + 1))]  # fmt: skip
    steps += [("csr", 0, 0x43), ("wait", 100), ("csr", 0, 0x148), ("wait", 250 * n)]
    steps += [("tmd", i, 1, 0x0300) for i in range(n)]
    return [*steps, ("tmd", n, 1, 0x8300), ("sent", *[whole(FRAME)] * n)]


ROWS = [
    # Effects of a block that was not read
    Row("no READY during INIT", "§5 39", [("block",), *NO_INIT, ("line_is", 0)]),
    Row("no READY during INIT and STRT", "§5 39",
        [("block",), ("memory", None), ("csr", 0, 3), ("wait", 200), ("csr_is", 0, 0x8883)]),
    Row("STRT after an INIT that failed starts nothing", "1.1 (RXON: init block read)",
        [("block",), ("rx", 0), ("tx", 0, FRAME), *NO_INIT, ("memory", 0.1), ("csr", 0, 0x0842),
         ("wait", 100), ("csr_is", 0, 0x0043), *QUIET, ("csr", 0, 0x48), *QUIET,
         ("arrive", whole(FRAME)), ("wait", 200), ("rmd", 0, 1, 0x8000),
         ("csr_is", 0, 0x43, 0xFFF7)]),
    Row("INIT and STRT that fail: not the older block", "1.1, §5 39",
        [*up(), ("csr", 0, 4), ("block", {"mode": 3}), ("tx", 0, FRAME), ("memory", None),
         ("csr", 0, 3), ("wait", 200), ("csr_is", 0, 0x8883), ("memory", 0.1), *QUIET,
         ("csr_is", 0, 0x8883)]),
    Row("INIT that fails, then STRT: not the older block", "1.1, §5 39",
        [*up(), ("csr", 0, 4), ("tx", 0, FRAME), *NO_INIT, ("memory", 0.1), ("csr", 0, 2),
         ("wait", 10), ("csr_is", 0, 0x8883), *QUIET, ("tmd", 0, 1, 0x8300)]),
    Row("INIT that fails, STOP, STRT: not the older block", LIST,
        [*up(), ("csr", 0, 4), ("tx", 0, FRAME), *NO_INIT, ("memory", 0.1), ("csr", 0, 4),
         ("csr", 0, 2), ("wait", 10), ("csr_is", 0, 2), *QUIET, ("tmd", 0, 1, 0x8300)]),
    Row("INIT after one that failed reads the block", LIST,
        [("block",), ("rx", 0), *NO_INIT, ("memory", 0.1), ("csr", 0, 0x0801), ("csr_is", 0, 1),
         ("wait", 100), ("csr_is", 0, 0x0181), ("csr", 0, 0x0142), ("wait", 1),
         ("csr_is", 0, 0x0073), *accepts(FRAME)]),
    Row("INIT after one that failed with STRT starts the chip", LIST,
        [("block",), ("memory", None), ("csr", 0, 3), ("wait", 200), ("memory", 0.1),
         ("csr", 0, 0x0841), ("wait", 100), ("csr_is", 0, 0x01F3)]),
    Row("INIT that fails twice", "§5 39", [("block",), *NO_INIT, ("csr", 0, 0x0801),
                                          ("csr_is", 0, 1), ("wait", 200), ("csr_is", 0, 0x8881)]),
    Row("INIT twice at once reads the block once", LIST,
        [("block",), ("rx", 0), ("csr", 0, 1), ("csr", 0, 1), ("csr_is", 0, 1), ("wait", 100),
         ("csr_is", 0, 0x0181), ("csr", 0, 0x0142), ("wait", 1), ("csr_is", 0, 0x73),
         *accepts(FRAME)]),
    Row("STRT while the block is read", "1.1",
        [("block",), ("rx", 0), ("csr", 0, 1), ("csr", 0, 0x42), ("csr_is", 0, 0x43), ("wait", 100),
         ("csr_is", 0, 0x01F3), *accepts(FRAME)]),
    Row("STOP while the block is read", LIST,
        [("block",), ("csr", 0, 1), ("csr", 0, 4), ("wait", 100), ("csr_is", 0, 4), ("csr", 0, 2),
         ("wait", 100), ("csr_is", 0, 2)]),
    Row("STOP while a second block is read", LIST,
        [*up(), ("csr", 0, 4), ("tx", 0, FRAME), ("csr", 0, 1), ("csr", 0, 4), ("wait", 100),
         ("csr", 0, 2), *QUIET, ("csr_is", 0, 2)]),
    # INIT without STOP
    Row("INIT again raises IDON", "1.1",
        [("block",), ("csr", 0, 1), ("wait", 100), ("csr", 0, 0x0100), ("csr_is", 0, 1),
         ("csr", 0, 1), ("wait", 100), ("csr_is", 0, 0x0181)]),
    Row("INIT while running raises IDON and reads nothing", "1.1",
        [*up(), ("block_words", {"mode": 3}), ("csr", 0, 0x41), ("wait", 200),
         ("csr_is", 0, 0x01F3), *accepts(FRAME), ("csr", 0, 0x0540), ("csr_is", 0, 0x73)]),
    Row("INIT after STOP and STRT does nothing", LIST,
        [*up(), ("csr", 0, 4), ("csr", 0, 2), ("wait", 1), ("csr_is", 0, 0x32), ("csr", 0, 1),
         ("wait", 200), ("csr_is", 0, 0x33)]),
    Row("INIT with the old block's DRX and DTX reads a new one", LIST,
        [*up(mode=3), ("csr", 0, 4), ("csr", 0, 2), ("wait", 1), ("csr_is", 0, 2), ("block_words",),
         ("csr", 0, 1), ("wait", 100), ("csr_is", 0, 0x01B3)]),
    Row("STOP and STRT go on where the rings were", LIST,
        [*up(), *accepts(FRAME), ("tx", 0, FRAME), ("demand",), ("wait", 300), ("csr", 0, 4),
         ("tx", 1, data(70)), ("csr", 0, 2), ("wait", 1), ("csr_is", 0, 0x32), ("demand",),
         ("wait", 300), ("sent", whole(FRAME), whole(data(70))), ("arrive", whole(data(80))),
         ("wait", 200), ("got", 1, whole(data(80)))]),
    Row("INIT after STOP begins the rings again", "1.2",
        [*up(), *accepts(FRAME), *up(), *accepts(FRAME)]),
    # MERR while running
    *(Row(f"READY after {us} us is no MERR", "1.1 (R)", [*up(), ("memory", us), ("csr", 0, 0x48),
                                                       ("wait", 200), ("csr_is", 0, 0x73)])
      for us in (1, 10, 24)),
    Row("MERR turns both off; STRT and INIT leave them off", "1.1, " + LIST,
        [*up(), ("memory", None), ("demand",), ("wait", 300), ("csr_is", 0, 0x88C3),
         ("memory", 0.1), ("tx", 0, FRAME), ("csr", 0, 0x0842), ("wait", 10), ("csr_is", 0, 0x43),
         ("csr", 0, 0x41), ("wait", 100), ("csr_is", 0, 0x01C3), *QUIET, ("csr_is", 0, 0x01C3),
         ("arrive", whole(FRAME)), ("wait", 200), ("rmd", 0, 1, 0x8000)]),
    Row("after MERR, STOP and STRT use the block", LIST,
        [*up(), ("memory", None), ("demand",), ("wait", 300), ("memory", 0.1), ("csr", 0, 4),
         ("csr", 0, 0x2), ("wait", 1), ("csr_is", 0, 0x32), *accepts(FRAME)]),
    Row("no READY for a received frame", "§5 39",
        [*up(), ("memory", None), ("arrive", whole(FRAME)), ("wait", 300), ("csr_is", 0, 0x88C3)]),
    # The block's fields
    *(Row(f"init block at {at:x}", "1.1", [*up(mode=2, at=at), ("csr_is", 0, 0x63)])
      for at in (2, 0x40, 0x80, 0x300, 0x4000, 0x8000, 0xFFE0)),
    *(Row(f"PADR bit {n}", "1.2, §5 30",
          [*up(), *refuses(bytes(b ^ (1 << n % 8 if i == n // 8 else 0)
                                 for i, b in enumerate(STATION)) + FRAME[6:])])
      for n in range(48)),
    *(Row(f"PADR {address}", "1.2",
          [*up(padr=bytes.fromhex(address)), *accepts(data(60, bytes.fromhex(address)))])
      for address in ("020406080a0c", "fe7f3f1f0f07", "aa5533cc9966")),
    *(Row(f"LADRF bit {bit} alone", "1.5, §5 31",
          [*up(ladrf=1 << bit), *accepts(data(60, bytes.fromhex(to)))])
      for to, bit in GROUPS.items()),
    *(Row(f"LADRF all but bit {bit}", "1.5, §5 31",
          [*up(ladrf=(1 << 64) - 1 ^ 1 << bit), *refuses(data(60, bytes.fromhex(to)))])
      for to, bit in GROUPS.items()),
    Row("LADRF does not let unicast in", "1.5",
        [*up(ladrf=(1 << 64) - 1), *refuses(data(60, b"\x08\x00\x2b\x09\x09\x09"))]),
    Row("broadcast always", "1.5, §5 31", [*up(), *accepts(data(60, bytes([255] * 6)))]),
    *(Row(f"PROM, {kind}", "§5 32", [*up(mode=0x8000), *accepts(data(60, to))]) for kind, to in
      (("unicast", b"\2" * 6), ("group", b"\3" * 6), ("own", STATION), ("broadcast", b"\xff" * 6))),
    Row("MODE 14 to 7 mean nothing", "1.2",
        [*up(mode=0x7F80), *refuses(data(60, b"\2" * 6)), *accepts(FRAME), ("tx", 0, FRAME),
         ("demand",), ("wait", 300), ("tmd", 0, 1, 0x0300), ("sent", whole(FRAME))], ("am7990",)),
    *(Row(f"RLEN {n}", "1.2, §5 35", ring_of(n)) for n in range(8)),
    *(Row(f"TLEN {n}", "1.2, §5 18", send_ring_of(n)) for n in range(8)),
    Row("bits beside RLEN and TLEN mean nothing", "1.2", [*up(junk=0x1F00), *accepts(FRAME)]),
    Row("DTX sends nothing", "1.2", [*up(mode=2), ("tx", 0, FRAME), ("demand",), *QUIET,
                                     ("tmd", 0, 1, 0x8300)]),
    Row("DRX receives nothing", "1.2", [*up(mode=1), ("arrive", whole(FRAME)), ("wait", 200),
                                        ("rmd", 0, 1, 0x8000), ("csr_is", 0, 0x53)]),
    Row("the chip writes nothing but words 1 and 3", "1.3",
        [*up(), *accepts(FRAME), ("word_is", RDRA, 0x1000), ("word_is", RDRA + 4, 0xFA00),
         ("tx", 0, FRAME), ("demand",), ("wait", 300), ("word_is", TDRA, 0x8000),
         ("word_is", TDRA + 4, 0xFFC4), ("tmd", 0, 3, 0x5555)]),
]  # fmt: skip
