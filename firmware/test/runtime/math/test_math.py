# SPDX-License-Identifier: BSD-2-Clause
"""The runtime's math.h, printf and strtod, compiled for this computer, next to its own."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from mcpi.base.repo import FIRMWARE

HERE = Path(__file__).parent
ROOMS = ("runtime/float", "runtime/math")
MUTANTS = tomllib.loads((HERE / "faults.toml").read_text())["mutant"]
USUAL, MANY, FEW, TEXTS = 20_000, 2_000_000, 2_000, 5_000
EXACT = {"sqrt", "trunc", "floor", "ceil", "round", "rint", "fmod", "fmin", "fmax", "fdim"}
NOT_HERE = {"scan.c"}  # reads from the runtime's files
OURS = re.compile(r"^double (\w+)\(", re.M)


def built(place: Path, sources: Path, name: str) -> Path:
    """The comparison ``name``, with functions of ``sources`` renamed to our_…"""
    header = (FIRMWARE / "runtime" / "include" / "math.h").read_text()
    renamed = [*OURS.findall(header), "strtod", "strtof", "atof"]
    objects = []
    for file in sorted(f for room in ROOMS for f in (sources / room).glob("*.c")):
        if file.name in NOT_HERE:
            continue
        objects.append(place / f"{file.stem}.o")
        words = ["gcc", "-O2", "-fno-builtin", "-ffp-contract=off", f"-I{sources}", "-c", file]
        subprocess.run([*words, "-o", objects[-1]], check=True)
        more = [f"--redefine-sym={name}=our_{name}" for name in renamed]
        subprocess.run(["objcopy", *more, objects[-1]], check=True)
    words = ["gcc", "-O1", "-fno-builtin", "-w", f"-I{sources}", HERE / f"{name}.c", *objects]
    subprocess.run([*words, "-o", place / name, "-lm"], check=True)
    return place / name


def errors(program: Path, count: int) -> dict[str, float]:
    """The largest error of each function."""
    done = subprocess.run([program, str(count)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0
    rows = map(str.split, done.stdout.splitlines())
    return {name: float(worst) for name, worst in rows}


@pytest.mark.parametrize("count", [USUAL, pytest.param(MANY, marks=pytest.mark.long)])
def test_each_function_is_within_a_unit_in_the_last_place(count, tmp_path):
    found = errors(built(tmp_path, FIRMWARE, "functions"), count)
    assert len(found) == 30
    assert all(worst < (0.5001 if name in EXACT else 0.6) for name, worst in found.items()), found


@pytest.mark.parametrize("count", [TEXTS, pytest.param(MANY // 10, marks=pytest.mark.long)])
def test_text_is_the_hosts(count, tmp_path):
    words = [built(tmp_path, FIRMWARE, "decimal"), str(count)]
    assert subprocess.run(words, capture_output=True, text=True).stdout == "0 wrong\n"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant[0])
def test_a_mistake_is_found(mutant, tmp_path):
    _, name, before, after, functions = mutant
    for room in ROOMS:
        shutil.copytree(FIRMWARE / room, tmp_path / room)
    file = tmp_path / "runtime" / "math" / name
    text = file.read_text()
    assert text.count(before) == 1
    file.write_text(text.replace(before, after))
    if functions == ["text"]:
        words = [built(tmp_path, tmp_path, "decimal"), str(FEW)]
        assert subprocess.run(words, capture_output=True, timeout=60).returncode == 1
        return
    found = errors(built(tmp_path, tmp_path, "functions"), USUAL)
    assert all(found[function] >= 1 for function in functions), found
