# SPDX-License-Identifier: BSD-2-Clause
"""A simulator compiled with a profile of itself: a quarter to a third faster.

It costs one more compilation and a short run, so only a long study asks for it. Once there is a
profile of a node's Verilog, every later build of its simulator uses it.
"""

import dataclasses
import tempfile
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.hdl import verilator
from mcpi.machine.profile import Machine
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec

PAYS = 240  # seconds that the runs would take without, on all cores
SHORT = {"warmup": 8, "round_trips": 8, "samples": 1, "layout": "default"}


def train(spec: RunSpec, machine: Machine, bar: Bar) -> None:
    """Leave a profile of the simulator of ``spec``'s node, if there is none."""
    verilog = graph.verilog(spec, machine)
    if verilog.exists() and verilator.trained(verilog).is_dir():
        return
    spec = dataclasses.replace(spec, **SHORT)
    built = graph.build_all([spec], machine, bar, training=True)[0]
    job = run_jobs.Job(1, run_jobs.REAL)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder, bar.task("profile") as update:
        place = Path(folder) / "run"
        run_folder.prepare(place, spec, built, [job])
        phases = run_jobs.phases_of(spec.seed, job.sample, machine)
        words = (built.simulator, place, job.folder, spec, phases, [])
        simulate.simulate(*words, update=update)
        verilator.keep_profile(verilog)
