# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of the LANCE on the exact engine's card next to the RTL's: the same in each tick
(docs/verification/lance-histories.md), and mistakes in the card, each found."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import SIM

from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.hdl.cocotb_run import elaborate
from mcpi.verify.long_tests import once
from mcpi.verify.random.build import lance_bench, lance_library
from mcpi.verify.verilog_mutants import VARIABLE

USUAL, LONG, PART = 150, 10_000, 1000  # histories of each chip
SEEDS = 350  # to find a mistake in; all without a difference
CHIPS = ("am7990", "c-lance")
MUTANTS = tomllib.loads(Path(__file__).with_name("exact_card_mutants.toml").read_text())["mutant"]
SWITCH = f"""\
#pragma once
#include <cstdlib>
inline bool mutant(int n) {{
    static const char *const number = std::getenv("{VARIABLE}");
    return number && std::atoi(number) == n;
}}
"""


KIND = """\
import sys
import exact_history, lance_library
rtl = lance_library.load(sys.argv[2])
engine = exact_history.engine(sys.argv[3], sys.argv[4] == "c-lance")
kind = getattr(exact_history, sys.argv[1])
sys.exit(exact_history.compare(kind, rtl, engine, map(int, sys.argv[5:])) or 0)
"""


def of_kind(kind: str, chip: str, library: Path, mutant: int, seeds: Iterable[int]) -> str:
    """The first difference in these histories of exact_history.py; empty without one."""
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parents[1] / "lance-ip/test", ROOT / "tools")))
    environment = os.environ | {VARIABLE: str(mutant), "PYTHONPATH": path}
    rtl = lance_library(settings(chip))
    words = [sys.executable, "-c", KIND, kind, rtl, library, chip, *seeds]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def settings(chip: str) -> dict[str, str]:
    return {"lance.chip": chip} if chip != "am7990" else {}


def bench(chip: str) -> tuple[Path, Path]:
    """The program and its machine."""
    machine = elaborate("LanceOnTc", settings=settings(chip)).with_name("machine.json")
    return lance_bench(settings(chip)), machine


def histories(chip: str, library: Path, first: int, count: int, mutant: int = 0) -> str:
    """What was said; the first difference is in it, if there is one."""
    program, machine = bench(chip)
    words = [program, "histories", "--machine", machine, "--exact", library]
    words += ["--first", first, "--count", count]
    environment = os.environ | {VARIABLE: str(mutant)}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("chip", CHIPS)
def test_the_same_in_each_tick(chip):
    said = histories(chip, models.build("liblance-exact.so"), 0, USUAL)
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
def infected(tmp_path_factory) -> Path:
    """A library with all mistakes in it."""
    folder = tmp_path_factory.mktemp("card")
    for name in ("engine", "test", "link", "models", "lib", "base"):
        shutil.copytree(SIM / name, folder / name)
    for number, mutant in enumerate(MUTANTS, 1):
        path = folder / "engine" / mutant["file"]
        text, right = path.read_text(), mutant["right"]
        assert text.count(right) == 1, f"{mutant['title']}: {text.count(right)} times there"
        switched = f"(mutant({number}) ? {mutant['wrong']} : {right})"
        path.write_text(text.replace(right, switched))
    (folder / "mutant.h").write_text(SWITCH)
    sources = [folder / path.relative_to(SIM) for path in models.sources("liblance-exact.so")]
    compiler = [word for word in models.COMPILER if not word.startswith("-I")]
    compiler += ["-include", folder / "mutant.h"]
    library = folder / "liblance-exact.so"
    words = [*compiler, f"-I{folder}", "-fPIC", "-shared", *sources, "-o", library]
    subprocess.run(list(map(str, words)), check=True)
    return library


def test_without_a_mistake(infected):
    assert ", 0 differences" in histories("am7990", infected, 0, 20)


@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1), ids=[m["title"] for m in MUTANTS])
def test_a_mistake_in_the_card_is_found(infected, number):
    mutant = MUTANTS[number - 1]
    chip = mutant.get("chip", "am7990")
    if kind := mutant.get("history"):
        assert of_kind(kind, chip, infected, number, mutant.get("seeds", range(SEEDS)))
        return
    said = histories(chip, infected, 0, SEEDS, number)
    assert "the exact card: " in said, said
