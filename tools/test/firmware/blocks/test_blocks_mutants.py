# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the order of blocks that its tests find (mutants.toml)."""

import tomllib
from pathlib import Path

import pytest
from tools_support.changed_package import run_tests

HERE = Path(__file__).parent
ROWS = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]


@pytest.mark.parametrize(("mistake", "module", "old", "new", "file", "name"), ROWS)
def test_mutant(
    mistake: str, module: str, old: str, new: str, file: str, name: str, tmp_path: Path
) -> None:
    change = (f"firmware/blocks/{module}", old, new)
    done = run_tests(tmp_path, change, HERE / f"{file}.py", name)
    assert done.returncode == 1, f"{mistake}: no test finds it\n{done.stdout}{done.stderr}"
    assert " failed" in done.stdout, done.stdout
