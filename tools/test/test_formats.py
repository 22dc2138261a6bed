# SPDX-License-Identifier: BSD-2-Clause
"""Formatters and linters; what fails says how to put it right."""

import subprocess

import pytest

from mcpi.base.repo import ROOT
from mcpi.hdl import scala

C_SOURCES = ("*.c", "*.h", "*.cpp")
CHECKS = {
    "ruff format": ("ruff", "format", "--check", "-q", "."),
    "ruff check": ("ruff", "check", "-q", "--output-format=concise", "."),
    "clang-format": ("clang-format", "--dry-run", "-Werror"),
}
REPAIR = {"ruff format": "ruff format", "clang-format": "clang-format -i <the files above>"}


def c_files() -> list[str]:
    """C and C++ files below a room that has a .clang-format of its own or from the checkout."""
    words = ["git", "ls-files", "--", *C_SOURCES]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    found = [ROOT / name for name in done.stdout.splitlines()]
    return [str(f) for f in found if any((p / ".clang-format").exists() for p in f.parents)]


@pytest.mark.parametrize("name", CHECKS)
def test_formats(name: str) -> None:
    files = c_files() if name == "clang-format" else []
    assert files or name != "clang-format"
    words = [*CHECKS[name], *files]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    said = "\n".join((done.stdout + done.stderr).splitlines()[:40])
    repair = f"\nto put it right: {REPAIR[name]}" if name in REPAIR else ""
    assert not done.returncode, said + repair


def test_formats_of_scala() -> None:
    said = scala.unformatted()
    assert not said, "\n".join([*said[-20:], "to put it right: scalafmt <the files above>"])
