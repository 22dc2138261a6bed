# SPDX-License-Identifier: BSD-2-Clause
"""Instructions at random that want each other's results: products, loads, devices' answers, STx_C,
conditional moves. Each tick of the exact engine is the RTL's, and the last one too."""

import random

import pytest
from sim_support.late_results import program
from sim_support.oracle_bench import acting
from sim_support.simulators import both, build, guests, logged_from_reset, machine_json

from mcpi.results import folders
from verify.long_tests import sampled

USUAL, MANY = 4, 60


@pytest.mark.parametrize("number", sampled(range(MANY), lambda n: n < USUAL or n == 26))
def test_what_comes_late_comes_in_its_tick(number, tmp_path):
    draw = random.Random(f"late {number}")
    settings = (acting(draw) if number % 4 else {}) | {"memory.ideal": ["off", "on"][number % 2]}
    items = guests("guest", tmp_path, program(draw))
    options = [*logged_from_reset(tmp_path), "--max-ticks", 1_000_000]
    for done in both(build(), tmp_path, machine_json(tmp_path, settings), *options, items=items):
        assert done.returncode == 0, done.stderr
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
