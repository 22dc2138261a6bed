# SPDX-License-Identifier: BSD-2-Clause
"""Sustained frame rates, through the library: the wire's limit without controller times, and the
bound that the fitted times set (sources/lance.md 2)."""

import re

import pytest
from lance_support import library as lance_library
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
    nibbles,
)

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.machine import profile
from verify.random.build import lance_library as built

US = 175
RX_RING, TX_RING = 0x20, 0x420
RX_BUFFERS, TX_BUFFERS = 0x1000, 0x8000
OWN, STP_ENP = 0x8000, 0x0300
NS = {k.removeprefix("lance."): v for k, v in profile.load("dec3000-600").parameters.items()}


@pytest.fixture(scope="module")
def library():
    return lance_library.load(built({}))


@pytest.fixture(scope="module")
def fast_library():
    return lance_library.load(built({"link.mbps": "100", "lance.profile": "ideal"}))


class Traffic:
    """Both rings always full, the wire always busy; ``size``: bytes of a frame with FCS."""

    def __init__(self, library, size: int, log: int = 4, mbps: int = 10, **times):
        self.size = size
        self.nibble = 4 * US // mbps
        self.spacing = 24 * self.nibble
        times |= {"nibble_ticks": self.nibble}
        self.entries = 1 << log
        self.buffer = (size + 15) & ~15  # chip addresses from one to the next
        memory = bytearray(0x40000)
        self.chip = Chip(library, memory, STATION, **times)
        self.window = Window(memory, WINDOW)
        for offset, value in ((POINTER, WINDOW << 3), (SSR, 1 << 16 | 1 << 8), (SIMR, 1 << 8)):
            self.write(offset, value)
        words = [0, *(int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4)), 0, 0, 0, 0]
        words += [RX_RING, log << 13, TX_RING, log << 13]
        for i, word in enumerate(words):
            self.window.set_word(2 * i, word)
        for i in range(self.entries):
            self.give(RX_RING + 8 * i, RX_BUFFERS + self.buffer * i, self.buffer, OWN)
        for i in range(self.entries):
            self.give(TX_RING + 8 * i, TX_BUFFERS, size - 4, 0)
        for number in (1, 2):
            self.write(RAP, number)
            self.write(RDP, 0)
        self.write(RAP, 0)
        self.write(RDP, 0x0043)
        self.chip.advance(60 * US)
        self.next_tx = self.next_rx = 0

    def write(self, offset: int, value: int) -> None:
        self.chip.access(SLOT7_SPARSE + 2 * offset, True, value)

    def give(self, d: int, at: int, size: int, flags: int) -> None:
        for offset, value in ((0, at & 0xFFFF), (4, 0x10000 - size), (6, 0), (2, flags)):
            self.window.set_word(d + offset, value)

    def transmit(self, frames: int) -> None:
        """Gives frames to the ring up to the one numbered ``frames``, if there is room; TDMD."""
        before = self.next_tx
        while self.next_tx < frames:
            d = TX_RING + 8 * (self.next_tx % self.entries)
            if self.window.word(d + 2) & OWN:
                break
            self.give(d, TX_BUFFERS, self.size - 4, OWN | STP_ENP)
            self.next_tx += 1
        if self.next_tx != before:
            self.write(RDP, 0x0048)

    def recycle(self) -> None:
        """Takes what has been received, which must be whole and in order."""
        while True:
            d = RX_RING + 8 * (self.next_rx % self.entries)
            status = self.window.word(d + 2)
            if status & OWN:
                return
            assert status == STP_ENP, f"frame {self.next_rx}: RMD1 {status:04x}"
            assert self.window.word(d + 6) == self.size
            self.next_rx += 1
            at = RX_BUFFERS + self.buffer * ((self.next_rx - 1) % self.entries)
            self.give(d, at, self.buffer, OWN)

    def run(self, out: int, into: int) -> list[tuple[int, int, list[int]]]:
        """So many frames each way; everything sent."""
        frame = STATION + bytes(self.size - 10)
        arriving = nibbles(frame + fcs(frame))
        period = 2 * (8 + self.size) * self.nibble + self.spacing
        for i in range(into):
            self.chip.receive(arriving, after=1 + i * period)
        sent = []
        self.transmit(out)
        limit = self.chip.now + (max(out, into) + 4) * 2 * period
        while (len(sent) < out or self.next_rx < into) and self.chip.now < limit:
            self.chip.advance(200 * self.nibble // 7)
            self.transmit(out)
            self.recycle()
            sent += self.chip.sent()
        assert len(sent) == out and self.next_rx == into, (len(sent), self.next_rx)
        csr0 = self.chip.access(SLOT7_SPARSE + 2 * RDP, False)
        assert csr0 & 0x7800 == 0, f"CSR0 {csr0:04x}: BABL, CERR, MISS or MERR"
        self.chip.close()
        return sent


def said(size: int) -> list[str]:
    """The row of the page's table: ideal, the wire's limit, am7990, its bound, in frames/s."""
    page = (ROOT / "docs/reference/lance.md").read_text()
    row = next(line for line in page.splitlines() if re.match(rf"\| {size} \| [\d,]+\.\d ", line))
    return [cell.strip() for cell in row.split("|")[2:6]]


def rate(sent) -> float:
    """Frames a second, from the first bit of the first to that of the last."""
    return (len(sent) - 1) / ((sent[-1][0] - sent[0][0]) / (1e6 * US))


@pytest.mark.parametrize(("size", "frames", "limit"), [(64, 100, 14_881), (1518, 12, 813)])
def test_both_directions_at_the_limit_of_the_wire(library, size, frames, limit):
    """No controller times: 67.2 us and 1230.4 us a frame, both ways at once, no loss."""
    sent = Traffic(library, size, profile="ideal").run(frames, frames)
    print(f"{size} bytes, both ways: {rate(sent):.1f} frames/s")
    assert round(rate(sent)) == limit
    assert f"{rate(sent):,.1f}" == said(size)[0], "docs/reference/lance.md"
    gaps = {b[0] - a[1] for a, b in zip(sent, sent[1:])}
    assert gaps == {1680}, "9.6 us to the tick"


def test_the_fitted_times_at_100_megabits_are_refused():
    with pytest.raises(UserError, match=r"link\.mbps = 100: the Am7990's own times are of 10 Mb/s"):
        profile.load("dec3000-600", {"link.mbps": "100"})
    profile.load("dec3000-600", {"link.mbps": "100", "lance.profile": "ideal"})


@pytest.mark.parametrize(("mhz", "mbps", "of"), [(333, 10, 5), (265, 100, 25), (25, 100, 25)])
def test_a_clock_that_does_not_fit_the_wire_is_refused(mhz, mbps, of):
    """A nibble is a whole number of ticks, two at least."""
    settings = {"clock.ticks_per_us": str(mhz), "link.mbps": str(mbps), "lance.profile": "ideal"}
    with pytest.raises(UserError, match=f"--set: clock.ticks_per_us = {mhz}: .* multiple of {of}"):
        profile.load("dec3000-600", settings)


@pytest.mark.parametrize(("size", "frames", "limit"), [(64, 100, 148_810), (1518, 12, 8_127)])
def test_a_wire_of_100_megabits(fast_library, size, frames, limit):
    """Everything that a full wire brings is received. Sending, the chip reads the next descriptor
    and its first burst behind the frame before: the gap is up to 3 us instead of 0.96."""

    def run(out: int, into: int):
        return Traffic(fast_library, size, mbps=100, profile="ideal").run(out, into)

    run(0, frames)
    alone, both = run(frames, 0), run(frames, frames)
    gaps = {b[0] - a[1] for a, b in zip(alone, alone[1:])}
    rates = f"{rate(alone):.1f} frames/s out, {rate(both):.1f} while a full wire comes in"
    print(f"{size} bytes at 100 Mb/s: {rates}; the wire's limit is {limit}; gaps {gaps} ticks")
    assert 168 <= min(gaps) and max(gaps) <= 3 * US
    assert rate(both) > limit / 2
    page = (ROOT / "docs/reference/lance.md").read_text()
    for one in (alone, both):
        assert f"{rate(one):,.0f}" in page, f"docs/reference/lance.md: {rates}"


@pytest.mark.parametrize(("size", "frames"), [(64, 60), (1518, 8)])
def test_transmit_at_the_fitted_times(library, size, frames):
    """Between two frames: heartbeat, status, four words, set-up, three bursts, start."""
    sent = Traffic(library, size).run(frames, 0)
    access = (NS["arbitration_ns"] + NS["word_ns"] + NS["gap_ns"]) / 1000
    burst = access + 7 * NS["word_ns"] / 1000
    between = (NS["heartbeat_ns"] + NS["status_ns"] + NS["setup_ns"] + NS["start_ns"]) / 1000
    between += 4 * access + 3 * burst
    bound = 1e6 / ((8 + size) * 0.8 + between)
    print(f"{size} bytes out: {rate(sent):.1f} frames/s, bound {bound:.1f}")
    assert 0.99 * bound < rate(sent) <= bound
    assert [f"{rate(sent):,.1f}", f"{bound:,.1f}"] == said(size)[2:], "docs/reference/lance.md"


@pytest.mark.parametrize(("size", "frames"), [(64, 60), (1518, 8)])
def test_receive_at_the_fitted_times(library, size, frames):
    """Every frame of a full wire is received."""
    Traffic(library, size).run(0, frames)


@pytest.mark.parametrize("log", range(8))
def test_rings_of_every_length(library, log):
    """RLEN and TLEN 0 to 7: 1 to 128 entries in order, and then the first again."""
    frames = (1 << log) + 2
    Traffic(library, 64, log, profile="ideal").run(frames, frames)
