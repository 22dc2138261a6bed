# SPDX-License-Identifier: BSD-2-Clause
"""Tests mirror the sources: the test of ``tools/mcpi/fpga/report.py`` is in
``tools/test/fpga/test_report.py``, and in ``test_report_….py`` if it is more than a file."""

import subprocess
from collections import Counter
from pathlib import Path, PurePath

import pytest

from mcpi.base.repo import ROOT

MIRRORED = {"tools/test": "tools/mcpi", "verify/test": "verify"}
OTHERS = {"checkout", "wireshark"}  # tests of the whole checkout; of tools/wireshark
MOST = 25  # files in a folder


def stray(tests: Path, sources: Path) -> list[str]:
    """Tests whose name begins with no module of their package."""
    found = []
    for path in sorted(tests.rglob("test_*.py")):
        package = path.parent.relative_to(tests)
        name = path.stem.removeprefix("test_")
        there = [p for p in (sources / package).glob("*") if p.suffix == ".py" or p.is_dir()]
        modules = {p.stem.removeprefix("test_") for p in there}
        modules.add(package.name)  # of several modules of the package
        mirrored = any(name == m or name.startswith(f"{m}_") for m in modules)
        if package.parts[:1] not in [(other,) for other in OTHERS] and not mirrored:
            found.append(str(path.relative_to(tests)))
    return found


@pytest.mark.parametrize("tests", MIRRORED)
def test_tests_mirror_the_modules(tests: str) -> None:
    assert not stray(ROOT / tests, ROOT / MIRRORED[tests])


def test_a_test_of_no_module_is_found(tmp_path: Path) -> None:
    for name in ("src/a/b.py", "test/a/test_b.py", "test/a/test_b_more.py", "test/a/test_a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert not stray(tmp_path / "test", tmp_path / "src")
    for name in ("test/a/test_c.py", "test/test_b.py", "test/checkout/test_d.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert stray(tmp_path / "test", tmp_path / "src") == ["a/test_c.py", "test_b.py"]


@pytest.mark.parametrize("room", ["tools", "verify"])
def test_no_folder_is_flat(room: str) -> None:
    """Nobody finds a file among a hundred."""
    words = ["git", "ls-files", "-co", "--exclude-standard", room]
    paths = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    counts = Counter(str(PurePath(path).parent) for path in paths.splitlines())
    assert not {folder: count for folder, count in counts.items() if count > MOST}
