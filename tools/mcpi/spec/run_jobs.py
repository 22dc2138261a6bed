# SPDX-License-Identifier: BSD-2-Clause
"""The simulator runs that one run is made of, and what differs between them."""

import dataclasses
import hashlib
from dataclasses import dataclass

from mcpi.machine.profile import Machine
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

REAL, IDEAL, COLD, LOGGED = "real", "ideal", "cold", "logged"
# Options that a kind of job gives the simulator; LOGGED: each tick of the client's path in a file.
# REAL: what the time line of a round trip is made of.
OPTIONS = {REAL: ["--spells"], COLD: ["--cold"], LOGGED: ["--tick-log", "0"]}
COLD_WARMUP = 20  # round trips at least, so that all code and data have been in use


@dataclass(frozen=True)
class Job:
    """A simulator run: its sample number, and its memory (real, ideal, or with a cold path).

    ``short``: a cold run with as many round trips as the sample's own run, from which it parts.
    """

    sample: int
    memory: str
    short: bool = False

    @property
    def folder(self) -> str:
        """The first sample's files lie in the run's folder itself."""
        if self.memory != REAL:
            return self.memory
        return "." if self.sample == 1 else f"sample-{self.sample}"


def jobs(spec: Spec) -> list[Job]:
    """The ideal-memory twin belongs to the first sample; iCPI does not depend on phases. A node has
    one run."""
    if not isinstance(spec, RunSpec):
        return [Job(1, REAL)]
    cold = [Job(1, COLD)] if spec.cold else []
    more = (Job(n, REAL) for n in range(2, spec.samples + 1))
    return [Job(1, REAL), Job(1, IDEAL), *cold, *more]


def spec_of(spec: RunSpec, job: Job) -> RunSpec:
    """Spec that the job runs. Cold: one measured round trip, after at least so much warm-up."""
    if job.memory != COLD or job.short:
        return spec
    warmup = max(spec.warmup, COLD_WARMUP)
    return dataclasses.replace(spec, round_trips=1, warmup=warmup)


def phases(spec: Spec, sample: int, machine: Machine) -> list[int]:
    """Tick of the first timer interrupt of each node; 0: the simulator's own."""
    if isinstance(spec, NodeSpec):
        return [spec.phase, 0][: len(spec.images)]
    return phases_of(spec.seed, sample, machine)


def phases_of(seed: int, sample: int, machine: Machine) -> list[int]:
    """Ticks until each node's first timer interrupt: what alone differs between samples."""
    period = machine.parameters["clock.ticks_per_us"] * 1_000_000 // machine.parameters["timer.hz"]
    text = (f"{seed} {sample} {node}".encode() for node in SIDES.values())
    return [1 + int.from_bytes(hashlib.sha256(t).digest()[:8], "big") % period for t in text]
