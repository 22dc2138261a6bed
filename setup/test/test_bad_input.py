# SPDX-License-Identifier: BSD-2-Clause
"""Tests of set-up's words about a bad network, disk or file: where it was, what to do, and that the
next start goes on."""

import errno
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from mcpi.base import environment
from mcpi.base.repo import ROOT

sys.path.insert(0, str(ROOT / "setup"))
import bootstrap  # noqa: E402
import debian  # noqa: E402
import steps  # noqa: E402
from runner import Failed, Runner, Step  # noqa: E402

FULL = OSError(errno.ENOSPC, "No space left on device", "/some/file")


def said_of(folder: Path, action) -> str:
    """Error of a step that fails."""
    with pytest.raises(Failed) as failed:
        Runner([Step("jars", action, 1)], folder / "env").run(None)
    return str(failed.value)


def raises(error: Exception):
    """An action, or anything else that is called."""

    def call(*_) -> None:
        raise error

    return call


@pytest.mark.parametrize("error", [FULL, shutil.Error([("a", "/some/file", str(FULL))])])
def test_a_full_disk_in_a_step_that_runs_no_command(tmp_path: Path, error: OSError) -> None:
    text = said_of(tmp_path, raises(error))
    assert text.startswith("jars: ") and "/some/file" in text and "No space left" in text
    assert f"make room in {tmp_path}" in text and "MCPI_HOME" in text
    assert "The next start goes on" in text


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    text = said_of(tmp_path, raises(PermissionError(errno.EACCES, "Permission denied", "/a/file")))
    assert text == "jars: /a/file: Permission denied"


def test_a_slip_that_a_step_finds(tmp_path: Path) -> None:
    """Its lines are lines, and no Python."""
    text = said_of(tmp_path, raises(RuntimeError("Maven named no jars of 'scala'\nE: none")))
    assert text == "jars: Maven named no jars of 'scala'\nE: none"


@pytest.mark.parametrize(
    "said",
    [
        "E: Failed to fetch pool/tool_1_amd64.deb  Hash Sum mismatch",
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
        "Could not validate integrity of download: Checksum validation failed, expected 12",
    ],
)
def test_other_bytes_than_were_expected(tmp_path: Path, said: str) -> None:
    text = said_of(tmp_path, lambda _, command: command("sh", "-c", f"echo '{said}'; exit 1"))
    assert said in text and "other bytes than expected" in text
    assert "The next start fetches it anew" in text and debian.MIRROR in text
    assert "The network is the cause" not in text


METADATA = "Metadata-Version: 2.1\nName: mcpi-tried\nVersion: 1\n"


def wheel(folder: Path, text: str) -> Path:
    """A package for pip with one module."""
    path = folder / "mcpi_tried-1-py3-none-any.whl"
    info = "mcpi_tried-1.dist-info"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(zipfile.ZipInfo("mcpi_tried.py"), text)
        out.writestr(zipfile.ZipInfo(f"{info}/METADATA"), METADATA)
        out.writestr(zipfile.ZipInfo(f"{info}/WHEEL"), "Wheel-Version: 1.0\nTag: py3-none-any\n")
        out.writestr(zipfile.ZipInfo(f"{info}/RECORD"), f"mcpi_tried.py,,\n{info}/RECORD,,\n")
    return path


def test_a_wheel_with_another_hash(tmp_path: Path, monkeypatch) -> None:
    """pip installs nothing of it; when the index is mended, the next start goes on."""
    root, index = tmp_path / "checkout", tmp_path / "index"
    (root / "setup/python").mkdir(parents=True)
    index.mkdir()
    (root / "setup/pins.txt").touch()
    digest = steps.hashlib.sha256(wheel(index, "right = 1\n").read_bytes()).hexdigest()
    pins = f"mcpi-tried==1 --hash=sha256:{digest}\n"
    (root / "setup/python/exec.txt").write_text(pins)
    where = steps.Context(root, tmp_path / "env", "exec")
    where.env.mkdir()
    where.tree.symlink_to(environment.tree())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    plan = [Step("python packages", steps.python("exec"), 1, (), "python-exec")]
    wheel(index, "wrong = 1\n")
    with pytest.raises(Failed, match="(?s)python packages: failed.*mcpi_tried-1.*other bytes"):
        Runner(plan, where.env).run(where)
    modules = where.env / "venv/lib/python3.11/site-packages"
    assert not (modules / "mcpi_tried.py").exists()
    assert not (where.env / "done/python-exec").exists()
    wheel(index, "right = 1\n")
    Runner(plan, where.env).run(where)
    assert (modules / "mcpi_tried.py").exists() and (where.env / "done/python-exec").exists()


@pytest.fixture
def start(tmp_path: Path, monkeypatch, capsys):
    """start() -> status and words of a set-up that begins with nothing."""
    monkeypatch.setenv("MCPI_ENV", str(tmp_path / "home/env"))
    monkeypatch.setenv("MCPI_PURPOSE", "exec")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run"])

    def one() -> tuple[int, str]:
        return bootstrap.main(), capsys.readouterr().err

    return one


def test_a_host_without_apt(start, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    status, said = start()
    assert status == 2 and said.startswith("mcpi: apt-get is missing")
    assert "Install apt" in said and debian.MIRROR in said and "container" in said


def test_no_network_at_all(start, monkeypatch) -> None:
    monkeypatch.setenv(debian.MIRROR, "http://127.0.0.1:9/debian")
    for _ in range(2):  # the next start tries anew
        status, said = start()
        assert status == 1 and "package list: failed" in said
        assert "The network is the cause, or a proxy" in said


def test_a_full_disk_before_the_first_step(start, monkeypatch) -> None:
    monkeypatch.setattr(bootstrap, "plan", raises(FULL))
    status, said = start()
    assert status == 2 and "/some/file: No space left on device" in said
    assert "Make room there, or set MCPI_HOME" in said
