# SPDX-License-Identifier: BSD-2-Clause
"""Engines ``rtl`` and ``exact`` share this: a program runs every job of a spec of each kind."""

import dataclasses
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.build.graph import Built
from mcpi.engines import nodes, program, round_trips
from mcpi.engines.base import Compared
from mcpi.hdl import blocks
from mcpi.machine.profile import Machine
from mcpi.results import folders
from mcpi.results.types import Result
from mcpi.spec import run_jobs
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL, RunSpec
from mcpi.spec.spec import Spec

# Modules with ``prepare``, ``run`` and ``result``.
KINDS = {RunSpec: round_trips, ProgramSpec: program, NodeSpec: nodes}


def request(
    spec: RunSpec | NodeSpec, job: run_jobs.Job, machine: Machine, place: Path
) -> tuple[Spec, list[int], list[str]]:
    """The spec that a job of ``spec`` in ``place`` runs, its phases, and the simulator's
    options."""
    return KINDS[type(spec)].request(spec, job, machine, place)


class Simulated:
    """Both kinds of node, and the wire. ``name`` is the engine's own."""

    def check(self, spec: Spec, machine: Machine) -> None:
        """UserError for what neither simulator has: their nodes on a wire, and those alone."""
        alone = not isinstance(spec, RunSpec) and spec.alone
        if why := blocks.missing("CoherentNode" if alone else "Node", machine):
            more = "" if alone else " ./mcpi paper osdi94 runs the parallel x-kernel on such nodes."
            raise UserError(why + more)
        if not isinstance(spec, NodeSpec) and machine.parameters["dcache.policy"] == "back":
            raise UserError(
                f"machine {machine.name}: dcache.policy = back has no ideal memory, and each run "
                "has a twin with it for its iCPI. Set dcache.policy=through; ./mcpi paper tr9304 "
                "runs nodes with a write-back D-cache."
            )

    def prepare(self, spec: Spec, machine: Machine, place: Path, bar: Bar) -> Built:
        return KINDS[type(spec)].prepare(spec, machine, place, bar)

    def run(self, spec: Spec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
        return KINDS[type(spec)].run(spec, machine, place, built, bar)

    def result(self, spec: Spec, machine: Machine, place: Path) -> Result:
        return KINDS[type(spec)].result(spec, machine, place)

    def again(self, spec: RunSpec) -> RunSpec:
        return dataclasses.replace(spec, engine=RTL)

    def compare(self, one: Path, other: Path) -> Compared:
        return alike(one, other)


def alike(one: Path, other: Path) -> Compared:
    """Compare two folders of a job file by file, but for the folders in them."""
    count = sum(path.parent == Path() for path in folders.files(one))
    differ = folders.differences(one, other, below=False)
    return count, {str(path): said for path, said in differ.items()}
