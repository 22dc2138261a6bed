# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet: ports, CSR0 to CSR3 (1.1)."""

from lance_support.sheet_row import Row, up
from lance_support.sheet_runner import data, whole

RUNNING = [*up(), ("csr_is", 0, 0x0073)]
FRAME = data(60)
# RINT and TINT pending, line high.
BOTH_PENDING = [*RUNNING, ("arrive", whole(FRAME)), ("wait", 200), ("tx", 0, FRAME), ("demand",),
                ("wait", 300), ("csr_is", 0, 0x06F3), ("line_is", 1)]  # fmt: skip
MISSED = [*up(buffers=0), ("arrive", whole(FRAME)), ("wait", 200)]
BABBLED = [*RUNNING, ("tx", 0, data(1515)), ("demand",), ("wait", 2000)]
SILENT = [*RUNNING, ("memory", None), ("tx", 0, FRAME), ("demand",), ("wait", 300)]

ROWS = [
    Row("after reset", "§5 1", [("rap_is", 0), ("csr_is", 0, 0x0004), ("line_is", 0)]),
    Row("RAP has two bits", "1.1, §5 2", [("rap", 0xFFFF), ("rap_is", 3)]),
    *(Row(f"RAP bit {n}", "1.1", [("rap", 1 << n), ("rap_is", 1 << n & 3)]) for n in range(16)),
    Row("RAP is not cleared by STOP", "1.1",
        [*RUNNING, ("csr", 0, 4), ("rap", 2), ("rap_is", 2), ("csr_is", 2, 0), ("rap_is", 2)]),
    Row("RAP is cleared by RESET", "1.1",
        [("rap", 3), ("ssr", 0), ("ssr", 0x10100), ("rap_is", 0)]),
    Row("CSR1 to CSR3 while stopped", "§5 3",
        [("csr", 1, 0xABCC), ("csr", 2, 0x00FE), ("csr", 3, 7), ("csr_is", 1, 0xABCC),
         ("csr_is", 2, 0x00FE), ("csr_is", 3, 7)]),
    *(Row(f"CSR1 bit {n}", "1.1", [("csr", 1, 1 << n), ("csr_is", 1, 1 << n)])
      for n in range(1, 16)),
    *(Row(f"CSR2 bit {n}", "1.1", [("csr", 2, 1 << n), ("csr_is", 2, 1 << n)]) for n in range(8)),
    *(Row(f"CSR3 bit {n}", "1.1", [("csr", 3, 1 << n), ("csr_is", 3, 1 << n & 7)])
      for n in range(16)),
    Row("CSR1 to CSR3 are closed while running; STOP clears CSR3 alone", "1.1, §5 4",
        [("block", {"at": 0x40}), ("csr", 3, 3), ("csr", 0, 1), ("wait", 100), ("csr", 1, 0xFFFE),
         ("csr", 2, 0xFF), ("csr", 3, 4), ("csr", 0, 4), ("csr_is", 1, 0x40), ("csr_is", 2, 0),
         ("csr_is", 3, 0)]),
    Row("RESET clears CSR3", "1.1",
        [("csr", 3, 7), ("ssr", 0), ("ssr", 0x10100), ("csr_is", 3, 0)]),
    Row("INIT", "§5 5", [("block",), ("csr", 0, 1), ("wait", 100), ("csr_is", 0, 0x0181)]),
    Row("the driver's start", "§5 6", [*RUNNING, ("line_is", 0)]),
    Row("STRT with IDON pending interrupts at once", "§5 7",
        [("block",), ("csr", 0, 1), ("wait", 100), ("line_is", 0), ("csr", 0, 0x0042), ("wait", 1),
         ("csr_is", 0, 0x01F3), ("line_is", 1), ("csr", 0, 0x0140), ("csr_is", 0, 0x0073),
         ("line_is", 0)]),
    Row("INIT and STRT in one write", "§5 8",
        [("block",), ("csr", 0, 3), ("wait", 100), ("csr_is", 0, 0x01B3)]),
    Row("STOP wins over INIT and STRT", "§5 9",
        [("block",), ("csr", 0, 7), ("wait", 100), ("csr_is", 0, 4)]),
    Row("STOP wins over INIT and STRT while running", "§5 9",
        [*RUNNING, ("csr", 0, 7), ("csr_is", 0, 4), ("wait", 100), ("csr_is", 0, 4)]),
    Row("STOP wins over TDMD", "1.1", [*RUNNING, ("csr", 0, 0x0C), ("csr_is", 0, 4)]),
    Row("STOP with everything pending reads 0004", "§5 10",
        [*BOTH_PENDING, ("csr", 0, 4), ("csr_is", 0, 4), ("line_is", 0)]),
    Row("INEA while stopped: no", "§5 11", [("csr", 0, 0x40), ("csr_is", 0, 4)], ("am7990",)),
    Row("INEA while stopped: yes", "§5 11", [("csr", 0, 0x40), ("csr_is", 0, 0x44)], ("c-lance",)),
    Row("STOP clears INEA too", "1.1", [("csr", 0, 0x44), ("csr_is", 0, 4)]),
    Row("zeros change nothing but INEA", "1.1",
        [*BOTH_PENDING, ("csr", 0, 0), ("csr_is", 0, 0x06B3)]),
    Row("RINT is cleared alone", "§5 12",
        [*BOTH_PENDING, ("csr", 0, 0x440), ("csr_is", 0, 0x02F3)]),
    Row("TINT is cleared alone", "1.1", [*BOTH_PENDING, ("csr", 0, 0x240), ("csr_is", 0, 0x04F3)]),
    Row("an acknowledge without INEA drops the line", "§5 13",
        [*BOTH_PENDING, ("csr", 0, 0x400), ("wait", 1), ("line_is", 0), ("csr_is", 0, 0x02B3),
         ("csr", 0, 0x40), ("wait", 1), ("line_is", 1)]),
    Row("read-only bits are", "1.1", [*RUNNING, ("csr", 0, 0x80F0), ("csr_is", 0, 0x0073),
                                      ("csr", 0, 0), ("csr_is", 0, 0x0033)]),
    Row("read-only bits can't be set while off", "1.1",
        [*up(mode=3), ("csr_is", 0, 0x0043), ("csr", 0, 0x80F0), ("csr_is", 0, 0x0043)]),
    Row("DRX", "§5 14", [*up(mode=1), ("csr_is", 0, 0x0053)]),
    Row("DTX", "§5 14", [*up(mode=2), ("csr_is", 0, 0x0063)]),
    Row("STRT without an init block", "1.1 (RXON: init block read)",
        [("csr", 0, 2), ("wait", 2000), ("csr_is", 0, 2), ("block_words",), ("csr", 0, 1),
         ("wait", 100), ("csr_is", 0, 0x01B3)]),
    Row("MISS interrupts, and is cleared", "1.1",
        [*MISSED, ("csr_is", 0, 0x90F3), ("line_is", 1), ("csr", 0, 0x1040), ("csr_is", 0, 0x0073),
         ("line_is", 0)]),
    Row("BABL interrupts, and is cleared", "1.1, §5 28",
        [*BABBLED, ("csr_is", 0, 0xC2F3), ("csr", 0, 0x0240), ("csr_is", 0, 0xC0F3), ("line_is", 1),
         ("csr", 0, 0x4040), ("csr_is", 0, 0x0073), ("line_is", 0)]),
    Row("MERR interrupts, and is cleared", "1.1, §5 39",
        [*SILENT, ("csr_is", 0, 0x88C3), ("line_is", 1), ("csr", 0, 0x0840), ("csr_is", 0, 0x0043),
         ("line_is", 0)]),
    Row("CERR does not interrupt", "1.1, §5 27",
        [*RUNNING, ("tx", 0, FRAME), ("demand",), ("wait", 300), ("csr_is", 0, 0xA2F3),
         ("csr", 0, 0x0240), ("csr_is", 0, 0xA073), ("line_is", 0), ("csr", 0, 0x2040),
         ("csr_is", 0, 0x0073)], config={"sqe_test": 0}),
    Row("TDMD clears itself", "1.1",
        [*RUNNING, ("csr", 0, 0x48), ("wait", 100), ("csr_is", 0, 0x0073)]),
]  # fmt: skip
