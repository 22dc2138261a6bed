# SPDX-License-Identifier: BSD-2-Clause
"""Every version of the study, both stacks, real and ideal memory, plain and cold, many seeds: the
exact engine leaves the RTL's files."""

import pytest
from sim_support.pairs import IDEAL, both, images, words
from sim_support.simulators import machine_json

from mcpi.build import models
from mcpi.results import folders
from mcpi.studies.sigcomm96.plan import STUDIED
from verify.long_tests import once, sampled

SEEDS = 10
USUAL = {("rpc", "all", 2)}  # with each memory, plain and cold
VERSIONS = [(stack, version) for stack, versions in STUDIED.items() for version in versions]
RUNS = [(*version, seed) for seed in range(1, SEEDS + 1) for version in VERSIONS]


@pytest.mark.parametrize("cold", [False, True], ids=["plain", "cold"])
@pytest.mark.parametrize("memory", ["real", "ideal"])
@pytest.mark.parametrize("run", sampled(RUNS, lambda run: run in USUAL), ids=str)
def test_the_same_files(run, memory, cold, tmp_path):
    stack, variant, seed = run
    options = [*words(stack, seed, 2), *(["--cold", "--trace", "0"] if cold else [])]
    settings = IDEAL if memory == "ideal" else {}
    built = images(stack, variant)
    files = [built.simulator, models.build("mcpi-exact"), built.image, built.pal]
    with once("pairs of runs", *files, machine_json(tmp_path, settings), *options) as new:
        if new:
            rtl, exact = both(built, tmp_path, *options, settings=settings)
            assert not folders.differences(rtl, exact)
