# SPDX-License-Identifier: BSD-2-Clause
"""A simulator compiled with a profile of itself: a quarter to a third faster.

It costs one more compilation and a short run, so only a long study asks for it. Once there is a
profile of a node's Verilog, every later build of its simulator uses it.
"""

import dataclasses
import tempfile
from pathlib import Path

from mcpi import graph, run, simulate, simulator
from mcpi.machine import Machine
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record

PAYS = 240  # seconds that the runs would take without, on all cores
SHORT = {"warmup": 8, "round_trips": 8, "samples": 1, "layout": "default"}


def train(record: Record, machine: Machine, bar: Bar) -> None:
    """Leave a profile of the simulator of ``record``'s node, if there is none."""
    verilog = graph.verilog(record, machine)
    if verilog.exists() and simulator.trained(verilog).is_dir():
        return
    record = dataclasses.replace(record, **SHORT)
    built = graph.build_all([record], machine, bar, training=True)[0]
    job = run.Job(1, run.REAL)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder, bar.task("profile") as update:
        place = Path(folder) / "run"
        run.prepare(place, record, built, [job])
        phases = run.phases_of(record.seed, job.sample, machine)
        simulate.simulate(
            built.simulator, place, job.folder, record, phases, [], simulate.Stop(), update
        )
        simulator.keep_profile(verilog)
