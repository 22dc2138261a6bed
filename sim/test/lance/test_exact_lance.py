# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine's card does everything in the tick in which the RTL's does it."""

import random
from pathlib import Path

import pytest
import test_sheet
from lance_support import library as lance_library
from lance_support import sheet_row
from sim_support.cards import card_history, exact_history, two_cards
from sim_support.cards.exact_history import half_duplex, history, on_pmad
from sim_support.cards.two_cards import compare, difference

from mcpi.base.repo import ROOT
from mcpi.build import models
from verify.long_tests import once
from verify.random import build

SEEDS, LONG, PART = 60, 10_000, 1000  # histories
SLOW = (exact_history.dry, exact_history.overrun)
CARDS = {  # of the machine, and of the engine's card
    "": {},
    "c-lance": {"c_lance": True},
    "pmad": {"pmad": True},
    "pmad c-lance": {"pmad": True, "c_lance": True},
}


def paths(card: str) -> tuple[Path, Path]:
    """Paths of the libraries: the RTL's and the engine's."""
    settings = {"lance.chip": "c-lance"} if "c-lance" in card else {}
    settings |= {"lance.wiring": "pmad"} if "pmad" in card else {}
    return build.lance_library(settings), models.build("liblance-exact.so")


def pair(card: str = ""):
    rtl, engine = paths(card)
    return lance_library.load(rtl), two_cards.engine(engine, **CARDS[card])


@pytest.fixture(scope="module")
def libraries():
    return pair()


def test_random_histories_tick_by_tick(libraries):
    assert not (found := compare(history, *libraries, range(SEEDS))), found


@pytest.mark.parametrize("kind", exact_history.KINDS[1:], ids=lambda kind: kind.__name__)
def test_other_histories(libraries, kind):
    seeds = range(SEEDS // (6 if kind in SLOW else 2))
    assert not (found := compare(kind, *libraries, seeds)), found


def test_half_duplex_on_a_c_lance():
    """With EMBA, which an Am7990 has not."""
    assert not (found := compare(half_duplex, *pair("c-lance"), range(SEEDS))), found


def test_on_a_pmad_card():
    assert not (found := compare(on_pmad, *pair("pmad"), range(2 * SEEDS))), found


def test_a_last_burst_that_is_short_leaves_room():
    """The silo ran over, and the frame ended in a burst shorter than the room in its buffer: OFLO
    alone (lance.md, BUFF with OFLO). The RTL took the room as filled, and set BUFF too."""
    found = compare(exact_history.on_the_edge, *pair("c-lance"), (421, 437, 1780, 2683))
    assert not found, found


def test_a_byte_without_room_as_a_look_ahead_ends():
    """The ring hears of it two ticks after its last nibble (lance.md): too late for BUFF. In the
    engine it was not."""
    assert not (found := compare(exact_history.on_the_edge, *pair("c-lance"), (9346,))), found


def test_a_line_that_changes_as_a_write_begins(libraries):
    """In the last tick before it stands still for the written data (turbochannel.md)."""
    assert not (found := compare(exact_history.polls, *libraries, (4808,))), found


def test_memory_that_is_faster_than_the_bus(libraries):
    """It has a burst's data before the bus is done with the burst: the line stands still up to
    then (turbochannel.md). In the engine it changed as soon as memory had them."""
    found = compare(exact_history.without_buffers, *libraries, (2857, 3229, 7307))
    assert not found, found


def test_a_byte_that_finds_room_in_a_words_last_tick(libraries):
    """The first of the two bytes is out of the full silo (lance.md). The engine lost the frame."""
    found = compare(exact_history.broken_frames, *libraries, (1225,))
    found = found or compare(exact_history.polls, *libraries, (3259,))
    found = found or compare(on_pmad, *pair("pmad"), (3630, 4806))
    assert not found, found


def test_a_register_is_read_in_the_tick_in_which_it_changes(libraries):
    """SIR has the pin at once, the line a tick later; RXON and TXON come a tick after IDON
    (lance.md). In the engine SIR came late, and RXON early."""
    found = compare(history, *libraries, (3467,)) or compare(on_pmad, *pair("pmad"), (8235,))
    assert not found, found


def test_a_burst_that_ends_as_the_silo_gets_room(libraries):
    """The next one is asked for when the ring knows of the room (lance.md). The engine's came a
    tick early."""
    assert not (found := compare(half_duplex, *libraries, (1747,))), found


def test_a_carrier_that_goes_as_a_frame_begins(libraries):
    """It changes nothing any more (lance.md). In the engine the frame waited for another
    spacing."""
    assert not (found := compare(half_duplex, *libraries, (1964,))), found


def test_a_look_ahead_is_not_withdrawn():
    """It is made, although the frame has run dry while it waited for the bus (lance.md)."""
    found = compare(exact_history.on_the_edge, *pair("c-lance"), (8950,))
    assert not found, found


def test_a_read_that_is_let_go_as_its_address_goes_out(libraries):
    """STOP a tick before the address beat: too late for another address (lance.md)."""
    assert not (found := compare(exact_history.registers, *libraries, (249,))), found


def test_a_lost_frame_that_ends_while_its_bytes_leave(libraries):
    """The ring waits for both (lance.md). In the engine it looked again at the frame's end."""
    assert not (found := compare(exact_history.fast_memory, *libraries, (1191,))), found


def test_what_waits_as_an_attempt_ends(libraries):
    """A buffer is not given back for which the bus was not there yet (lance.md). The engine gave it
    back, and so could not send the frame again."""
    assert not (found := compare(exact_history.retried, *libraries, (5383, 7177, 8718))), found


CASES = [(kind, card) for kind in exact_history.KINDS for card in ("", "c-lance")]
CASES += [(on_pmad, card) for card in ("pmad", "pmad c-lance")]


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "card"), CASES, ids=[f"{kind.__name__}-{card or 'am7990'}" for kind, card in CASES]
)
@pytest.mark.parametrize("first", range(0, LONG, PART))
def test_very_many_histories(kind, card, first):
    here = [
        Path(module.__file__) for module in (card_history, exact_history, lance_library, two_cards)
    ]
    machine = ROOT / "machines/dec3000-600.toml"
    with once("histories", *paths(card), *here, machine, kind.__name__, card, first) as new:
        if new:
            found = compare(kind, *pair(card), range(first, first + PART))
            assert not found, found


@pytest.mark.parametrize(
    "time", "word gap arbitration csr demand setup start heartbeat status interrupt".split()
)
def test_a_time_that_is_off_by_one_is_seen(libraries, time):
    rtl, engine = libraries
    wrong = {time: lance_library.plain_machine("am7990").ticks(f"lance.{time}_ns") + 1}
    seeds = (s for s in range(SEEDS) if time not in _drawn(s))
    assert any(difference(history(rtl, s), history(engine, s, **wrong)) for s in seeds)


def _drawn(seed: int) -> dict[str, int]:
    return exact_history.random_times(random.Random(seed))


@pytest.mark.parametrize("chip", sheet_row.BOTH)
def test_rows_of_the_sheet(chip):
    """The engine's chip does what the sheet says (lance-ip/test/lance_support/sheet_*.py)."""
    library = two_cards.engine(models.build("liblance-exact.so"), chip == "c-lance")
    rows = [row for row in test_sheet.ROWS if chip in row.chips]
    assert len(rows) > 300
    for row in rows:
        test_sheet.check(library, None, row)
