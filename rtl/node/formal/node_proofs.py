# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the node's own parts, and how; proofs.md says what it means."""

from pathlib import Path

from mcpi.machine import profile
from mcpi.verify.sby import INDUCTION, Proof, Room, mutants

HERE = Path(__file__).parent
_VALUES = profile.load("dec3000-600").parameters
PERIOD = int(_VALUES["clock.ticks_per_us"] * 1_000_000 / _VALUES["timer.hz"] + 0.5)  # ticks
PROOFS = (Proof("timer", engine=INDUCTION, depth=1, settings={"PERIOD": f"32'd{PERIOD}"}),)
ROOM = Room("Timer", HERE, PROOFS, mutants(HERE))
