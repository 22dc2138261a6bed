# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the core's Verilog, all in one program, and random programs in lock-step with it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run, verilator
from verify.random import configurations
from verify.verilog_mutants import VARIABLE, Mutant, load, planted

WEATHER = {"seed": 7, "interrupt-every": 200, "dma-every": 20, "slow-read-in": 8, "withhold": 0}


def faulty(settings: dict[str, str], mutants: list[Mutant]) -> Path:
    """The core's Verilog with all mistakes in it; machine.json lies beside it."""
    return planted(cocotb_run.elaborate("AlphaLite", settings=settings), mutants)


def said(
    program: Path, folder: Path, number: int, settings: dict[str, str], instructions: int
) -> str:
    """Words of lock-step, or of an assertion, about mistake ``number``; empty if nothing is
    seen."""
    wanted = configurations.Run(96, settings, WEATHER)
    env = os.environ | {VARIABLE: str(number)}
    done = configurations.execute(program, folder, wanted, instructions, "", env=env)
    return done.stderr if done.returncode else ""


def tests(
    test_file: str,
    shape: dict[str, str],
    acting: dict[str, str],
    instructions: int,
    directed: dict[str, str] | None = None,
) -> tuple[Callable, Callable, Callable]:
    """``program, test_none_without_a_mistake, test_a_mistake_is_found`` of ``<room>_mutants.csv``
    next to ``test_<room>.py``, ``test_file``.

    Random programs run on a core of ``shape`` with the run-time settings ``acting``. A mistake that
    names coroutines of the test file is theirs, on a core of ``directed``.
    """
    path = Path(test_file)
    mutants = load(path.with_name(f"{path.stem.removeprefix('test_')}_mutants.csv"))

    @pytest.fixture(scope="module")
    def program() -> Path:
        return verilator.build(faulty(shape, mutants), verilator.CORE)

    @pytest.mark.long
    def test_none_without_a_mistake(program: Path, tmp_path: Path) -> None:
        assert not (found := said(program, tmp_path, 0, shape | acting, instructions)), found

    @pytest.mark.long
    @pytest.mark.parametrize("mutant", mutants, ids=lambda mutant: mutant.title)
    def test_a_mistake_is_found(
        program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant: Mutant
    ) -> None:
        number = 1 + mutants.index(mutant)
        if not mutant.tests:
            assert (found := said(program, tmp_path, number, shape | acting, instructions))
            print(mutant.title, found.splitlines()[0])
        for name in mutant.tests:
            monkeypatch.setenv(VARIABLE, str(number))
            with pytest.raises((AssertionError, SystemExit)):
                cocotb_run.simulate(faulty(directed, mutants), path, only=name)

    return program, test_none_without_a_mistake, test_a_mistake_is_found
