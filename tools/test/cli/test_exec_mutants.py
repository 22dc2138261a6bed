# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes around programs of one's own that their tests find (exec_mutants.toml)."""

import tomllib
from pathlib import Path

import pytest
from tools_support.changed_package import run_tests

from mcpi.base.repo import ROOT

ROWS = tomllib.loads(Path(__file__).with_name("exec_mutants.toml").read_text())["mutant"]


@pytest.mark.parametrize(
    ("mistake", "module", "old", "new", "file", "name"), ROWS, ids=[row[0] for row in ROWS]
)
def test_mutant(
    mistake: str, module: str, old: str, new: str, file: str, name: str, tmp_path: Path
) -> None:
    path = ROOT / "tools" / "test" / f"{file}.py"
    done = run_tests(tmp_path, (module, old, new), path, name)
    assert done.returncode == 1, f"{mistake}: no test finds it\n{done.stdout}{done.stderr}"
    assert "1 failed" in done.stdout, done.stdout
