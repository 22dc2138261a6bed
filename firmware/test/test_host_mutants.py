# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in kernel, protocols and driver (mutants.toml): the case that is named finds each."""

import subprocess
from pathlib import Path

import pytest
from firmware_support import faults
from firmware_support.driver_build import BUILDS, CLASSIFIER, DENSE, DRIVER, ROOM, driver_tests_of
from firmware_support.host_build import KERNEL, OUT, TEST, case_names, host_tests_of

from mcpi.base.process import heard

MUTANTS = faults.read(TEST / "mutants.toml")


def program(mutant: faults.Fault) -> Path:
    """The cases, with the mistake in the place of its file."""
    folder = OUT / "mutants" / mutant.folder
    if mutant.file in DRIVER:
        wiring = DENSE if mutant.how.get("dense") else BUILDS[0]
        wiring = CLASSIFIER if mutant.how.get("classifier") else wiring
        return driver_tests_of(mutant.among(DRIVER, folder), wiring, folder)
    return host_tests_of(mutant.among(KERNEL, folder), folder)


def test_each_applies_and_names_a_case() -> None:
    cases = {*case_names(), *case_names(ROOM)}
    for mutant in MUTANTS:
        assert mutant.text() and mutant.how["case"] in cases, mutant.name
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_its_case_finds_it(mutant: faults.Fault) -> None:
    case = mutant.how["case"]
    try:
        done = heard([program(mutant), case], timeout=60)
    except subprocess.TimeoutExpired:
        return  # it hangs
    assert done.returncode not in (0, 2), f"{case} does not find it"
