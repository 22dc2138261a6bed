# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the host link, and how; docs/proofs.md says what it means."""

from pathlib import Path

from mcpi.proof import INDUCTION, Mutant, Proof, Room

PROOFS = (Proof("host_link", engine=INDUCTION, depth=1),)
MUTANTS = (
    Mutant(
        "host_link",
        "the guest always goes first",
        "(hostsTurn || (! fromGuest_valid))",
        "(! fromGuest_valid)",
        30,
    ),
    Mutant(
        "host_link",
        "the host always goes first",
        "(hostsTurn || (! fromGuest_valid))",
        "1'b1",
        40,
    ),
)
ROOM = Room("HostLink", Path(__file__).parent, PROOFS, MUTANTS)
