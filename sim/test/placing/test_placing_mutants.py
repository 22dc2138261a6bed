# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the program that searches layouts: a test of the tool sees each."""

import pytest
from sim_support import planted
from tuning import test_placing as checks  # of tools/test

MISTAKES = planted.mistakes("placing_mutants")


def seeds(check, program) -> None:
    for seed in range(30):
        check(program, seed)


def replay(program, folder) -> None:
    seeds(checks.test_the_replay_agrees_with_another, program)


def loads(program, folder) -> None:
    seeds(checks.test_the_replay_of_loads_agrees_with_another, program)


def room(program, folder) -> None:
    checks.test_what_does_not_fit_is_said(program, folder)


def parted(program, folder) -> None:
    checks.test_two_that_alternate_are_parted(program)


def best(program, folder) -> None:
    checks.test_the_best_so_far_never_gets_worse(program)


FOUND = {check.__name__: check for check in (replay, loads, room, parted, best)}


@pytest.fixture(scope="module")
def program():
    return planted.program("mcpi-place")


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_a_mistake_is_found(program, mistake, monkeypatch, tmp_path) -> None:
    for name, value in mistake.environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(AssertionError):
        FOUND[mistake.how["found"]](program, tmp_path)


def test_without_one_nothing_is(program, tmp_path) -> None:
    for number, check in enumerate(FOUND.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(program, folder)
