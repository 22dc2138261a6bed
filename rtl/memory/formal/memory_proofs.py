# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the memory system, and how; docs/proofs.md says what it means."""

from pathlib import Path

from mcpi.proof import INDUCTION, Mutant, Proof, Room

PROOFS = (
    Proof("memory_time", engine=INDUCTION, depth=1, cut=("MemorySystem/tags",)),
    Proof(
        "bcache_tags",
        engine=INDUCTION,
        depth=1,
        probes={
            "BCacheTags": "(* anyconst *) wire [15:0] probeSet;\n"
            "wire [6:0] probe = tags[probeSet];\n"
        },
    ),
)
MUTANTS = (
    Mutant(
        "memory_time",
        "a tick passes though the data is late",
        "assign coreHolds = (core_late || ",
        "assign coreHolds = (1'b0 || ",
        12,
    ),
    Mutant(
        "memory_time",
        "a tick is withheld for data that is there",
        "assign dma_late = ((dma_busy && (! dma_done)) && ",
        "assign dma_late = (dma_busy && ",
        12,
    ),
    Mutant(
        "memory_time",
        "whoever holds last is not asked",
        "(! (|io_holds))",
        "(! io_holds[0])",
        6,
    ),
    Mutant(
        "memory_time",
        "DMA always goes first",
        "lastWasDma <= dmaChosen;",
        "lastWasDma <= 1'b0;",
        12,
    ),
    Mutant(
        "bcache_tags",
        "a read cleans a dirty block",
        "(request_write && (! entry_dirty))",
        "1'b1",
        8,
    ),
    Mutant(
        "bcache_tags",
        "DMA allocates",
        " : request_allocate);",
        " : 1'b1);",
        8,
    ),
)
ROOM = Room("MemoryBench", Path(__file__).parent, PROOFS, MUTANTS)
