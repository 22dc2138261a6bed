# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of the LANCE on the exact engine's card next to the RTL's: the same in each tick
(docs/verification/lance-histories.md), and mistakes in the card, each found."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.planted import Mistake

from mcpi.base.repo import PYTHONPATH, ROOT
from mcpi.build import models
from mcpi.hdl.cocotb_run import elaborate
from verify.long_tests import once, sampled
from verify.random.build import lance_bench, lance_library

PART = 1000  # histories of each chip
# Flags of a kind; how many are usual, and how many are long.
KINDS = {
    "": (60, 10_000),
    "--wide --odd": (30, 2000),
    "--any-time": (150, 10_000),
}
# Findings, as the seeds were drawn then: a burst that ends as the silo gets room; what is
# before a frame in an odd buffer (two); and at any time: a frame outside while INIT reads MODE, a
# frame in loopback and one outside, MERR in the tick of a nibble, a carrier that INIT leaves, a
# collision after a cut, IDON after STOP.
FOUND = {
    "--plain": (9697,),
    "--plain --wide --odd": (9100269, 9200142),
    "--any-time": (1144, 10404, 10571, 10995, 30426, 11423),
}
SEEDS = 350  # to find a mistake in; all without a difference
CHIPS = ("am7990", "c-lance")
MISTAKES = planted.mistakes("exact_card_mutants")
HERE = ROOT / "sim" / "test"
COMPARED = HERE / "sim_support" / "cards" / "two_cards.py"


def of_kind(kind: str, chip: str, library: Path, mistake: Mistake) -> str:
    """The first difference in its histories of exact_history.py; empty without one."""
    path = os.pathsep.join(map(str, (HERE, ROOT / "lance-ip/test", PYTHONPATH)))
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
    if chip == "classifier":
        return {"lance.classifier": "on"}
    return {"lance.chip": chip} if chip != "am7990" else {}


def bench(chip: str) -> tuple[Path, Path]:
    """The program and its machine."""
    machine = elaborate("LanceOnTc", settings=settings(chip)).with_name("machine.json")
    return lance_bench(settings(chip)), machine


def histories(
    chip: str,
    library: Path,
    first: int,
    count: int,
    flags: str = "",
    mistake: Mistake | None = None,
) -> str:
    """Output of the histories; the first difference or an empty bin is in it, if there is one."""
    program, machine = bench(chip)
    words = [program, "histories", "--machine", machine, "--exact", library]
    words += ["--first", first, "--count", count, *flags.split()]
    environment = os.environ | (mistake.environment if mistake else {})
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("flags", KINDS, ids=lambda flags: flags or "usual")
def test_the_same_in_each_tick(chip, flags):
    said = histories(chip, models.build("liblance-exact.so"), 0, KINDS[flags][0], flags)
    assert ", 0 differences" in said, said


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("flags", FOUND)
def test_what_once_differed(chip, flags):
    for seed in FOUND[flags]:
        said = histories(chip, models.build("liblance-exact.so"), seed, 1, flags)
        assert ", 0 differences" in said, said


PARTS = [
    (flags, first)
    for flags, (usual, long) in KINDS.items()
    for first in range(usual, usual + long, PART)
]


@pytest.mark.long
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("flags", "first"), PARTS)
def test_very_many_in_each_tick(chip, flags, first):
    """Each part draws every value of every input."""
    library = models.build("liblance-exact.so")
    with once("histories", library, *bench(chip), flags, first) as new:
        if new:
            said = histories(chip, library, first, PART, f"{flags} --whole --bins")
            assert ", 0 differences" in said and "  empty: " not in said, said


def test_the_line_to_repeat_a_history_has_all_of_the_command(with_all):
    """It finds the same difference again, and the flags are there."""
    mistake = next(m for m in MISTAKES if m.title.startswith("transmit: STP of a later buffer"))
    said = histories("am7990", with_all, 0, SEEDS, "--wide --odd --steps 9 --whole", mistake)
    found, again = (
        next(line for line in said.splitlines() if line.startswith(word))
        for word in ("seed ", "again: ")
    )
    words = shlex.split(again.removeprefix("again: "))
    assert {"--wide", "--odd", "--steps", "--whole", "--exact", "--machine"} <= set(words)
    done = subprocess.run(
        words, capture_output=True, text=True, env=os.environ | mistake.environment
    )
    assert done.returncode == 1 and found in done.stdout, done.stdout


def test_an_empty_bin_fails():
    """A single history does not draw everything."""
    said = histories("am7990", models.build("liblance-exact.so"), 0, 1, "--bins")
    assert "  empty: duplex: " in said and "  empty: step: " in said, said


@pytest.fixture(scope="module")
def with_all() -> Path:
    """The library with all mistakes in it."""
    return planted.program("liblance-exact.so")


def test_without_a_mistake(with_all):
    for flags in ("", "--any-time"):
        assert ", 0 differences" in histories("am7990", with_all, 0, 20, flags)


@pytest.mark.parametrize(
    "mistake", sampled(MISTAKES, lambda m: m in MISTAKES[::4]), ids=lambda m: m.title
)
def test_a_mistake_in_the_card_is_found(with_all, mistake):
    chip = mistake.how.get("chip", "am7990")
    if kind := mistake.how.get("history"):
        assert of_kind(kind, chip, with_all, mistake)
        return
    flags = "--any-time" if mistake.how.get("any_time") else ""
    seeds = mistake.how.get("seeds")  # one, if none of the first does
    first, count = (seeds[0], 1) if seeds else (0, SEEDS)
    said = histories(chip, with_all, first, count, flags, mistake)
    assert "the exact card: " in said, said
