# SPDX-License-Identifier: BSD-2-Clause
"""What OSDI'94 measures: sides of UDP and TCP, on machines, with switches, by processors."""

from dataclasses import dataclass, field

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import EXACT
from mcpi.study.plan import Experiment, Extent, Wanted

CHALLENGE, FASTER, POWER, ALPHA = "challenge-100", "challenge-150", "power-series-33", "dec3000-mp"
MACHINES = (CHALLENGE, FASTER, POWER, ALPHA)
STACKS = ("udp", "tcp")
SIDES = ("send", "receive")  # by the boot block's role
BYTES = 4096  # of user data in a packet
COUNTS = tuple(range(1, 9))
FEW = (1, 2, 4, 8)

# ``samples``: runs of other seeds; ``round_trips``: packets of processor 0.
FULL = Extent({"udp": 3, "tcp": 3}, 250, 0, beside=True, warmup=75)
QUICK = Extent({"udp": 1, "tcp": 1}, 30, 0, beside=False, warmup=8)

MCS = "XK_MP_LOCK=LOCK_MCS"
# What a curve has otherwise than the baseline: TCP-1, test-and-set locks, atomic counts, message
# caches, checksums, no tickets. By name; the switches of firmware/xkernel/lock/mp.h.
WAYS: dict[str, tuple[str, ...]] = {
    "": (),
    "nosum": ("XK_MP_CHECKSUM=0",),
    "nomaplock": ("XK_MP_MAPLOCK=0",),
    "mcs": (MCS,),
    "assumed": ("XK_MP_ASSUME_ORDER=1",),
    "tickets": ("XK_MP_TICKETS=1",),
    "tickets-mcs": (MCS, "XK_MP_TICKETS=1"),
    "each": (MCS, "MPBENCH_EACH=1"),
    "two": (MCS, "XK_MP_TCP_LOCKS=2"),
    "six": (MCS, "XK_MP_TCP_LOCKS=6"),
    "locked": ("XK_MP_ATOMIC=0",),
    "uncached": ("XK_MP_MSGCACHE=0",),
}


@dataclass(frozen=True)
class Curve:
    """``way``: of ``WAYS``; ``settings``: of the machine."""

    machine: str
    stack: str
    side: str
    way: str = ""
    settings: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        return "-".join(filter(None, (self.machine, self.stack, self.side, self.way)))


@dataclass(frozen=True)
class Point:
    """A point of a curve."""

    curve: Curve
    cores: int

    @property
    def key(self) -> str:
        return f"{self.curve.key}-{self.cores}"


def _both(stack: str, *ways: str) -> list[Curve]:
    return [Curve(CHALLENGE, stack, side, way) for way in ways for side in SIDES]


def curves() -> list[Curve]:
    """In the order of the paper's figures."""
    found = _both("udp", "", "nosum", "nomaplock", "locked", "uncached")
    found += _both("tcp", "", "nosum", "mcs", "each", "two", "six", "locked", "uncached")
    found += [Curve(CHALLENGE, "tcp", "receive", way) for way in ("assumed", "tickets")]
    found += [Curve(CHALLENGE, "tcp", "receive", "tickets-mcs")]
    for machine in (FASTER, POWER, ALPHA):
        other = {"sync.bus": "off"} if machine == POWER else {}
        found += [Curve(machine, stack, side, "", other) for stack in STACKS for side in SIDES]
    return found


def most(machine: str) -> int:
    """Processors that the paper's machine had."""
    return 4 if machine in (FASTER, POWER) else 8


def points(extent: Extent) -> list[Point]:
    counts = COUNTS if extent.beside else FEW
    return [Point(curve, n) for curve in curves() for n in counts if n <= most(curve.machine)]


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """None of the kind that a round trip is: ``measure`` runs them."""
    if wanted.stacks or wanted.variants:
        raise UserError("this study has sides, not stacks or versions: leave both out.")
    if wanted.usual.machine != Wanted().usual.machine or wanted.usual.settings:
        raise UserError(
            f"this study is about {', '.join(MACHINES)}: leave --machine and --set out."
        )
    if wanted.usual.engine != EXACT:
        raise UserError(
            f"--engine {wanted.usual.engine}: nodes of several cores are the exact engine's alone."
        )
    return []
