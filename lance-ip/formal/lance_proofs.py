# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the LANCE's rings and bus, and how; docs/proofs.md says what it means."""

from pathlib import Path

from mcpi import machine
from mcpi.proof import INDUCTION, Mutant, Proof, Room

HERE = Path(__file__).parent
READY_TICKS = 256 * machine.load("dec3000-600").parameters["clock.ticks_per_us"] // 10  # 25.6 us
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
MUTANTS = (
    Mutant(
        "transmit_ownership",
        "a burst beyond the buffer's end",
        "plan_size <= (plan_ends ? plan_remain[4 : 0] : plan_room);",
        "plan_size <= plan_room;",
        24,
        times=2,
    ),
    Mutant(
        "transmit_ownership",
        "a retry in the tick in which the first buffer goes back",
        "(bus_waiting || io_bus_cmd_fire)",
        "bus_waiting",
        32,
    ),
    Mutant(
        "transmit_ownership",
        "a chain goes on in a buffer that is not owned",
        "= (own && (! (io_ring_lengthLog2 == 3'b000)))",
        "= (! (io_ring_lengthLog2 == 3'b000))",
        32,
    ),
    Mutant(
        "transmit_ownership",
        "behind a descriptor that went back the chip asks for the same again",
        "TxState_release_1 : begin\n        _zz_ahead = bus_waiting;",
        "TxState_release_1 : begin\n        _zz_ahead = 1'b0;",
        20,
    ),
    Mutant(
        "receive_ownership",
        "a buffer's room does not shrink",
        "io_bus_word[11 : 0] : _zz_plan_less);",
        "io_bus_word[11 : 0] : 12'h0);",
        26,
        times=2,
    ),
    Mutant(
        "receive_ownership",
        "a descriptor that is not owned is held",
        "if(own) begin",
        "if(1'b1) begin",
        20,
        times=2,
    ),
    Mutant(
        "receive_ownership",
        "RINT with the length, before OWN goes back",
        "assign io_received = (interruptDue && interrupt_over);",
        "assign io_received = ((interruptDue && interrupt_over) || (state == RxState_writeCount));",
        32,
    ),
    Mutant(
        "block_read",
        "INIT reads the block under live rings",
        "((! initBusy) && (! rxOn)) && (! txOn)",
        "(! initBusy)",
        80,
    ),
    Mutant(
        "block_read",
        "a block that is being read counts as read",
        "initialized <= 1'b0;\n                running <= 1'b0;",
        "running <= 1'b0;",
        80,
    ),
    Mutant(
        "bus_master",
        "a write is asked for while its bytes still move",
        "requesting <= ((|wants) && ((offered_kind == BusKind_readWord) || "
        "(offered_kind == BusKind_readBurst)));",
        "requesting <= (|wants);",
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
        "bus_master",
        "the wiring gets the longword that moved last, not the one it asks for",
        "assign at = (moving ? lane[3 : 2] : io_memory_lane);",
        "assign at = lane[3 : 2];",
        10,
    ),
    Mutant(
        "bus_master",
        "a burst ends one byte beyond what was asked for",
        "assign _zz_io_memory_last = (_zz_io_memory_last_1 - 5'h01);",
        "assign _zz_io_memory_last = _zz_io_memory_last_1;",
        10,
    ),
    Mutant(
        "bus_master",
        "what comes on the bus is stored by writes, not by reads",
        "assign arrives = ((requesting && (! isWrite)) && io_memory_readValid);",
        "assign arrives = ((requesting && isWrite) && io_memory_readValid);",
        10,
    ),
    Mutant(
        "ioasic_dma",
        "a read and a write are asked for at once",
        "rReq <= (! io_chip_write);",
        "rReq <= 1'b1;",
        8,
    ),
    Mutant(
        "ioasic_dma",
        "a burst goes on to the piece's end",
        "end_1 <= (io_chip_single ? 2'b00 : io_chip_last[3 : 2]);",
        "end_1 <= 2'b11;",
        12,
    ),
    Mutant(
        "ioasic_dma",
        "a write is answered one longword too late",
        "ended <= (lane == end_1);",
        "ended <= (lane == (end_1 + 2'b01));",
        12,
        times=2,
    ),
    Mutant(
        "ioasic_dma",
        "the chip is shown another lane than the one that moves",
        "assign io_chip_lane = lane;",
        "assign io_chip_lane = end_1;",
        12,
    ),
)
ROOM = Room(
    "LanceOnTc", HERE, PROOFS, MUTANTS, {"ring_ghost.svh": (HERE / "ring_ghost.svh").read_text()}
)
