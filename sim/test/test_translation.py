# SPDX-License-Identifier: BSD-2-Clause
"""Translation in the models (docs/explanation/translation.md): TLBs, rights, traps, ticks."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from sim_support import SIM, run
from test_exact_histories import SWITCH

from mcpi.build import models

MUTANTS = tomllib.loads(Path(__file__).with_name("translation_mutants.toml").read_text())["mutant"]


def test_tlb_and_traps_are_the_sheets():
    """Random accesses against a walk of the page table, and each rule by hand."""
    run(models.build("unit_translation"))


def wrong(text: str, mutant: dict, number: int) -> str:
    """The source with a mistake in it that MCPI_MUTANT chooses."""
    right, other = mutant["right"], mutant["wrong"]
    assert text.count(right) == 1, f"{mutant['title']}: {text.count(right)} times there"
    return text.replace(right, f"(mutant({number}) ? ({other}) : ({right}))")


@pytest.fixture(scope="module")
def infected(tmp_path_factory) -> Path:
    """The test with all mistakes in the model."""
    folder = tmp_path_factory.mktemp("translation")
    shutil.copytree(SIM, folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    for number, mutant in enumerate(MUTANTS, 1):
        path = folder / "sim" / mutant["file"]
        path.write_text(wrong(path.read_text(), mutant, number))
    (folder / "mutant.h").write_text(SWITCH)
    sources = [folder / "sim" / p.relative_to(SIM) for p in models.sources("unit_translation")]
    command = ["g++", "-std=c++17", "-O1", "-w", "-include", folder / "mutant.h"]
    command += [f"-I{folder / 'sim'}", *sources, "-o", folder / "unit"]
    subprocess.run(list(map(str, command)), check=True)
    return folder / "unit"


@pytest.mark.parametrize("number", range(len(MUTANTS) + 1))
def test_a_mistake_in_translation_is_found(infected, number):
    done = run(infected, check=False, env=os.environ | {"MCPI_MUTANT": str(number)})
    assert (done.returncode != 0) == (number > 0), MUTANTS[number - 1]["title"]
