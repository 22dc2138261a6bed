# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the LANCE's rings and bus, and how; proofs.md says what it means."""

from pathlib import Path

from mcpi.machine import profile
from mcpi.verify.sby import INDUCTION, Proof, Room, mutants

HERE = Path(__file__).parent
READY_TICKS = 256 * profile.load("dec3000-600").parameters["clock.ticks_per_us"] // 10  # 25.6 us
PIECE = ", ".join(f"piece_symbol{n}[{at}]" for at in (3, 2, 1, 0) for n in (3, 2, 1, 0))
PROOFS = (
    Proof("transmit_ownership", engine=INDUCTION, depth=1, roms=False),
    Proof("receive_ownership", engine=INDUCTION, depth=1, roms=False),
    Proof("block_read", engine=INDUCTION, depth=1, roms=False),
    Proof(
        "bus_master",
        engine=INDUCTION,
        depth=1,
        settings={"READY_TICKS": f"13'd{READY_TICKS}"},
        probes={"BusMaster": f"  wire [127:0] pieceNow = {{{PIECE}}};\n"},
    ),
    Proof("ioasic_dma", engine=INDUCTION, depth=1),
)
GHOST = {"ring_ghost.svh": (HERE / "ring_ghost.svh").read_text()}
ROOM = Room("LanceOnTc", HERE, PROOFS, mutants(HERE), GHOST)
