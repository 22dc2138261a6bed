# SPDX-License-Identifier: BSD-2-Clause
"""Tests of a room's proofs: each proof holds, each mutant is caught, no proof is without a
mutant."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run
from verify import sby, verilog_mutants
from verify.long_tests import sampled
from verify.sby import Room
from verify.verilog_mutants import Mutant

SOON = 10  # ticks: what shows later takes the solver seconds


def tests(test_file: str) -> tuple[Callable, Callable, Callable]:
    """``test_proof, test_mutant_is_caught, test_every_proof_has_a_mutant`` of the folder ``formal``
    next to that of ``test_file``."""
    room = sby.room(Path(test_file).resolve().parents[1] / "formal")

    @pytest.mark.parametrize("name", proofs(room))
    def test_proof(name: str) -> None:
        check(room, name)

    @pytest.mark.slow
    @pytest.mark.parametrize("mutant", mutants(room), ids=lambda m: f"{m.proof}: {m.reason}")
    def test_mutant_is_caught(mutant: Mutant) -> None:
        check_mutant(room, mutant)

    def test_every_proof_has_a_mutant() -> None:
        assert {m.proof for m in room.mutants} == {p.name for p in room.proofs}

    return test_proof, test_mutant_is_caught, test_every_proof_has_a_mutant


def proofs(room: Room) -> list:
    """Names. Long are those that say so, and of a module that is proven with several settings all
    but the last."""
    last = {p.module: p.name for p in room.proofs}
    long = {p.name for p in room.proofs if p.long or p.name != last[p.module]}
    return sampled([p.name for p in room.proofs], lambda name: name not in long)


def mutants(room: Room) -> list:
    """Mutants of all proofs. The one of each proof that shows soonest is short, if that is
    ``SOON``; the others are long."""
    soonest = {m.proof: m for m in sorted(room.mutants, key=lambda m: m.depth, reverse=True)}
    return sampled(room.mutants, lambda m: m is soonest[m.proof] and m.depth <= SOON)


@cache
def verilog(block: str, machine: tuple[tuple[str, str], ...] = (), name: str = sby.MACHINE) -> str:
    """The Verilog of ``block`` as every simulation of it uses it."""
    return cocotb_run.elaborate(block, name, dict(machine)).read_text()


def _verilog(proof: sby.Proof) -> str:
    return verilog(proof.block, tuple(proof.machine.items()), proof.on)


def check(room: Room, name: str) -> None:
    """Prove ``name``, or fail with the assertion and the wave."""
    proof = room.named(name)
    outcome = sby.prove(proof, room.folder, room.includes, _verilog(proof))
    print(f"{name}: {outcome}")
    assert outcome.passed, str(outcome)
    if "REFUTING" in sby.source(room.folder, proof).read_text():
        check_not_refuted(room, proof)


def check_not_refuted(room: Room, proof: sby.Proof) -> None:
    """A search that begins elsewhere than at reset finds nothing wrong with the right circuit."""
    depth = max(m.depth for m in room.mutants if m.proof == proof.name)
    outcome = sby.prove(sby.refuting(proof, depth), room.folder, room.includes, _verilog(proof))
    assert outcome.passed, f"without a mutant, of {depth} ticks: {outcome}"


def check_mutant(room: Room, mutant: Mutant) -> None:
    """Put the fault in; bounded model checking must find it."""
    proof = room.named(mutant.proof)
    faulty = verilog_mutants.faulty(_verilog(proof), mutant)
    tried = sby.refuting(proof, mutant.depth)
    outcome = sby.prove(tried, room.folder, room.includes, faulty)
    print(f"{mutant.proof}: {mutant.reason}: {outcome}")
    assert not outcome.passed, f"{mutant.proof} is blind to this: {mutant.reason}"
    assert outcome.wave != "none", outcome
