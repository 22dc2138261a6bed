# SPDX-License-Identifier: BSD-2-Clause
"""The emulation of floating point, compiled for this computer, gives the bits that its own floating
point gives."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from mcpi.base.repo import FIRMWARE

HERE = Path(__file__).parent
EMULATION = FIRMWARE / "runtime" / "float"
MUTANTS = tomllib.loads((HERE / "faults.toml").read_text())["mutant"]
USUAL, MANY = 100_000, 10_000_000


def judged(place: Path, sources: Path, pairs: int) -> tuple[int, str]:
    """Status and words of the comparison. ``sources``: a folder with runtime/float in it."""
    program = place / "arithmetic"
    files = [HERE / "arithmetic.c", *sorted((sources / "runtime" / "float").glob("*.c"))]
    words = ["gcc", "-O2", "-ffp-contract=off", f"-I{sources}", *files, "-o", program, "-lm"]
    subprocess.run(words, check=True)
    done = subprocess.run([program, str(pairs)], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout


def test_each_result_is_the_hosts(tmp_path):
    assert judged(tmp_path, FIRMWARE, USUAL) == (0, "0 wrong\n")


@pytest.mark.long
def test_each_of_ten_million_results_is_the_hosts(tmp_path):
    assert judged(tmp_path, FIRMWARE, MANY) == (0, "0 wrong\n")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant[0])
def test_a_mistake_is_found(mutant, tmp_path):
    _, name, before, after = mutant
    room = tmp_path / "runtime" / "float"
    shutil.copytree(EMULATION, room)
    text = (room / name).read_text()
    assert text.count(before) == 1
    (room / name).write_text(text.replace(before, after))
    status, words = judged(tmp_path, tmp_path, USUAL)
    assert status == 1 and "wrong" in words
