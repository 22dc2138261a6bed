# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the memory system, and how; docs/verification/proofs.md says what it means."""

from pathlib import Path

from mcpi.verify.sby import INDUCTION, Proof, Room, mutants

HERE = Path(__file__).parent
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
ROOM = Room("MemoryBench", HERE, PROOFS, mutants(HERE))
