# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the LANCE's rings and bus, and how; docs/proofs.md says what it means."""

from pathlib import Path

from mcpi import machine
from mcpi.proof import INDUCTION, Mutant, Proof, Room

HERE = Path(__file__).parent
READY_TICKS = 256 * machine.load("dec3000-600").parameters["clock.ticks_per_us"] // 10  # 25.6 us
PROOFS = (
    Proof("transmit_ownership", engine=INDUCTION, depth=1),
    Proof("receive_ownership", engine=INDUCTION, depth=1),
    Proof(
        "bus_master", engine=INDUCTION, depth=1, settings={"READY_TICKS": f"13'd{READY_TICKS}"}
    ),
)
MUTANTS = (
    Mutant(
        "transmit_ownership",
        "a burst beyond the buffer's end",
        "assign bytes = ((left < _zz_bytes) ? _zz_bytes_1 : room);",
        "assign bytes = room;",
        14,
    ),
)
ROOM = Room("LanceOnTc", HERE, PROOFS, MUTANTS, {"ring_ghost.svh": (HERE / "ring_ghost.svh").read_text()})
