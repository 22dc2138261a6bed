# SPDX-License-Identifier: BSD-2-Clause
"""Differences that outsiders found between the exact engine's card and the RTL's. Each is tried on
both: they do what the page says (docs/reference/lance.md), in the same tick."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lance_support import library as lance_library
from sim_support.cards import two_cards
from sim_support.cards.card_history import (
    BASE,
    POINTER_REGISTER,
    RAP,
    RDP,
    RECEIVE,
    RING,
    SIMR,
    SSR,
    TRANSMIT,
    History,
)

from mcpi.base.repo import PYTHONPATH
from mcpi.build import models
from verify.random import build

IDEAL = dict.fromkeys(lance_library.TIMES, 0) | {"poll": 280_000, "poll_phase": 1000}
DMA, ON, DMA_ON, INEA = 1 << 16, 1 << 8, 1 << 16 | 1 << 8, 0x40
SPACING = 24 * lance_library.NIBBLE
SHORT = {"poll": 175, "poll_phase": 0, "dma_latency": 60}  # a poll of two rings takes longer


@pytest.fixture(scope="module")
def libraries():
    rtl, exact = build.lance_library({}), models.build("liblance-exact.so")
    return lance_library.load(rtl), two_cards.engine(exact)


def same(libraries, story, **times: int) -> History:
    """The history that ``story`` makes of the RTL's card; the engine's has the same log."""
    made = []
    for library in libraries:
        h = History(library, IDEAL | times)
        story(h)
        h.log.append((h.chip.now, "memory", bytes(h.memory)))
        h.chip.close()
        made.append(h)
    assert not (found := two_cards.difference(*made)), found
    return made[0]


def started(h: History, first: int = 0x43) -> None:
    h.begin()
    h.access(RDP, first)
    h.advance(5000)


def word(h: History, address: int) -> int:
    return int.from_bytes(h.memory[BASE + 2 * address :][:2], "little")


def tmd1(h: History, number: int) -> int:
    return word(h, TRANSMIT + 8 * number + 2)


def sent(h: History) -> list[int]:
    """Ticks of the first bits."""
    return [entry[2] for entry in h.log if entry[1] == "sent"]


def reads(h: History) -> list[int]:
    """Where DMA read memory."""
    return [int(entry[3], 16) for entry in h.log if entry[1] == "dma" and not entry[2]]


def last_csr0(h: History) -> int:
    return [e[5] for e in h.log if e[1] == "access" and e[3] == hex(RDP) and e[4] is None][-1]


def test_backoff_begins_with_padr(libraries):
    """With another PADR the same collisions have other waits, although the ROM is the same."""

    def story(padr: bytes):
        def tell(h: History) -> None:
            h.begin()
            for n in range(3):
                h.word(2 + 2 * n, int.from_bytes(padr[2 * n : 2 * n + 2], "little"))
            h.access(RDP, 0x43)
            h.advance(5000)
            for _ in range(6):
                h.chip.collide(2000)
            h.frame(0, bytes(100), 0x8300)
            h.access(RDP, 0x48)
            h.advance(3_000_000)

        return tell

    ticks = [
        sent(same(libraries, story(padr), half_duplex=1))
        for padr in (bytes([0xAA, 0, 4, 0, 1, 4]), bytes([8, 0, 0x2B, 1, 2, 3]))
    ]
    assert len(ticks[0]) == len(ticks[1]) == 7
    assert ticks[0][0] == ticks[1][0] and ticks[0][3] != ticks[1][3]


@pytest.mark.parametrize("write", [0x43, 0x01, 0x0A])
def test_in_reset_the_chip_takes_no_write(libraries, write):
    """From power-on, and when SSR says so while it runs; CSR1 survives, RAP does not."""

    def story(h: History) -> None:
        h.blocks()
        h.access(POINTER_REGISTER, BASE << 3)
        h.access(SIMR, 1 << 8)
        h.access(RDP, write)
        h.advance(5000)
        h.access(RDP)
        h.access(SSR, DMA_ON)
        h.addresses()
        h.csr(1, 0x1234)
        h.csr(1, 0)
        h.access(RAP, 0)
        h.access(RDP, 0x43)
        h.advance(5000)
        h.access(SSR, DMA)
        h.access(RDP, write)
        h.access(RAP, 1)
        h.advance(5000)
        h.access(RAP)
        h.access(RDP)
        h.access(SSR, DMA_ON)
        h.access(RDP, 0x42)  # STRT has no block: it was lost
        h.advance(5000)
        h.access(RDP)

    h = same(libraries, story, csr=100)
    values = [e[5] for e in h.log if e[1] == "access" and e[4] is None]
    assert values == [4, 0, 4, 0x42]


def test_csr1_survives_reset(libraries):
    def story(h: History) -> None:
        h.begin()
        h.csr(1, 0x1234)
        h.access(SSR, DMA)
        h.access(SSR, DMA_ON)
        h.access(RAP, 1)
        h.access(RDP)

    assert last_csr0(same(libraries, story)) == 0x1234


def test_a_deferred_frame_that_stop_cuts_leaves_no_def(libraries):
    """The next one waits for the chip's own spacing alone."""

    def story(h: History) -> None:
        started(h)
        h.chip.receive([5] * 100, 1)
        h.advance(1000)
        h.frame(0, bytes(200), 0x8300)
        h.access(RDP, 0x48)
        h.advance(11_000)
        h.access(RDP, 4)
        h.access(RDP, 0x42)
        h.advance(60_000)

    assert tmd1(same(libraries, story, half_duplex=1), 0) == 0x0300


