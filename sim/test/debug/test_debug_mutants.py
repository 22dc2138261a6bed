# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the debugger: a check of its test sees each."""

import dataclasses
from pathlib import Path
from subprocess import TimeoutExpired

import pytest
from sim_support import planted
from sim_support.debugging import checks, prepared

MISTAKES = planted.mistakes("debug_mutants")
SEEN = (AssertionError, AttributeError, IndexError, StopIteration, TypeError, ValueError)
SEEN += (TimeoutExpired,)
OF_SEVERAL = (*checks.OF_STACK, *checks.OF_TWO, *checks.OF_CORES)
CHECKS = {check.__name__: check for check in (*checks.ALL, *OF_SEVERAL)}


def asked(name: str, place: Path, server: Path) -> None:
    """A check of the program that it is for, with this server."""
    check = CHECKS[name]
    check(dataclasses.replace(prepared(checks.spec_of(check), place), server=server))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_mistake_is_found(mistake, tmp_path, monkeypatch):
    for name, value in mistake.environment.items():
        monkeypatch.setenv(name, value)
    server = planted.program("mcpi-debug")
    with pytest.raises(SEEN):
        asked(mistake.how["found"], tmp_path / "run", server)


@pytest.mark.parametrize("name", sorted({mistake.how["found"] for mistake in MISTAKES}))
def test_without_a_mistake_nothing_is_found(name, tmp_path):
    asked(name, tmp_path / "run", planted.program("mcpi-debug"))
