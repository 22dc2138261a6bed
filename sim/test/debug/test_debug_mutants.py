# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the debugger: a check of its test sees each."""

import dataclasses

import pytest
from sim_support import debug_checks, planted
from sim_support.debugging import prepared

from mcpi.spec.program_spec import ProgramSpec

MISTAKES = planted.mistakes("debug_mutants")
CHECKS = {check.__name__: check for check in debug_checks.ALL}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("debug") / "run"
    right = prepared(ProgramSpec((str(debug_checks.PROGRAM),)), place)
    return dataclasses.replace(right, server=planted.program("mcpi-debug"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_mistake_is_found(mistake, run, monkeypatch):
    for name, value in mistake.environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises((AssertionError, AttributeError, IndexError, TypeError, ValueError)):
        CHECKS[mistake.how["found"]](run)


@pytest.mark.parametrize("name", sorted({mistake.how["found"] for mistake in MISTAKES}))
def test_without_a_mistake_nothing_is_found(name, run):
    CHECKS[name](run)
