# SPDX-License-Identifier: BSD-2-Clause
"""Tests of an interrupt line that rises or falls, as software reads it tick by tick: HIRR of the
exact engine is the RTL's, whatever clock and TURBOchannel are."""

import pytest
from sim_support.line_programs import lines
from sim_support.simulators import both, build, machine_json

from mcpi.results import folders
from verify.long_tests import sampled

MACHINES = {
    "real": {},
    "ideal": {"memory.ideal": "on"},
    **{
        f"{mhz} MHz, {cycle} ticks": {
            "memory.ideal": "on",
            "clock.ticks_per_us": f"{mhz}",
            "turbochannel.ticks_per_cycle": f"{cycle}",
        }
        for mhz, cycle in ((265, 11), (50, 1), (130, 6), (335, 13), (400, 16))
    },
}


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: " " not in name))
def test_each_tick_of_a_line(name, tmp_path):
    settings = MACHINES[name]
    machine = machine_json(tmp_path, settings)
    for done in both(build(settings), tmp_path, machine, items=lines(tmp_path)):
        assert done.returncode == 0, done.stderr
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
    observed = (tmp_path / "exact" / "console.0.txt").read_bytes()
    assert len({observed[n : n + 4] for n in range(0, len(observed), 4)}) > 15, "of many phases"
