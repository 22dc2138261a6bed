# SPDX-License-Identifier: BSD-2-Clause
"""Which machines send and receive UDP: Figures 2 to 5. TCP is not there yet."""

from dataclasses import dataclass

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import EXACT
from mcpi.study.plan import Experiment, Extent, Wanted

MACHINES = ("challenge-100", "dec3000-mp")
SIDES = ("send", "receive")  # by the boot block's role
BYTES = 4096  # of user data in a packet
COUNTS = tuple(range(1, 9))
FEW = (1, 2, 4, 8)

# ``samples``: runs of other seeds; ``round_trips``: packets of processor 0.
FULL = Extent({"udp": 3}, 250, 0, beside=True, warmup=75)
QUICK = Extent({"udp": 1}, 60, 0, beside=False, warmup=20)


@dataclass(frozen=True)
class Point:
    """A point of a curve."""

    machine: str
    side: str
    cores: int

    @property
    def curve(self) -> str:
        return f"{self.machine}-{self.side}"

    @property
    def key(self) -> str:
        return f"{self.curve}-{self.cores}"


def curves() -> list[tuple[str, str]]:
    return [(machine, side) for machine in MACHINES for side in SIDES]


def points(extent: Extent) -> list[Point]:
    counts = COUNTS if extent.beside else FEW
    return [Point(machine, side, n) for machine, side in curves() for n in counts]


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """None of the kind that a round trip is: ``measure`` runs them."""
    if wanted.stacks or wanted.variants:
        raise UserError("this study has sides, not stacks or versions: leave both out.")
    if wanted.usual.machine != Wanted().usual.machine or wanted.usual.settings:
        raise UserError(
            f"this study is about {' and '.join(MACHINES)}: leave --machine and --set out."
        )
    if wanted.usual.engine != EXACT:
        raise UserError(
            f"--engine {wanted.usual.engine}: nodes of several cores are the exact engine's alone."
        )
    return []
