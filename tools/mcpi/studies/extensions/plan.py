# SPDX-License-Identifier: BSD-2-Clause
"""Which runs the study is made of: versions, machines, connections and link orders."""

from dataclasses import replace

from mcpi.base.errors import UserError
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD, RunSpec

OLD, NEW = MACHINES = ("dec3000-600", "alpha-300")
STACK = "tcp"
SHARED, OWN = "shared", "specialised"
# PIN, ALL and FAST are one copy for the stack; their fast path, if any, is of one connection.
VERSIONS = ("pin", "all", "fast", SHARED, OWN)
CONNECTIONS = (1, 8, 64)
USUAL = "default"  # link order
COPIES = "copies"  # part of study.json: by link order, machine and connections, version
# A round trip of each connection before the measured ones, and two of each measured.
ROUNDS = 128
FULL = Extent({STACK: 1}, ROUNDS, 10, repeats=0, each_on_rtl=False, warmup=64)
QUICK = replace(FULL, shuffles=3)
ON_RTL = {"round_trips": 8, "warmup": 8}  # of the runs that both engines make, a round of eight


def at(machine: str, connections: int) -> str:
    """The key of a machine with so many connections."""
    return f"{machine} {connections}"


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments; UserError for what the study has not."""
    usual = wanted.usual
    if usual.machine != RunSpec.machine or usual.settings:
        raise UserError(
            f"this study is about machines, {', '.join(MACHINES)}, and sets them itself: "
            "leave --machine and --set out."
        )
    if usual.engine == BOARD:
        raise UserError("--engine board: the machines of this study are not built for boards.")
    if other := [name for name in wanted.stacks if name != STACK]:
        raise UserError(f"--stack {other[0]}: connections open in {STACK} alone.")
    for name in wanted.variants:
        if name not in VERSIONS:
            raise UserError(f"no version '{name}'. There are: {', '.join(VERSIONS)}.")
    return [
        _experiment(wanted, extent, machine, connections, variant, number)
        for number in range(extent.shuffles + 1)
        for machine in MACHINES
        for connections in CONNECTIONS
        for variant in wanted.variants or VERSIONS
        # Link orders are for the two that are compared.
        if not number or variant in (SHARED, OWN)
    ]


def pairs(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Short runs that both engines make: every file must be the same."""
    some = [v for v in (SHARED, OWN) if v in (wanted.variants or VERSIONS)]
    found = [_experiment(wanted, extent, OLD, CONNECTIONS[1], v, 0) for v in some]
    return [replace(e, spec=replace(e.spec, **ON_RTL)) for e in found]


def _experiment(
    wanted: Wanted, extent: Extent, machine: str, connections: int, variant: str, number: int
) -> Experiment:
    """A version with so many connections; ``number``: of the link order, 0: the usual one."""
    more = {
        "machine": machine,
        "defines": (f"XK_CONNECTIONS={connections}",),
        "layout": f"shuffle-{number}" if number else USUAL,
        "seed": wanted.usual.seed + max(number - 1, 0),
    }
    spec = wanted.spec(extent, STACK, variant, **more)
    where = at(machine, connections)
    name = f"{machine}-{connections}-{variant}-{spec.layout}"
    part = (COPIES, spec.layout, where, variant)
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)
