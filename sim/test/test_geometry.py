# SPDX-License-Identifier: BSD-2-Clause
"""Other machines: the same program, every instruction in lock-step."""

import json
import subprocess

import pytest

from mcpi import graph
from mcpi.progress import Bar
from mcpi.record import Record

GEOMETRIES = [
    {"cache.block": "16B", "icache.size": "1KB", "dcache.size": "2KB", "write_buffer.entries": "1"},
    {"cache.block": "128B", "icache.size": "64KB", "dcache.size": "32KB", "bcache.size": "64KB"},
]
EV4 = {"core.prediction": "ev4"}


@pytest.mark.parametrize(
    "settings",
    [*GEOMETRIES, EV4, *(g | EV4 for g in GEOMETRIES)],
    ids=lambda s: f"{s.get('cache.block', '32B')}-{s.get('core.prediction', 'paper')}",
)
def test_geometry(settings, tmp_path):
    """TCP, one round trip: lock-step agrees, both machines end well, owners sum to ticks."""
    record = Record(settings=settings)
    machine = record.check()
    with Bar() as bar:
        built = graph.build(record, machine, bar)
    description = tmp_path / "machine.json"
    description.write_text(machine.to_json())
    command = [built.simulator, "--out", tmp_path, "--machine", description]
    command += ["--node-json", built.node_json]
    for node in (0, 1):
        for item in (f"pal={built.pal}", f"image={built.image}", "boot.round_trips=1"):
            command += ["--node", f"{node}:{item}"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads((tmp_path / "run.json").read_text())["exit_codes"] == [0, 0]
    for node in json.loads((tmp_path / "counters.json").read_text())["nodes"]:
        for bank in node.values():
            owners = sum(v for k, v in bank.items() if k.startswith("owner."))
            assert owners == bank["ticks"] > 0
            ev4 = "core.prediction" in settings
            far = machine.parameters["core.mispredict_penalty"]
            assert bank["owner.mispredict"] == bank["mispredicts"] * far
            assert ev4 == (node["all"]["mispredicts"] > 0)
