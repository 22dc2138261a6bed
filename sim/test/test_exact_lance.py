# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine's card does everything in the tick in which the RTL's does it."""

import ctypes
import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "lance-ip" / "test")]
import lance_library
import sheet_row
import test_sheet
from exact_history import (
    broken_frames,
    difference,
    history,
    memory_errors,
    on_pmad,
    on_the_edge,
    polls,
    without_buffers,
)

from mcpi.build import models
from mcpi.verify.random import build

SEEDS = 60
KNOWN = 4  # of on_the_edge: exact-engine.md, Known differences


@pytest.fixture(scope="module")
def libraries():
    rtl = lance_library.load(build.lance_library({}))
    engine = lance_library.load(models.build("liblance-exact.so"))
    return rtl, engine


def test_random_histories_tick_by_tick(libraries):
    for seed in range(SEEDS):
        rtl, engine = (history(library, seed) for library in libraries)
        assert not (found := difference(rtl, engine)), f"seed {seed}: {found}"


OF_KINDS = [without_buffers, broken_frames, polls, memory_errors, on_the_edge]


@pytest.mark.parametrize("kind", OF_KINDS)
def test_other_histories(libraries, kind):
    for seed in range(SEEDS // 2):
        if kind is on_the_edge and seed == KNOWN:
            continue
        rtl, engine = (kind(library, seed) for library in libraries)
        assert not (found := difference(rtl, engine)), f"seed {seed}: {found}"


def on_card(library, **card: int):
    """Makes the engine's card of this kind, in the place of ``lance_new``."""
    make = library.lance_exact_new
    make.restype = ctypes.c_void_p
    numbers = [ctypes.c_size_t, ctypes.c_int, ctypes.c_int]
    config, memory = ctypes.POINTER(lance_library.Config), ctypes.POINTER(ctypes.c_uint8)
    make.argtypes = [config, memory, *numbers]
    return lambda *new: make(*new, card.get("c_lance", 0), card.get("pmad", 0))


def test_on_a_pmad_card(libraries):
    rtl, engine = lance_library.load(build.lance_library({"lance.wiring": "pmad"})), libraries[1]
    for seed in range(2 * SEEDS):
        found = difference(on_pmad(rtl, seed), on_pmad(engine, seed, on_card(engine, pmad=1)))
        assert not found, f"seed {seed}: {found}"


@pytest.mark.parametrize(
    "time", "word gap arbitration csr demand setup start heartbeat status interrupt".split()
)
def test_a_time_that_is_off_by_one_is_seen(libraries, time):
    rtl, engine = libraries
    wrong = {time: lance_library.plain_machine("am7990").ticks(f"lance.{time}_ns") + 1}
    seeds = (s for s in range(SEEDS) if time not in _drawn(s))
    assert any(difference(history(rtl, s), history(engine, s, **wrong)) for s in seeds)


def _drawn(seed: int) -> dict[str, int]:
    import random

    from exact_history import random_times

    return random_times(random.Random(seed))


@pytest.mark.parametrize("chip", sheet_row.BOTH)
def test_rows_of_the_sheet(chip):
    """The engine's chip does what the sheet says (lance-ip/test/sheet_*.py)."""
    library = lance_library.load(models.build("liblance-exact.so"))
    rows = [row for row in test_sheet.ROWS if chip in row.chips]
    assert len(rows) > 300
    for row in rows:
        test_sheet.check(library, on_card(library, c_lance=chip == "c-lance"), row)
