# SPDX-License-Identifier: BSD-2-Clause
"""A run ends in the same window of both engines, whatever delays the store to the exit register, or
its retirement."""

import pytest
from sim_support.exit_programs import program
from sim_support.simulators import both, build, guests, machine_json, run_record

from mcpi.results import folders
from verify.long_tests import sampled

USUAL, MANY = 12, 150
LATE = {40, 50}  # a product waits for the port while the next is made


@pytest.mark.parametrize("number", sampled(range(MANY), lambda n: n < USUAL or n in LATE))
def test_the_same_last_tick(number, tmp_path):
    text, settings = program(number)
    items, machine = guests("guest", tmp_path, text), machine_json(tmp_path, settings)
    done = both(build(), tmp_path, machine, "--max-ticks", 100_000, items=items)
    runs = [run_record(tmp_path / name) for name in ("rtl", "exact")]
    assert done[0].returncode == done[1].returncode
    for figure in ("ticks", "exit_codes", "instructions"):
        assert runs[0][figure] == runs[1][figure]
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
