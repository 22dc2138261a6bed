# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi`` before there is a tool environment: what cannot work is refused in a line or two."""

import hashlib
import re
from pathlib import Path

import pytest
from substitutes import Checkout, link


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize("below", ["", "/tools"])
def test_home_that_is_no_folder(checkout: Checkout, below: str) -> None:
    (checkout.folder.parent / "file").touch()
    home = f"{checkout.folder.parent}/file{below}"
    done = checkout.run("./mcpi", "run", MCPI_HOME=home)
    assert done.returncode == 2
    assert done.stderr.startswith(f"mcpi: {home} is no folder") and "MCPI_HOME" in done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


@pytest.mark.parametrize("version", ["3.6.9", "3.9.2", "3.10.12"])
def test_old_python(checkout: Checkout, version: str) -> None:
    """It is never shown our sources, which an old one cannot even read."""
    checkout.substitute("python3", f'[ "$1" = -c ] || exit 99; echo {version}')
    done = checkout.run("./mcpi", "run")
    assert done.returncode == 2
    assert f"{checkout.bin}/python3 is Python {version}; 3.11 or later" in done.stderr
    assert "type: PATH=" in done.stderr and done.stderr.count("\n") == 2


def test_no_python(checkout: Checkout) -> None:
    needed = ("sh", "dirname", "readlink", "mkdir", "cat", "uname", "grep", "sha256sum", "cut")
    link(checkout.bin, *needed)
    done = checkout.run("/bin/sh", "./mcpi", "run", only=True)
    assert done.returncode == 2
    assert done.stderr == "mcpi: python3 is missing. As root type: apt-get install -y python3\n"


@pytest.mark.parametrize(
    ("command", "purpose"),
    [
        ("run", "run, "),
        ("paper", "test, page jobs"),
        ("test", "test, page analysis trace jobs"),
        ("test -k x --all", "all, page analysis trace jobs"),
        ("test --all", "all, page analysis trace jobs"),
        ("sweep", "run, analysis"),
        ("compare", "run, analysis"),
        ("notebook", "run, analysis notebook"),
        ("trace", "run, trace"),
        ("setup", "test, "),
        ("setup --with notebook", "test, notebook"),
    ],
)
def test_purpose(checkout: Checkout, command: str, purpose: str) -> None:
    """`run` asks for what it needs, others for everything, some for a group of packages."""
    said = 'echo "for $MCPI_PURPOSE, $MCPI_GROUPS: $*"; exit 1'
    checkout.substitute("python3", f"case $1 in -c) echo 3.11.2;; *) {said};; esac")
    done = checkout.run("./mcpi", *command.split())
    assert done.stdout.startswith(f"for {purpose}: -B") and done.returncode == 1


def test_a_group_that_is_there_is_not_asked_for(checkout: Checkout, tmp_path: Path) -> None:
    """Whoever needs no group starts without it; who does, starts once its stamp is there."""
    checkout.substitute("python3", "case $1 in -c) echo 3.11.2;; *) echo sets up; exit 1;; esac")
    home = tmp_path / "home"
    checkout.run("./mcpi", "run", MCPI_HOME=str(home))
    found = checkout.run("sh", "-xc", ". ./mcpi", MCPI_HOME=str(home)).stderr
    env = Path(re.search(r"MCPI_ENV=(\S+)", found)[1])
    (env / "done").mkdir(parents=True)
    (env / "venv/bin").mkdir(parents=True)
    (env / "ready-run").touch()
    python = env / "venv/bin/python"
    python.write_text("#!/bin/sh\necho starts $3\n")
    python.chmod(0o755)
    assert checkout.run("./mcpi", "run", MCPI_HOME=str(home)).stdout == "starts run\n"
    assert checkout.run("./mcpi", "sweep", MCPI_HOME=str(home)).stdout == "sets up\n"
    pins = (checkout.folder / "setup/requirements-analysis.txt").read_bytes()
    (env / "done" / f"python-analysis-{hashlib.sha256(pins).hexdigest()[:12]}").touch()
    assert checkout.run("./mcpi", "sweep", MCPI_HOME=str(home)).stdout == "starts sweep\n"
    assert checkout.run("./mcpi", "notebook", MCPI_HOME=str(home)).stdout == "sets up\n"


def test_text_is_utf_8_whatever_the_locale(checkout: Checkout) -> None:
    checkout.substitute(
        "python3", 'case $1 in -c) echo 3.11.2;; *) echo "$PYTHONUTF8"; exit 1;; esac'
    )
    assert checkout.run("./mcpi", "run", LC_ALL="en_US.ISO-8859-1").stdout == "1\n"


def test_safe_path(checkout: Checkout) -> None:
    """Set-up finds its own modules even where Python is told not to look beside a script."""
    (checkout.folder / "setup" / "steps.py").write_text("raise SystemExit('steps are read')\n")
    assert checkout.run("./mcpi", "run", PYTHONSAFEPATH="1").stderr == "steps are read\n"
