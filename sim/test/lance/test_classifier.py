# SPDX-License-Identifier: BSD-2-Clause
"""The classifier of the controller (docs/reference/lance.md): RTL, exact engine and a third
opinion."""

import pytest
from lance_support import library as lance_library
from sim_support.cards import classifier_history as classifier
from sim_support.cards import two_cards
from sim_support.cards.exact_history import history

from mcpi.build import models
from verify.random import build

SEEDS, FRAMES, ON_RTL = 60, 2_000, 400
MILLION, PARTS = 1_000_000, 20
ON = {"lance.classifier": "on"}


@pytest.fixture(scope="module")
def rtl():
    return lance_library.load(build.lance_library(ON))


@pytest.fixture(scope="module")
def engine():
    return two_cards.engine(models.build("liblance-exact.so"), classifier=True)


def test_entries_written_while_frames_come(rtl, engine):
    """Each word into memory and each change of the line comes in the same tick."""
    found = two_cards.compare(classifier.classified, rtl, engine, range(SEEDS))
    assert not found, found


def test_random_frames(engine):
    """Ids are the third opinion's; every id comes, and frames of no path."""
    found = classifier.judged(engine, 1, FRAMES)
    assert all(found.values()), found


def test_random_frames_on_the_rtl(rtl):
    found = classifier.judged(rtl, 2, ON_RTL)
    assert found[0] and sum(found.values()) == ON_RTL, found


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_a_million_frames(engine, part):
    classifier.judged(engine, 100 + part, MILLION // PARTS)


def test_no_tick_moves(rtl):
    """Histories that write no entry are the same with the classifier and without."""
    off = lance_library.load(build.lance_library({}))
    assert not (found := two_cards.compare(history, off, rtl, range(30))), found


def test_without_the_classifier_entries_change_nothing():
    """Off, the longwords are no registers, and RMD3 15:12 stays 0."""
    off = two_cards.engine(models.build("liblance-exact.so"))
    same = lance_library.load(build.lance_library({}))
    assert not (found := two_cards.compare(classifier.classified, same, off, range(5))), found
    with pytest.raises(AssertionError, match="id 0 instead of"):
        classifier.judged(off, 1, FRAMES)


def test_overlapping_entries(engine):
    """The lowest wins (lance.md)."""
    h = classifier.running(engine, classifier.IDEAL)
    entries = [classifier.Entry() for _ in range(8)]
    for entry in (5, 2, 7):
        classifier.write(h, entries, entry, 3, 0)
        classifier.write(h, entries, entry, classifier.COUNT, 4)
    frame = classifier.framed(classifier.STATION + bytes(54))
    h.chip.receive(classifier.nibbles(frame), 50)
    h.advance(20_000)
    assert classifier.received(h, 0) == (3, 64, 0x03)
