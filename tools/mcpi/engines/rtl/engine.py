# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``rtl``: ``mcpi-sim`` runs every job of a spec (docs/reference/simulator.md), and
``mcpi-cores`` a node of several cores."""

import dataclasses
import filecmp
import shutil
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.build.graph import Built
from mcpi.engines import base as engines
from mcpi.engines.simulated import Simulated
from mcpi.machine.profile import Machine
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.spec.spec import Spec

TICKS = "ticks.csv"


class Rtl(Simulated):
    """Verilated machines and the wire."""

    name = RTL

    def check(self, spec: Spec, machine: Machine) -> None:
        super().check(spec, machine)
        if spec.recording:  # which the exact engine makes
            engines.of(EXACT).check(spec, machine)
        for log in ("evictions", "locks"):
            if isinstance(spec, NodeSpec) and getattr(spec, log):
                raise UserError(f"{spec.title}: engine rtl has no log of {log}; engine exact has.")

    def run(self, spec: Spec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
        speed = super().run(spec, machine, place, built, bar)
        if spec.recording:
            add_misses(spec, machine, place, bar)
        return speed


def add_misses(spec: Spec, machine: Machine, place: Path, bar: Bar) -> None:
    """Leave ``misses.N.csv`` of the exact engine, which names the blocks of misses. RunError if its
    ticks are not those of this run, byte for byte."""
    once = {"samples": 1} if isinstance(spec, RunSpec) else {"repeat": 1}
    twin = dataclasses.replace(spec, engine=EXACT, cold=False, **once)
    engine, folder = engines.of(EXACT), place / "exact"
    engine.run(twin, machine, folder, engine.prepare(twin, machine, folder, bar), bar)
    if not filecmp.cmp(folder / TICKS, place / TICKS, shallow=False):
        raise RunError(
            f"{folder / TICKS}: the exact engine's ticks are not those of engine rtl in {place}: "
            "its misses are not either. An engine has a fault: report the command."
        )
    name = f"misses.{SIDES[spec.tick_log]}.csv"
    shutil.copyfile(folder / name, place / name)
    shutil.rmtree(folder)


ENGINE = Rtl()
