# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of driver, wire and faults: the RTL against sim/models/lance, 0 differences.

One seed again: HISTORY_SEED=n ./mcpi test -k test_one_history.
"""

import os
import subprocess

import history
import lance_library
import pytest

from mcpi.paths import ROOT
from mcpi.randomtest.build import lance_library as built

USUAL, LONG = 400, 100_000
FIRST = int(os.environ.get("HISTORY_FIRST", "0"))


@pytest.fixture(scope="module")
def library():
    return lance_library.load(built({}))


def several(library, first: int, count: int, c_lance: bool = False) -> None:
    print(f"seeds {first} to {first + count - 1}")
    for seed in range(first, first + count):
        said = ""
        try:
            history.run(library, seed, c_lance=c_lance)
        except history.Difference as difference:
            chip = "HISTORY_CHIP=c-lance " if c_lance else ""
            said = f"{difference}\nagain: {chip}HISTORY_SEED={seed} ./mcpi test -k test_one_history"
        if said:
            pytest.fail(said, pytrace=False)


def test_random_histories(library):
    several(library, FIRST, USUAL)


@pytest.mark.skipif("HISTORY_SEED" not in os.environ, reason="only with HISTORY_SEED")
def test_one_history(library):
    c_lance = os.environ.get("HISTORY_CHIP") == "c-lance"
    chip = lance_library.load(built({"lance.chip": "c-lance"})) if c_lance else library
    several(chip, int(os.environ["HISTORY_SEED"]), 1, c_lance)


@pytest.mark.long
def test_very_many_random_histories(library):
    several(library, FIRST + USUAL, LONG)


@pytest.mark.long
def test_random_histories_of_the_c_lance():
    several(lance_library.load(built({"lance.chip": "c-lance"})), FIRST, USUAL, c_lance=True)


def test_the_same_seed_is_the_same_history(library):
    """To the tick: two chips that are given the same end at the same time, with the same memory."""
    ends = []
    for _ in range(2):
        one = history.History(library, 7)
        one.start()
        one.restart()
        for _ in range(5):
            one.step()
        ends.append((one.rtl.now, bytes(one.memory)))
        one.close()
    assert ends[0] == ends[1]


def test_the_example_in_c(library, tmp_path):
    """sim/lance/example.c builds against the library as its header says, and both frames pass."""
    shared = built({})
    program = tmp_path / "example"
    source = ROOT / "sim" / "lance" / "example.c"
    words = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(program)]
    subprocess.run([*words, str(shared), f"-Wl,-rpath,{shared.parent}"], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sent 64 bytes, 105.2 us" in done.stdout, done.stdout
    assert "received 64 bytes" in done.stdout, done.stdout
