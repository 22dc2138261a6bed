# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of the LANCE on the exact engine's card next to the RTL's: the same in each tick
(docs/verification/lance-histories.md), and mistakes in the card, each found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import planted
from planted import Mistake

from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.hdl.cocotb_run import elaborate
from mcpi.verify.long_tests import once
from mcpi.verify.random.build import lance_bench, lance_library

USUAL, LONG, PART = 60, 10_000, 1000  # histories of each chip
SEEDS = 350  # to find a mistake in; all without a difference
CHIPS = ("am7990", "c-lance")
MISTAKES = planted.mistakes("exact_card_mutants")
COMPARED = Path(__file__).parent / "two_cards.py"


def of_kind(kind: str, chip: str, library: Path, mistake: Mistake) -> str:
    """The first difference in its histories of exact_history.py; empty without one."""
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parents[1] / "lance-ip/test", ROOT / "tools")))
    environment = os.environ | mistake.environment | {"PYTHONPATH": path}
    rtl = lance_library(settings(chip))
    words = [
        sys.executable,
        COMPARED,
        rtl,
        library,
        chip,
        kind,
        *mistake.how.get("seeds", range(SEEDS)),
    ]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def settings(chip: str) -> dict[str, str]:
    return {"lance.chip": chip} if chip != "am7990" else {}


def bench(chip: str) -> tuple[Path, Path]:
    """The program and its machine."""
    machine = elaborate("LanceOnTc", settings=settings(chip)).with_name("machine.json")
    return lance_bench(settings(chip)), machine


def histories(
    chip: str, library: Path, first: int, count: int, mistake: Mistake | None = None
) -> str:
    """What was said; the first difference is in it, if there is one."""
    program, machine = bench(chip)
    words = [program, "histories", "--machine", machine, "--exact", library]
    words += ["--first", first, "--count", count]
    environment = os.environ | (mistake.environment if mistake else {})
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("chip", CHIPS)
def test_the_same_in_each_tick(chip):
    said = histories(chip, models.build("liblance-exact.so"), 0, USUAL)
    assert ", 0 differences" in said, said


@pytest.mark.parametrize("chip", CHIPS)
def test_what_once_differed(chip):
    """A burst that ends as the silo gets room."""
    said = histories(chip, models.build("liblance-exact.so"), 9697, 1)
    assert ", 0 differences" in said, said


@pytest.mark.long
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("first", range(USUAL, USUAL + LONG, PART))
def test_very_many_in_each_tick(chip, first):
    library = models.build("liblance-exact.so")
    with once("histories", library, *bench(chip), first) as new:
        if new:
            said = histories(chip, library, first, PART)
            assert ", 0 differences" in said, said


@pytest.fixture(scope="module")
def with_all() -> Path:
    """The library with all mistakes in it."""
    return planted.program("liblance-exact.so")


def test_without_a_mistake(with_all):
    assert ", 0 differences" in histories("am7990", with_all, 0, 20)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[m.title for m in MISTAKES])
def test_a_mistake_in_the_card_is_found(with_all, mistake):
    chip = mistake.how.get("chip", "am7990")
    if kind := mistake.how.get("history"):
        assert of_kind(kind, chip, with_all, mistake)
        return
    said = histories(chip, with_all, 0, SEEDS, mistake)
    assert "the exact card: " in said, said
