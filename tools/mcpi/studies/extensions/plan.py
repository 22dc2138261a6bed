# SPDX-License-Identifier: BSD-2-Clause
"""Which runs the study is made of. Those of clones are here: versions, machines, stacks,
connections and link orders."""

from collections.abc import Collection
from dataclasses import replace

from mcpi.base.errors import UserError
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD, RunSpec, one_of

OLD, NEW = MACHINES = ("dec3000-600", "alpha-300")
TCP, RPC = STACKS = ("tcp", "rpc")
SHARED, OWN = "shared", "specialised"
# PIN, ALL and FAST are one copy for the stack; their fast path, if any, is of one connection.
VERSIONS = ("pin", "all", "fast", SHARED, OWN)
CONNECTIONS = (1, 8, 64)
USUAL = "default"  # link order
COPIES = "copies"  # part of study.json: by link order, place (at), version
# A round trip of each connection before the measured ones, and two of each measured.
ROUNDS = 128
# RPC has two: the first call of all takes the general path, so its channel's code is made later.
BEFORE = {TCP: 1, RPC: 2}
FULL = Extent({"tcp": 1, "rpc": 1, "bsd": 1}, ROUNDS, 10, repeats=0, each_on_rtl=False, warmup=64)
QUICK = replace(FULL, shuffles=3)
ON_RTL = {"round_trips": 8, "warmup": 8}  # of the runs that both engines make, a round of eight


def at(machine: str, stack: str, connections: int) -> str:
    """The key of a machine with so many connections of a stack."""
    return f"{machine} {stack} {connections}"


def check(wanted: Wanted, stacks: Collection[str], versions: Collection[str]) -> None:
    """UserError for what the study has not."""
    usual = wanted.usual
    if usual.machine != RunSpec.machine or usual.settings:
        raise UserError(
            f"this study is about machines, {', '.join(MACHINES)}, and sets them itself: "
            "leave --machine and --set out."
        )
    if usual.engine == BOARD:
        raise UserError("--engine board: the machines of this study are not built for boards.")
    for name in wanted.stacks:
        one_of("stack", name, tuple(stacks))
    for name in wanted.variants:
        if name not in versions:
            raise UserError(f"no version '{name}'. There are: {', '.join(versions)}.")


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments with clones of a connection's own."""
    return [
        _experiment(wanted, extent, machine, stack, connections, variant, number)
        for number in range(extent.shuffles + 1)
        for machine in MACHINES
        for stack in STACKS
        if not wanted.stacks or stack in wanted.stacks
        for connections in CONNECTIONS
        for variant in VERSIONS
        if not wanted.variants or variant in wanted.variants
        # Link orders are for the two that are compared.
        if not number or variant in (SHARED, OWN)
    ]


def pairs(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Short runs that both engines make: every file must be the same."""
    usual = (e for e in plan(wanted, extent) if e.spec.layout == USUAL)
    return [
        short(e)
        for e in usual
        if e.part[2] in [at(OLD, stack, CONNECTIONS[1]) for stack in STACKS]
        if e.spec.variant in (SHARED, OWN)
    ]


def short(e: Experiment) -> Experiment:
    """The same experiment, as both engines make it."""
    return replace(e, spec=replace(e.spec, **ON_RTL))


def _experiment(
    wanted: Wanted,
    extent: Extent,
    machine: str,
    stack: str,
    connections: int,
    variant: str,
    number: int,
) -> Experiment:
    """A version with so many connections; ``number``: of the link order, 0: the usual one."""
    more = {
        "machine": machine,
        "warmup": BEFORE[stack] * extent.warmup,
        "defines": (f"XK_CONNECTIONS={connections}",),
        "layout": f"shuffle-{number}" if number else USUAL,
        "seed": wanted.usual.seed + max(number - 1, 0),
    }
    spec = wanted.spec(extent, stack, variant, **more)
    where = at(machine, stack, connections)
    name = f"{machine}-{stack}-{connections}-{variant}-{spec.layout}"
    part = (COPIES, spec.layout, where, variant)
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)
