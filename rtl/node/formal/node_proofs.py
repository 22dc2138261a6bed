# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the node's own parts, and how; docs/proofs.md says what it means."""

from pathlib import Path

from mcpi import machine
from mcpi.proof import INDUCTION, Mutant, Proof, Room

_VALUES = machine.load("dec3000-600").parameters
PERIOD = int(_VALUES["clock.ticks_per_us"] * 1_000_000 / _VALUES["timer.hz"] + 0.5)  # ticks
PROOFS = (Proof("timer", engine=INDUCTION, depth=1, settings={"PERIOD": f"32'd{PERIOD}"}),)
MUTANTS = (
    Mutant("timer", "reset needs a tick", "(io_tick || reset)", "io_tick", 6),
    Mutant("timer", "a clock without a tick counts", "(io_tick || reset)", "1'b1", 6),
    Mutant("timer", "ticks left out bring it no nearer", "- _zz_ticked_left_1);", "- 0);", 6),
)
ROOM = Room("Timer", Path(__file__).parent, PROOFS, MUTANTS)
