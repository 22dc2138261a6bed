# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of the LANCE on the exact engine's card next to the RTL's: the same in each tick
(docs/verification/lance-histories.md), and mistakes in the card, each found."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import SIM

from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.hdl.cocotb_run import elaborate
from mcpi.verify.random.build import lance_bench, lance_library
from mcpi.verify.verilog_mutants import VARIABLE

USUAL, LONG = 150, 10_000  # histories of each chip
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
rtl, engine = (lance_library.load(path) for path in sys.argv[2:4])
kind = getattr(exact_history, sys.argv[1])
for seed in range(int(sys.argv[4])):
    if found := exact_history.difference(kind(rtl, seed), kind(engine, seed)):
        sys.exit(f"seed {seed}: {found}")
"""


def of_kind(kind: str, library: Path, mutant: int) -> str:
    """The first difference in SEEDS histories of exact_history.py; empty without one."""
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parents[1] / "lance-ip/test", ROOT / "tools")))
    environment = os.environ | {VARIABLE: str(mutant), "PYTHONPATH": path}
    words = [sys.executable, "-c", KIND, kind, lance_library({}), library, SEEDS]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def histories(chip: str, library: Path, first: int, count: int, mutant: int = 0) -> str:
    """What was said; the first difference is in it, if there is one."""
    settings = {"lance.chip": chip} if chip != "am7990" else {}
    program = lance_bench(settings)
    machine = elaborate("LanceOnTc", settings=settings).with_name("machine.json")
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
def test_very_many_in_each_tick(chip):
    said = histories(chip, models.build("liblance-exact.so"), USUAL, LONG)
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
    if kind := MUTANTS[number - 1].get("history"):
        assert of_kind(kind, infected, number)
        return
    chip = MUTANTS[number - 1].get("chip", "am7990")
    said = histories(chip, infected, 0, SEEDS, number)
    assert "the exact card: " in said, said
