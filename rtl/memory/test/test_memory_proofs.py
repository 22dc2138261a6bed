# SPDX-License-Identifier: BSD-2-Clause
"""Proofs of the memory system (docs/proofs.md), and for each a fault that it must not survive."""

import sys
from pathlib import Path

import pytest

from mcpi import proof_tests
from mcpi.proof import Mutant

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "formal"))

from memory_proofs import ROOM  # noqa: E402


@pytest.mark.parametrize("name", [p.name for p in ROOM.proofs])
def test_proof(name: str) -> None:
    proof_tests.check(ROOM, name)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", ROOM.mutants, ids=proof_tests.name_of)
def test_mutant_is_caught(mutant: Mutant) -> None:
    proof_tests.check_mutant(ROOM, mutant)


def test_every_proof_has_a_mutant() -> None:
    proof_tests.check_complete(ROOM)
