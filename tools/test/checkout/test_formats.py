# SPDX-License-Identifier: BSD-2-Clause
"""Formatters and linters; what fails says how to put it right."""

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.hdl import scala

C_SOURCES = ("*.c", "*.h", "*.cc", "*.cpp")
CHECKS = {
    "ruff format": ("ruff", "format", "--check", "-q", "."),
    "ruff check": ("ruff", "check", "-q", "--output-format=concise", "."),
    "clang-format": ("clang-format", "--dry-run", "-Werror"),
}
REPAIR = {"ruff format": "ruff format", "clang-format": "clang-format -i <the files above>"}


def c_files() -> list[str]:
    """C and C++ files below a room that has a .clang-format of its own or from the checkout."""
    words = ["git", "ls-files", "--", *C_SOURCES]
    done = heard(words, cwd=ROOT, check=True)
    found = [ROOT / name for name in done.stdout.splitlines()]
    return [str(f) for f in found if any((p / ".clang-format").exists() for p in f.parents)]


@pytest.mark.parametrize("name", CHECKS)
def test_formats(name: str) -> None:
    files = c_files() if name == "clang-format" else []
    assert files or name != "clang-format"
    words = [*CHECKS[name], *files]
    done = heard(words, cwd=ROOT)
    said = "\n".join((done.stdout + done.stderr).splitlines()[:40])
    repair = f"\nto put it right: {REPAIR[name]}" if name in REPAIR else ""
    assert not done.returncode, said + repair


WIDE, COLUMNS = (*C_SOURCES, "*.py", "*.scala", "*.S", "*.toml"), 100


def too_wide(files: list[str]) -> list[str]:
    """Lines of more characters than there are columns."""
    return [
        f"{name}:{number}: {len(line)} columns"
        for name in files
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1)
        if len(line) > COLUMNS
    ]


def test_formats_columns() -> None:
    """Check comments too, which the formatters leave alone."""
    words = ["git", "ls-files", "--", *WIDE]
    done = heard(words, cwd=ROOT, check=True)
    files = done.stdout.splitlines()
    assert {name.rpartition(".")[2] for name in files} == {w.rpartition(".")[2] for w in WIDE}
    assert not (found := too_wide(files)), "\n".join(found)


def test_formats_a_line_too_wide_is_seen(tmp_path) -> None:
    place = tmp_path / "wide.c"
    place.write_text(f"/* {'ü' * 94} */\n// {'x' * 98}\n")
    assert too_wide([str(place)]) == [f"{place}:2: 101 columns"]


def test_formats_of_scala() -> None:
    said = scala.unformatted()
    assert not said, "\n".join([*said[-20:], "to put it right: scalafmt <the files above>"])
