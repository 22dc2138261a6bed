# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the path-finder that its tests find (mutants.toml)."""

import tomllib
from pathlib import Path

import pytest
from tools_support.changed_package import run_tests

HERE = Path(__file__).parent
ROWS = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]
SLOW = "test_finding"  # it builds images


def _row(row: list[str]):
    return pytest.param(*row, id=row[0], marks=pytest.mark.long if row[4] == SLOW else ())


def _done(tmp_path: Path, module: str, old: str, new: str, file: str, name: str):
    return run_tests(tmp_path, (f"pathfinding/{module}", old, new), HERE / f"{file}.py", name)


def test_without_a_mistake_nothing_fails(tmp_path: Path) -> None:
    same = ("bits", "decides >> n & 1", "decides >> n & 1 ")
    done = _done(tmp_path, *same, "test_bits", "test")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("mistake", "module", "old", "new", "file", "name"), [*map(_row, ROWS)])
def test_mutant(
    mistake: str, module: str, old: str, new: str, file: str, name: str, tmp_path: Path
) -> None:
    done = _done(tmp_path, module, old, new, file, name)
    assert done.returncode == 1, f"{mistake}: no test finds it\n{done.stdout}{done.stderr}"
    assert "1 failed" in done.stdout, done.stdout
