# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the host link, and how; docs/verification/proofs.md says what it means."""

from pathlib import Path

from mcpi.verify.sby import INDUCTION, Proof, Room, mutants

HERE = Path(__file__).parent
PROOFS = (
    Proof("host_link", engine=INDUCTION, depth=1),
    Proof("request_ends", engine=INDUCTION, depth=1, roms=False),
)
ROOM = Room("HostLink", HERE, PROOFS, mutants(HERE))
