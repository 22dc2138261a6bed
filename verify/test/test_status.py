# SPDX-License-Identifier: BSD-2-Clause
"""Commands behind the table of status: what they run, and that only a pass writes a cell."""

import sys

import pytest

from mcpi.base.errors import RunError, UserError
from mcpi.batch import repeat
from mcpi.engines import base as engines
from mcpi.fpga import history
from mcpi.fpga import status as cells
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL
from verify import sby, status

ROOMS = [sby.room(place) for place in status.ROOMS]


def names(machine: str) -> set[str]:
    return {proof.name for _, proof in status.proofs_of(profile.load(machine), ROOMS)}


def test_each_claim_has_a_command() -> None:
    assert [*status.EACH] == [*cells.CLAIMS]


def test_each_file_of_mutants_is_there() -> None:
    for file in (*status.MUTANTS, *(f for files in status.OF_FEATURE.values() for f in files)):
        assert (status.ROOT / file).exists(), file


def test_a_machine_has_the_proofs_of_its_features() -> None:
    plain, coherent, write_back = map(names, ("dec3000-600", "dec3000-mp", "hp720"))
    assert "mesi" in coherent - plain
    assert write_back - plain and not write_back & (coherent - plain)
    assert "owners" in plain & coherent & write_back


def test_runs_are_of_the_circuit_that_the_cell_names() -> None:
    for name in profile.names():
        machine = profile.load(name)
        for experiment in status.experiments(machine):
            assert experiment.spec.machine == name
            assert cells.circuit(experiment.machine) == cells.circuit(machine), name


def test_the_rtl_can_make_each_run() -> None:
    """It has no log that engine exact alone has."""
    for name in profile.names():
        for experiment in map(repeat.on_rtl, status.experiments(profile.load(name))):
            engines.of(RTL).check(experiment.spec, experiment.machine)


@pytest.fixture
def committed(monkeypatch, tmp_path):
    file = tmp_path / "status.csv"
    file.write_text(cells.FILE.read_text())
    monkeypatch.setattr(cells, "write", lambda cell, to=file, write=cells.write: write(cell, to))
    monkeypatch.setattr(history, "commit", lambda file: "0123abc")
    return file


def test_only_a_pass_writes_a_cell(committed, monkeypatch) -> None:
    monkeypatch.setitem(status.EACH, "gates", lambda machine: status._last("ends-with", "an-error"))
    before = committed.read_text()
    with pytest.raises(RunError, match="ended with status 2; no cell"):
        status.fill("gates", "dec3000-600")
    assert committed.read_text() == before
    monkeypatch.setitem(status.EACH, "gates", lambda machine: status._last("--version"))
    assert status.fill("gates", "dec3000-600") in cells.read(committed)


def test_a_run_without_a_test_is_no_pass() -> None:
    with pytest.raises(RunError, match="no test was counted"):
        status._counted(["-c", "print('no tests ran in 0.1s')"])
    assert status._counted(["-c", "print('3 passed, 1 skipped in 0.1s')"]) == "3 passed, 1 skipped"


def test_a_claim_that_there_is_not() -> None:
    with pytest.raises(UserError, match="gate: no such claim. There are: exact, proofs"):
        status.fill("gate", "dec3000-600")


def test_without_words_the_usage(monkeypatch) -> None:
    monkeypatch.setattr(sys, "argv", ["status"])
    with pytest.raises(UserError, match="usage: ./mcpi python -m verify.status CLAIM MACHINE"):
        status.main()
