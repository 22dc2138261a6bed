# SPDX-License-Identifier: BSD-2-Clause
"""Runs a row of the table in ``sheet.py`` on what is behind sim/lib/lance/lance.h: the Verilated
chip, or the exact engine's card (sim/lib/lance/exact/exact.h).

A step is a tuple, the name of a method of ``Runner`` and its arguments. Chip addresses throughout;
times in microseconds.
"""

import ctypes
import random

from lance_support.library import Chip
from lance_support.window import (
    POINTER,
    RAP,
    RDP,
    SIMR,
    SLOT7_SPARSE,
    SSR,
    STATION,
    WINDOW,
    Window,
    fcs,
)
from lance_support.window import nibbles as on_wire

US, NIBBLE = 175, 70
OWN, ERR, STP, ENP = 0x8000, 0x4000, 0x0200, 0x0100
RDRA, TDRA, RX_BUFFERS, TX_BUFFERS, ROOM = 0x100, 0x200, 0x1000, 0x8000, 0x700
OUT_OF_RESET = 1 << 8  # SSR
ON = 1 << 16 | OUT_OF_RESET  # with DMA
UNTOUCHED = 0x5555  # TMD3, RMD3 as the driver leaves them


class Dma(ctypes.Structure):
    """The beginning of lance_dma."""

    _fields_ = [("tick", ctypes.c_uint64), ("address", ctypes.c_uint64)]


WATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Dma))


def data(size: int, to: bytes = STATION, seed: int = 1) -> bytes:
    """A frame of ``size`` bytes without FCS, the same each time."""
    return (to + random.Random(f"{size} {seed}").randbytes(size))[:size]