def test_stp_of_a_later_buffer_stays(libraries):
    """The chip writes back what the driver set; the buffer is part of the frame as any other."""

    def story(h: History) -> None:
        started(h)
        h.frame(1, bytes(60), 0x8300)
        h.frame(0, bytes(100), 0x8200)
        h.access(RDP, 0x48)
        h.advance(60_000)

    h = same(libraries, story)
    assert (tmd1(h, 0), tmd1(h, 1)) == (0x0200, 0x0300)
    assert len(sent(h)) == 1


def test_a_pointer_that_moves_while_the_chip_works(libraries):
    """A word that waits for the bus is read in the window that the pointer names when it has it."""

    def story(h: History) -> None:
        h.begin()
        h.access(RDP, 0x41)
        h.access(POINTER_REGISTER, 0)
        h.advance(2000)
        h.access(RDP)

    places = reads(same(libraries, story))
    assert len(places) == 12 and places[0] == BASE and places[-1] < BASE


def test_stop_in_the_tick_of_a_request(libraries):
    """STOP at any tick of an initialization. A request that has begun in its tick is made."""

    def story(ticks: int):
        def tell(h: History) -> None:
            h.begin()
            h.access(RDP, 0x43)
            h.advance(ticks)
            h.access(RDP, 4)
            h.advance(3000)
            h.access(RDP)
            h.access(RDP, 0x42)
            h.advance(3000)
            h.access(RDP)

        return tell

    seen = set()
    for ticks in range(0, 1500, 7):
        h = same(libraries, story(ticks), csr=6, word=5, arbitration=9, gap=63)
        values = [e[5] for e in h.log if e[1] == "access" and e[4] is None]
        assert values[0] == 4, f"CSR0 is {values[0]:04x} after STOP"
        seen.add((len(reads(h)), values[1]))
    assert {count for count, _ in seen} >= set(range(1, 13)), seen
    assert {value & 0x30 for _, value in seen} == {0, 0x30}, seen


def test_nothing_of_a_block_after_stop(libraries):
    """STOP a tick before the last word is there: no IDON in STOP, and the next INIT reads."""

    def story(wait: int):
        def tell(h: History) -> None:
            h.begin()
            h.access(RDP, 0x43)
            h.advance(wait)
            h.access(RDP, 4)
            h.advance(3000)
            h.access(RDP)
            h.access(RDP, 0x43)
            h.advance(5000)

        return tell

    for gap in range(60, 67):  # the last word ends in each tick of a cycle
        for wait in range(1330, 1470, 7):
            h = same(libraries, story(wait), csr=6, word=5, arbitration=9, gap=gap)
            assert last_csr0(h) == 4
            assert len(reads(h)) >= 24


