# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of driver, wire and faults: the RTL next to the exact engine's card, 0
differences
(docs/verification/lance-histories.md). A difference comes with the command that repeats it.
"""

import os

import pytest

from mcpi.base.process import heard
from mcpi.build import models
from mcpi.hdl.cocotb_run import elaborate
from verify.random.build import lance_bench

USUAL, LONG = 300, 50_000  # histories of each chip
FIRST = int(os.environ.get("HISTORY_FIRST", "0"))
CHIPS = ("am7990", "c-lance")
# Findings of long runs: a jam that outlasts the slot time, sixteen attempts of four frames,
# TINT in the tick after STOP, a collision in a frame's last nibble.
FOUND = (949, 2781, 15624, 29030)


def histories(chip: str, first: int, count: int, *more: str) -> str:
    """Output of ``count`` histories of ``chip``; a difference fails, with its story."""
    settings = {"lance.chip": chip} if chip != "am7990" else {}
    program = lance_bench(settings)
    machine = elaborate("LanceOnTc", settings=settings).with_name("machine.json")
    words = [program, "histories", "--machine", machine, "--first", str(first)]
    words += ["--exact", models.build("liblance-exact.so")]
    done = heard([*words, "--count", str(count), *more])
    print(done.stdout)
    if done.returncode:
        pytest.fail(f"{chip}: {done.stdout}{done.stderr}", pytrace=False)
    assert f"{count} histories" in done.stdout and ", 0 differences" in done.stdout, done.stdout
    return done.stdout


@pytest.mark.parametrize("chip", CHIPS)
def test_random_histories(chip):
    said = " ".join(histories(chip, FIRST, USUAL).split()) + " "
    for happened in ("MERR", "MISS", "OFLO", "UFLO", "LCAR", "RTRY", "DEF", "ONE", "CRC", "BUFF"):
        assert f" {happened} 0 " not in said, f"no {happened} in any history"


@pytest.mark.parametrize("chip", CHIPS)
def test_fitted_times_long_rings_and_a_line_that_is_low(chip):
    histories(chip, FIRST, 20, "--fitted", "--wide", "--acknowledge")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("seed", FOUND)
def test_what_once_differed(chip, seed):
    """Repeat the seeds that once differed, as the generator drew them then."""
    histories(chip, seed, 1, "--plain")


@pytest.mark.long
@pytest.mark.parametrize("chip", CHIPS)
def test_very_many_random_histories(chip):
    histories(chip, FIRST + USUAL, LONG, "--bins")
    histories(chip, FIRST + USUAL, LONG // 10, "--bins", "--wide", "--odd")


def test_the_same_seed_is_the_same_history():
    """Every line of it, with its ticks."""
    stories = [histories("am7990", 7, 1, "--story") for _ in range(2)]
    stories = [[line for line in s.splitlines() if "a second" not in line] for s in stories]
    assert stories[0] == stories[1] and len(stories[0]) > 20
