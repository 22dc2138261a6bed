# SPDX-License-Identifier: BSD-2-Clause
"""Proofs of the core (proofs.md), and for each a fault that it must not survive."""

from pathlib import Path

import pytest

from mcpi.isa import table
from verify import sby, sby_tests

FORMAL = Path(__file__).resolve().parents[1] / "formal"

test_proof, test_mutant_is_caught, test_every_proof_has_a_mutant = sby_tests.tests(__file__)


def test_call_pal_functions_are_where_the_traps_proof_has_them() -> None:
    for row in table.of_group("call"):
        privileged = row.mode == "kernel"
        assert row.function <= 0x3F if privileged else 0x80 <= row.function <= 0xBF, row


def test_a_name_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    from mcpi.base.errors import RunError

    text = (FORMAL / "execute/owners.sv").read_text().replace("issue_issues", "issue_gone")
    (tmp_path / "owners.sv").write_text(text)
    room = sby.room(FORMAL)
    with pytest.raises(RunError, match="core.pipeline_1.issue_gone"):
        sby.prove(room.named("owners"), tmp_path, room.includes, sby_tests.verilog("AlphaLite"))
