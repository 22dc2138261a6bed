# SPDX-License-Identifier: BSD-2-Clause
"""Other machines: the same program, every instruction in lock-step."""

import pytest
from sim_support.simulators import build, counters, machine_json, run_record, simulate

from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec

GEOMETRIES = [
    {"cache.block": "16B", "icache.size": "1KB", "dcache.size": "2KB", "write_buffer.entries": "1"},
    {"cache.block": "128B", "icache.size": "64KB", "dcache.size": "32KB", "bcache.size": "64KB"},
]
EV4 = {"core.prediction": "ev4"}


@pytest.mark.long  # test_random_machines has one of these sizes each time
@pytest.mark.parametrize(
    "settings",
    [*GEOMETRIES, EV4, *(g | EV4 for g in GEOMETRIES)],
    ids=lambda s: f"{s.get('cache.block', '32B')}-{s.get('core.prediction', 'paper')}",
)
def test_geometry(settings, tmp_path):
    """TCP, one round trip: lock-step agrees, both machines end well, owners sum to ticks."""
    machine = profile.load(RunSpec.machine, settings)
    done = simulate(
        build(settings), tmp_path, machine_json(tmp_path, settings), items=["boot.round_trips=1"]
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert run_record(tmp_path)["exit_codes"] == [0, 0]
    for node in counters(tmp_path):
        for bank in node.values():
            owners = sum(v for k, v in bank.items() if k.startswith("owner."))
            assert owners == bank["ticks"] > 0
            ev4 = "core.prediction" in settings
            far = machine.parameters["core.mispredict_penalty"]
            assert bank["owner.mispredict"] == bank["mispredicts"] * far
            assert ev4 == (node["all"]["mispredicts"] > 0)
