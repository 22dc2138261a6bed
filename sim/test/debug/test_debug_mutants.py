# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the debugger: a check of its test sees each."""

import dataclasses
import shlex
from pathlib import Path
from subprocess import TimeoutExpired

import pytest
from sim_support import debugging, planted
from sim_support.debugging import checks, prepared

MISTAKES = planted.mistakes("debug_mutants")
SEEN = (AssertionError, AttributeError, IndexError, StopIteration, TypeError, ValueError)
SEEN += (TimeoutExpired,)
OF_SEVERAL = (*checks.OF_STACK, *checks.OF_TWO, *checks.OF_CORES)
CHECKS = {check.__name__: check for check in (*checks.ALL, *OF_SEVERAL)}
MOST = 2  # seconds of a processor; without a mistake no check takes the server a third of one
LONGEST = 40  # seconds of a script; without a mistake some three


@pytest.fixture(autouse=True)
def no_long_wait(monkeypatch):
    """A mistake may let GDB and its target wait for each other for ever."""
    monkeypatch.setattr(debugging, "LONGEST", LONGEST)


def limited(server: Path, place: Path) -> Path:
    """A program that is the server, and ends after ``MOST``: a mistake may lead GDB in a circle."""
    place.write_text(f'#!/bin/sh\nulimit -t {MOST}\nexec {shlex.quote(str(server))} "$@"\n')
    place.chmod(0o755)
    return place


def asked(name: str, place: Path, server: Path) -> None:
    """A check of the program that it is for, with this server."""
    check = CHECKS[name]
    run = prepared(checks.spec_of(check), place / "run")
    check(dataclasses.replace(run, server=limited(server, place / "server")))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_mistake_is_found(mistake, tmp_path, monkeypatch):
    for name, value in mistake.environment.items():
        monkeypatch.setenv(name, value)
    server = planted.program("mcpi-debug")
    with pytest.raises(SEEN):
        asked(mistake.how["found"], tmp_path, server)


@pytest.mark.parametrize("name", sorted({mistake.how["found"] for mistake in MISTAKES}))
def test_without_a_mistake_nothing_is_found(name, tmp_path):
    asked(name, tmp_path, planted.program("mcpi-debug"))
