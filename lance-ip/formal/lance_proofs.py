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
    Proof("bus_master", engine=INDUCTION, depth=1, settings={"READY_TICKS": f"13'd{READY_TICKS}"}),
    Proof("ioasic_dma", engine=INDUCTION, depth=1),
)
MUTANTS = (
    Mutant(
        "transmit_ownership",
        "a burst beyond the buffer's end",
        "assign bytes = ((left < _zz_bytes) ? _zz_bytes_1 : room);",
        "assign bytes = room;",
        14,
    ),
    Mutant(
        "transmit_ownership",
        "a retry in the tick in which the first buffer goes back",
        "(bus_waiting || io_bus_cmd_fire)",
        "bus_waiting",
        20,
    ),
    Mutant(
        "transmit_ownership",
        "a chain goes on in a buffer that is not owned",
        "= (own && (! (io_ring_lengthLog2 == 3'b000)))",
        "= (! (io_ring_lengthLog2 == 3'b000))",
        20,
    ),
    Mutant(
        "receive_ownership",
        "a buffer's room counts what is ready, not what went",
        "left <= (left - _zz_left);",
        "left <= left;",
        16,
    ),
    Mutant(
        "receive_ownership",
        "a descriptor that is not owned is held",
        "if(own) begin",
        "if(1'b1) begin",
        12,
        times=2,
    ),
    Mutant(
        "receive_ownership",
        "RINT with the length, before OWN goes back",
        "assign io_received = (interruptDue && interrupt_over);",
        "assign io_received = ((interruptDue && interrupt_over) || (state == RxState_writeCount));",
        20,
    ),
    Mutant(
        "bus_master",
        "a write is asked for while its bytes still move",
        "(isWrite ? (state == OwnershipState_gap)",
        "(isWrite ? (state != OwnershipState_idle)",
        10,
    ),
    Mutant(
        "bus_master",
        "the wrong client is told",
        "client <= chosen;",
        "client <= 2'b01;",
        10,
    ),
    Mutant(
        "ioasic_dma",
        "a read and a write are asked for at once",
        "rReq <= (! io_chip_write);",
        "rReq <= 1'b1;",
        8,
    ),
    Mutant("ioasic_dma", "a burst never ends", "end_1 <= last;", "end_1 <= 2'b11;", 12),
)
ROOM = Room(
    "LanceOnTc", HERE, PROOFS, MUTANTS, {"ring_ghost.svh": (HERE / "ring_ghost.svh").read_text()}
)
