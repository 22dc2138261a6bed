# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in kernel, protocols and driver (mutants.toml): the case that is named finds each."""

import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from host_build import FIRMWARE, KERNEL, OUT, TEST, case_names, host_tests_of, write
from test_driver_errors import BUILDS, DENSE, DRIVER, ROOM, driver_tests_of


@dataclass(frozen=True)
class Mutant:
    """A row of ``mutants.toml``."""

    name: str
    file: str
    old: str
    new: str
    case: str
    dense: bool = False  # the driver with dense wiring

    def text(self) -> str:
        source = (FIRMWARE / self.file).read_text()
        assert source.count(self.old) == 1, f"{self.name}: does not apply to {self.file}"
        return source.replace(self.old, self.new)

    def program(self) -> Path:
        """The cases, with the mistake in the place of its file."""
        right = FIRMWARE / self.file
        folder = OUT / "mutants" / self.name.replace(" ", "-").replace("'", "")
        write(folder / right.name, self.text())
        wrong = [folder / right.name]
        if right in DRIVER:
            driver = [p for p in DRIVER if p != right] + wrong
            return driver_tests_of(driver, DENSE if self.dense else BUILDS[0], folder)
        return host_tests_of([p for p in KERNEL if p != right] + wrong, folder)


ROWS = tomllib.loads((TEST / "mutants.toml").read_text())["mutant"]
MUTANTS = [Mutant(**row) for row in ROWS]


def test_each_applies_and_names_a_case() -> None:
    cases = {*case_names(), *case_names(ROOM)}
    for mutant in MUTANTS:
        assert mutant.text() and mutant.case in cases, mutant.name
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_its_case_finds_it(mutant: Mutant) -> None:
    program = mutant.program()
    try:
        done = subprocess.run([program, mutant.case], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return  # it hangs
    assert done.returncode not in (0, 2), f"{mutant.case} does not find it"
