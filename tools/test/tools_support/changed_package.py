# SPDX-License-Identifier: BSD-2-Clause
"""Tests with a mistake in a module of tools/mcpi: a process of their own finds the package that has
the module in a changed copy first."""

import shutil
import subprocess
import sys
from pathlib import Path

from mcpi.base.repo import ROOT

START = "import sys, mcpi, pytest; mcpi.__path__.insert(0, sys.argv[1]); "
START += "sys.exit(pytest.main(['-q', '-x', '-m', 'not long', *sys.argv[2:]]))"


def run_tests(
    tmp_path: Path, change: tuple[str, str, str], file: Path, name: str
) -> subprocess.CompletedProcess:
    """The tests of a name in ``file``, with a module, ``package/module``, of which a text has
    become another."""
    module, old, new = change
    package = Path(module).parts[0]
    shutil.copytree(ROOT / "tools" / "mcpi" / package, tmp_path / package)
    path = tmp_path / f"{module}.py"
    text = path.read_text()
    assert text.count(old) == 1, f"{module}: this text stands there {text.count(old)} times: {old}"
    path.write_text(text.replace(old, new))
    words = [sys.executable, "-c", START, tmp_path, file, "-k", name]
    return subprocess.run(
        list(map(str, words)), cwd=ROOT, capture_output=True, text=True, check=False
    )