class Runner:
    """A chip out of RESET with DMA and interrupt on."""

    def __init__(self, library, new=None, **config):
        self.memory_bytes = bytearray(0x40000)
        times = {"poll": 1600 * US, "poll_phase": 1600 * US, "dma_latency": 10} | config
        self.chip = Chip(library, self.memory_bytes, STATION, new=new, **times)
        self.window = Window(self.memory_bytes, WINDOW)
        for offset, value in ((POINTER, WINDOW << 3), (SSR, ON), (SIMR, 1 << 8)):
            self._write(offset, value)

    def run(self, steps: list[tuple]) -> None:
        """AssertionError, with the step's number, when something is not as the row says."""
        for number, (verb, *arguments) in enumerate(steps):
            keywords = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
            try:
                getattr(self, verb)(*arguments, **keywords)
            except AssertionError as error:
                shown = ", ".join(str(a)[:60] for a in arguments)
                raise AssertionError(f"step {number}, {verb}({shown}): {error}") from None
        assert not self.chip.astray, "DMA outside of memory"

    def close(self) -> None:
        self.chip.close()

    # Registers

    def _write(self, offset: int, value: int) -> None:
        self.chip.access(SLOT7_SPARSE + 2 * offset, True, value)

    def _read(self, offset: int) -> int:
        return self.chip.access(SLOT7_SPARSE + 2 * offset, False) & 0xFFFF

    def ssr(self, value: int) -> None:
        self._write(SSR, value)

    def rap(self, value: int) -> None:
        self._write(RAP, value)

    def rap_is(self, wanted: int) -> None:
        assert (got := self._read(RAP)) == wanted, f"RAP is {got:04x}"

    def csr(self, number: int, value: int) -> None:
        self._write(RAP, number)
        self._write(RDP, value)

    def csr_is(self, number: int, wanted: int, mask: int = 0xFFFF) -> None:
        self._write(RAP, number)
        got = self._read(RDP)
        assert got & mask == wanted, f"CSR{number} is {got:04x}, not {wanted:04x}"

    def line_is(self, wanted: int) -> None:
        assert self.chip.line == bool(wanted), f"the interrupt line is {int(self.chip.line)}"

    def wait(self, us: float) -> None:
        self.chip.advance(round(us * US))

    # Memory

    def word(self, a: int, value: int) -> None:
        self.window.set_word(a, value)

    def word_is(self, a: int, wanted: int, mask: int = 0xFFFF) -> None:
        got = self.window.word(a)
        assert got & mask == wanted, f"word {a:x} is {got:04x}, not {wanted:04x}"

    @staticmethod
    def _place(a: int) -> int:
        return WINDOW + a // 16 * 32 + a % 16

    def _bytes(self, a: int, size: int, swap: bool = False) -> bytes:
        return bytes(self.memory_bytes[self._place(a + i ^ swap)] for i in range(size))

    def holds(self, a: int, wanted: bytes, swap: bool = False) -> None:
        """``swap``: as the chip writes it with BSWP, the bytes of each word in the other order."""
        got = self._bytes(a, len(wanted), swap)
        wrong = [i for i, (x, y) in enumerate(zip(got, wanted)) if x != y]
        assert not wrong, f"{len(wrong)} of {len(wanted)} bytes at {a:x} differ, from {wrong[0]} on"

    def memory(self, us: float | None) -> None:
        """How long it takes for each access; None: the IOASIC's DMA is off, READY stays away."""
        self.ssr(OUT_OF_RESET if us is None else ON)
        if hasattr(self, "_watch"):
            self.chip.library.lance_watch_dma(ctypes.c_void_p(self.chip.chip), None, None)
        if us is not None:
            self.chip.library.lance_set_dma_latency(self.chip.chip, max(1, round(us * US)))

    def slow_bursts(self, us: float) -> None:
        """Memory takes so long for each burst of a frame, and no time for a descriptor's word."""
        library, slow = self.chip.library, round(us * US)
        library.lance_set_dma_latency(self.chip.chip, slow)

        def watch(_: int, dma) -> None:
            word = dma.contents.address < WINDOW + 2 * RX_BUFFERS
            library.lance_set_dma_latency(self.chip.chip, 10 if word else slow)

        self._watch = WATCH(watch)  # lives as long as the chip
        library.lance_watch_dma(ctypes.c_void_p(self.chip.chip), self._watch, None)

    # Init block and descriptors

    def block(self, at: int = 0, **fields: int) -> None:
        """STOP, the init block and its address. CSR0 is selected after it."""
        self.block_words(at, **fields)
        for number, value in ((0, 4), (1, at & 0xFFFF), (2, at >> 16), (0, 4)):
            self.csr(number, value)

    def block_words(self, at: int = 0, **fields: int) -> None:
        """``mode``, ``padr``, ``ladrf``, ``rdra``, ``rlen``, ``tdra``, ``tlen``; and the bits that
        mean nothing, ``junk``."""
        f = {"mode": 0, "padr": STATION, "ladrf": 0, "rdra": RDRA, "rlen": 2, "tdra": TDRA}
        f |= {"tlen": 2, "junk": 0} | fields
        words = [f["mode"], *(int.from_bytes(f["padr"][i : i + 2], "little") for i in (0, 2, 4))]
        words += [f["ladrf"] >> 16 * i & 0xFFFF for i in range(4)]
        for base, log in ((f["rdra"], f["rlen"]), (f["tdra"], f["tlen"])):
            words += [base & 0xFFFF, log << 13 | f["junk"] & 0x1F00 | base >> 16]
        for i, word in enumerate(words):
            self.word(at + 2 * i, word)

    def rx(self, i: int, size: int = 1536, at: int | None = None, own: bool = True) -> None:
        """Receive descriptor i; buffer i unless ``at``."""
        self._descriptor(RDRA + 8 * i, RX_BUFFERS + ROOM * i if at is None else at, size,
                         OWN if own else 0)  # fmt: skip

    def tx(self, i: int, what: bytes, flags: int = STP | ENP, at: int | None = None,
           own: bool = True, swap: bool = False) -> None:  # fmt: skip
        at = TX_BUFFERS + ROOM * i if at is None else at
        for n, byte in enumerate(what):
            self.memory_bytes[self._place(at + n ^ swap)] = byte
        self._descriptor(TDRA + 8 * i, at, len(what), flags | (OWN if own else 0))

    def _descriptor(self, d: int, at: int, size: int, status: int) -> None:
        for offset, value in ((0, at), (4, 0x10000 - size), (6, UNTOUCHED)):
            self.word(d + offset, value & 0xFFFF)
        self.word(d + 2, status | at >> 16)

    def rmd(self, i: int, number: int, wanted: int) -> None:
        self.word_is(RDRA + 8 * i + 2 * number, wanted)

    def tmd(self, i: int, number: int, wanted: int, mask: int = 0xFFFF) -> None:
        self.word_is(TDRA + 8 * i + 2 * number, wanted, mask)

    def got(self, i: int, whole: bytes) -> None:
        """Receive descriptor i is back with this frame, FCS included, and nothing is wrong."""
        self.rmd(i, 1, STP | ENP)
        self.rmd(i, 3, len(whole))
        self.holds(RX_BUFFERS + ROOM * i, whole)

    def full_is_buff(self, i: int, whole: bytes, size: int) -> None:
        """OFLO, with BUFF if and only if the buffer of ``size`` bytes is full of the frame."""
        there = self._bytes(RX_BUFFERS + ROOM * i, size)
        status = self.window.word(RDRA + 8 * i + 2)
        wanted = ERR | 0x1000 | STP | (0x0400 if there == whole[:size] else 0)
        assert status == wanted, f"RMD1 is {status:04x}, not {wanted:04x}"

    # The wire

    def demand(self) -> None:
        self.csr(0, 0x0048)

    def half(self) -> None:
        self.chip.half_duplex(True)

    def arrive(self, whole: bytes, after: float = 0, dribble: bool = False, er: int = -1) -> None:
        """A frame, FCS included. ``er``: the nibble, after the preamble, that RX_ER comes with."""
        sequence = on_wire(whole) + [3] * dribble
        if er >= 0:
            sequence[16 + er] |= 16
        self.chip.receive(sequence, round(after * US))

    def collide(self, *at: int | None) -> None:
        """For each attempt from now on, the nibble (0: the preamble's first) it collides in."""
        for nibble in at:
            self.chip.collide(None if nibble is None else nibble * NIBBLE + NIBBLE // 2)

    def lose_carrier(self, nibble: int) -> None:
        self.chip.library.lance_lose_carrier(self.chip.chip, nibble * NIBBLE + 1)

    def _sent(self) -> list[list[int]]:
        return [sequence for _, _, sequence in self.chip.sent()]

    def sent(self, *frames: bytes) -> None:
        """Since the last look these frames have left, FCS included, and nothing else."""
        got, wanted = self._sent(), [on_wire(frame) for frame in frames]
        lengths = f"nibbles: {[len(x) for x in got]}, not {[len(x) for x in wanted]}"
        assert got == wanted, lengths

    def attempts(self, *collisions: int | None, frame: bytes) -> None:
        """Attempts at this frame: whole, or a 32-bit jam after the nibble it collided in."""
        whole = on_wire(frame)
        for n, (at, got) in enumerate(zip(collisions, seen := self._sent())):
            kept = whole if at is None else whole[: max(16, at + 1)]
            assert got[: len(kept)] == kept, f"attempt {n} does not begin as the frame does"
            jam = 0 if at is None else 8
            assert len(got) == len(kept) + jam, f"attempt {n} has {len(got)} nibbles"
        assert len(seen) == len(collisions), f"{len(seen)} attempts"

    def ran_dry(self, frame: bytes) -> None:
        """Check that there is one attempt, the beginning of ``frame``."""
        (got,) = self._sent()
        whole = on_wire(frame)
        assert got == whole[: len(got)] and 16 < len(got) < len(whole), f"{len(got)} nibbles"


def whole(frame: bytes) -> bytes:
    return frame + fcs(frame)


def bad(frame: bytes) -> bytes:
    return frame + bytes(b ^ 0x5A for b in fcs(frame))


def exact_of(library, c_lance: bool):
    """``lance_new`` of the exact card's library, for either chip."""
    make = library.lance_exact_new
    make.restype = ctypes.c_void_p
    make.argtypes = [*library.lance_new.argtypes, ctypes.c_int, ctypes.c_int]
    return lambda config, memory, size: make(config, memory, size, int(c_lance), 0)
