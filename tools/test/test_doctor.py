# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi doctor`` tries what it says works."""

from pathlib import Path

from mcpi.base import doctor
from mcpi.base.repo import ROOT
from mcpi.engines.board.program import LOADER


def test_a_simulation_starts() -> None:
    assert doctor.simulation()[0] == "starts"


def test_without_libpython(tmp_path: Path, monkeypatch) -> None:
    """cocotb's own search finds none: the package is named."""
    (tmp_path / "find_libpython.py").write_text("def find_libpython():\n    return None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    version, _, fix = doctor.simulation()
    assert version is None and fix == "apt-get install libpython3-dev"


def test_what_else_stops_a_simulation(tmp_path: Path, monkeypatch) -> None:
    program = tmp_path / "verilator"
    program.write_text("#!/bin/sh\necho 'no such model' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    version, _, fix = doctor.simulation()
    assert version is None and "can_simulate.py" in fix


def test_a_download_without_git(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    version, _, why = doctor.source()
    assert version is None and "not a git repository" in why
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.source()[2] == "apt-get install git"


def test_it_looks_for_what_set_up_brings_and_for_what_a_board_wants() -> None:
    """Every package that it names is in setup/packages.txt, but for those one can do without."""
    rows = (ROOT / "setup" / "packages.txt").read_text().splitlines()
    brought = {row.split()[0] for row in rows if row and row[0] != "#"}
    for tool in doctor.TOOLS:
        assert tool.optional or set(tool.package.split()) <= brought, tool.command
    commands = {tool.command for tool in doctor.TOOLS}
    assert {LOADER, "git", "ip", "nc", "qemu-alpha", "make"} <= commands