def test_the_first_frame_needs_no_spacing(libraries):
    """Nothing was on the wire when power came on."""

    def story(h: History) -> None:
        h.begin()
        h.frame(0, bytes(60), 0x8300)
        h.access(RDP, 0x4B)
        h.advance(30_000)

    [first] = sent(same(libraries, story, poll_phase=0))
    assert first < SPACING


def test_bytes_before_a_frame_in_an_odd_buffer(libraries):
    """They are what the chip's buffer of a burst holds (lance.md, To the tick): of a burst, too,
    that found DMA switched off."""

    def story(h: History) -> None:
        started(h)
        h.access(SSR, ON)
        h.chip.receive(frame(1), 1)
        h.advance(30_000)
        h.access(SSR, DMA_ON)
        h.access(RDP, 4)
        h.word(RECEIVE, 0x1007)
        h.access(RDP, 0x43)
        h.advance(5000)
        h.chip.receive(frame(2), 1)
        h.advance(30_000)

    same(libraries, story)


def frame(fill: int) -> list[int]:
    data = bytes([8, 0, 0x2B, 1, 2, 3]) + bytes([fill]) * 58
    return [5] * 15 + [13] + [half for byte in data for half in (byte & 15, byte >> 4)]


def test_a_collision_after_a_cut_is_nobodys(libraries):
    """STOP cuts a frame; a collision before the end of its nibble makes no jam."""

    def story(ticks: int):
        def tell(h: History) -> None:
            started(h)
            h.frame(0, bytes(200), 0x8300)
            h.chip.collide(5000)
            h.access(RDP, 0x48)
            h.advance(ticks)
            h.access(RDP, 4)
            h.advance(3000)

        return tell

    lengths = set()
    for ticks in range(5200, 6300, 7):
        [entry] = [e for e in same(libraries, story(ticks), half_duplex=1).log if e[1] == "sent"]
        lengths.add(len(entry[3]) // 2)
    assert {71, 72} <= lengths and max(lengths) == 72 + 8, lengths


STARVED = f"""
import sys
sys.path += {sys.path!r}
import test_exact_card as t
for library in ("rtl", "exact"):
    print(t.longest_read(library), flush=True)
"""


def longest_read(which: str) -> int:
    """The longest of 200 reads of CSR0 in ticks, while the chip polls without a pause."""
    if which == "rtl":
        library = lance_library.load(build.lance_library({}))
    else:
        library = two_cards.engine(models.build("liblance-exact.so"))
    h = History(library, IDEAL | SHORT)
    h.begin()
    for n in range(RING):
        h.give(RECEIVE, n, 1536, 0)
    h.access(RDP, 0x43)
    h.advance(20_000)
    longest = 0
    for _ in range(200):
        began = h.chip.now
        h.access(RDP)
        longest = max(longest, h.chip.now - began)
        h.advance(37)
    return longest


def test_an_access_ends_while_the_chip_polls_without_a_pause():
    """It waits for the burst that is under way, and for one that an option wants first."""
    path = f"{Path(__file__).parent}:{PYTHONPATH}"
    environment = os.environ | {"PYTHONPATH": path}
    build.lance_library({}), models.build("liblance-exact.so")
    done = subprocess.run(
        [sys.executable, "-c", STARVED], env=environment, capture_output=True, text=True, timeout=60
    )
    longest = [int(line) for line in done.stdout.split()]
    assert len(longest) == 2 and max(longest) < 300, done.stdout + done.stderr
    assert longest[0] == longest[1]


def test_the_exact_library_refuses_and_takes_null():
    """The exact library refuses as the RTL's does (lance.h); test_library has the other cases."""
    library = two_cards.engine(models.build("liblance-exact.so"))
    with pytest.raises(ValueError, match=r"lance_config.word is 2153; the chip takes 0 to 2047."):
        History(library, {"word": 2153})
    h = History(library, {})
    assert library.lance_access(h.chip.chip, h.slot + 2 * SSR, 0, 0, 0, None) == 0
    h.chip.close()
