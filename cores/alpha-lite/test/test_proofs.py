# SPDX-License-Identifier: BSD-2-Clause
"""Proofs of the core (docs/proofs.md), and for each a fault that it must not survive."""

import sys
from functools import cache
from pathlib import Path

import pytest

from mcpi import proof, testing

FORMAL = Path(__file__).resolve().parents[1] / "formal"
sys.path.insert(0, str(FORMAL))

import isa_spec  # noqa: E402
import mutants  # noqa: E402
import proofs  # noqa: E402


@cache
def core() -> str:
    """The Verilog of the core as every simulation of it uses it."""
    return testing.elaborate("AlphaLite").read_text()


@pytest.mark.parametrize("name", proofs.PROOFS)
def test_proof(name: str) -> None:
    outcome = proof.prove(proofs.PROOFS[name], FORMAL, proofs.INCLUDES, core())
    print(f"{name}: {outcome}")
    assert outcome.passed, f"{outcome}\n  again: ./mcpi test -k '{name}'"


@pytest.mark.slow
@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda m: f"{m.proof}: {m.name}")
def test_mutant_is_caught(mutant: mutants.Mutant) -> None:
    there = core().count(mutant.text)
    assert there == mutant.times, (
        f"'{mutant.text}' stands {there} times in AlphaLite.v, not {mutant.times}: "
        f"the core has changed, adapt {FORMAL.name}/mutants.py"
    )
    faulty = core().replace(mutant.text, mutant.instead)
    tried = proof.refuting(proofs.PROOFS[mutant.proof], mutant.depth)
    outcome = proof.prove(tried, FORMAL, proofs.INCLUDES, faulty)
    print(f"{mutant.proof}: {mutant.name}: {outcome}")
    assert not outcome.passed, f"{mutant.proof} is blind to this: {mutant.name}"
    assert outcome.wave != "none", outcome


def test_every_proof_has_a_mutant() -> None:
    assert {m.proof for m in mutants.MUTANTS} == set(proofs.PROOFS)


def test_call_pal_functions_are_where_the_traps_proof_has_them() -> None:
    for entry in isa_spec.entries():
        if entry["group"] == "CALL_PAL":
            function = int(entry["match_hex"], 16)
            privileged = entry["note"].startswith("privileged")
            assert function <= 0x3F if privileged else 0x80 <= function <= 0xBF, entry


def test_a_name_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    from mcpi.errors import RunError

    text = (FORMAL / "owners.sv").read_text().replace("issue_go", "issue_gone")
    (tmp_path / "owners.sv").write_text(text)
    with pytest.raises(RunError, match="core.pipeline_1.issue_gone"):
        proof.prove(proofs.PROOFS["owners"], tmp_path, proofs.INCLUDES, core())
