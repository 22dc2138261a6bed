# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the path-finder that its tests find (mutants.toml)."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT

HERE = Path(__file__).parent
ROWS = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]
SLOW = "test_finding"  # it builds images
# The package's modules are looked for in the changed copy first.
START = "import sys, mcpi, pytest; mcpi.__path__.insert(0, sys.argv[1]); "
START += "sys.exit(pytest.main(['-q', '-x', '-m', 'not long', *sys.argv[2:]]))"


def _row(row: list[str]):
    return pytest.param(*row, id=row[0], marks=pytest.mark.long if row[4] == SLOW else ())


def run_tests(tmp_path: Path, change: tuple[str, str, str], file: str, name: str):
    """The tests of a name, with a module of which a text has become another."""
    copy = tmp_path / "pathfinding"
    shutil.copytree(ROOT / "tools" / "mcpi" / "pathfinding", copy)
    module, old, new = change
    text = (copy / f"{module}.py").read_text()
    assert text.count(old) == 1, f"{module}: this text stands there {text.count(old)} times: {old}"
    (copy / f"{module}.py").write_text(text.replace(old, new))
    words = [sys.executable, "-c", START, tmp_path, HERE / f"{file}.py", "-k", name]
    return subprocess.run(
        list(map(str, words)), cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_without_a_mistake_nothing_fails(tmp_path: Path) -> None:
    done = run_tests(
        tmp_path, ("bits", "decides >> n & 1", "decides >> n & 1 "), "test_bits", "test"
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("mistake", "module", "old", "new", "file", "name"), [*map(_row, ROWS)])
def test_mutant(
    mistake: str, module: str, old: str, new: str, file: str, name: str, tmp_path: Path
) -> None:
    done = run_tests(tmp_path, (module, old, new), file, name)
    assert done.returncode == 1, f"{mistake}: no test finds it\n{done.stdout}{done.stderr}"
    assert "1 failed" in done.stdout, done.stdout
