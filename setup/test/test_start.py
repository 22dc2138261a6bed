# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi`` before there is a tool environment: what cannot work is refused in a line or two."""

import hashlib
import re
import time
import tomllib
from pathlib import Path

import pytest
from setup_support.substitutes import Checkout, link

from mcpi.base.repo import ROOT


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


@pytest.mark.parametrize("version", ["2.7.18", "3.6.9", "3.8.10"])
def test_old_python(checkout: Checkout, version: str) -> None:
    """It is never shown our sources, which an old one cannot even read."""
    checkout.substitute("python3", f'[ "$1" = -c ] || exit 99; echo {version}')
    done = checkout.run("./mcpi", "run")
    assert done.returncode == 2
    assert f"{checkout.bin}/python3 is Python {version}; 3.9 or later" in done.stderr
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
        ("run", "exec, "),
        ("exec x.c --cold", "exec, "),
        ("profile", "exec, "),
        ("paper", "exec, drawing page"),
        ("test", "test, drawing page analysis trace caches docs debug c++"),
        ("test -k x --all", "all, drawing page analysis trace caches docs debug c++"),
        ("cocotb", "test, "),
        ("board load ecpix-5 --flash", "test, "),
        ("board load ecpix-5 --release r", "exec, "),
        ("board load --release=r ecpix-5", "exec, "),
        ("sweep", "exec, analysis"),
        ("notebook", "exec, analysis notebook"),
        ("trace", "exec, trace"),
        ("setup", "test, "),
        ("setup rtl", "rtl, "),
        ("setup --with notebook", "test, notebook"),
        ("setup exec --with trace", "exec, trace"),
        ("setup --with trace --with=page all --with mill", "all, trace page mill"),
    ],
)
def test_purpose(checkout: Checkout, command: str, purpose: str) -> None:
    """Each command asks for what setup/commands.conf says."""
    said = 'echo "for $MCPI_PURPOSE, $MCPI_GROUPS: $*"; exit 1'
    checkout.substitute("python3", f"case $1 in -c) echo 3.11.2;; *) {said};; esac")
    done = checkout.run("./mcpi", *command.split())
    assert done.stdout.startswith(f"for {purpose}: -B") and done.returncode == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("setup all test", "one purpose, not 'all' and 'test'"),
        ("setup exec --with", "--with wants the name of a group"),
    ],
)
def test_setup_ignores_no_word(checkout: Checkout, command: str, said: str) -> None:
    done = checkout.run("./mcpi", *command.split())
    assert done.returncode == 2 and said in done.stderr


def test_mill_is_brought_by_set_up_alone(checkout: Checkout, tmp_path: Path) -> None:
    """./mcpi mill is the environment's Mill, with the words behind it."""
    home = str(tmp_path / "home")
    done = checkout.run("./mcpi", "mill", "version", MCPI_HOME=home)
    assert done.returncode == 2
    assert done.stderr == "mcpi: Mill is missing. Type: ./mcpi setup --with mill\n"
    found = checkout.run("sh", "-xc", ". ./mcpi mill", MCPI_HOME=home).stderr
    mill = Path(re.search(r"MCPI_ENV=(\S+)", found)[1]) / "bin/mill"
    mill.parent.mkdir(parents=True)
    mill.write_text('#!/bin/sh\necho "Mill: $*"\n')
    mill.chmod(0o755)
    done = checkout.run("./mcpi", "mill", "show", "-h", MCPI_HOME=home)
    assert (done.returncode, done.stdout) == (0, "Mill: show -h\n")


def test_a_group_that_is_there_is_not_asked_for(checkout: Checkout, tmp_path: Path) -> None:
    """A command that needs no group starts without it; one that does starts once its stamp is
    there."""
    checkout.substitute("python3", "case $1 in -c) echo 3.11.2;; *) echo sets up; exit 1;; esac")
    home = tmp_path / "home"
    checkout.run("./mcpi", "run", MCPI_HOME=str(home))
    found = checkout.run("sh", "-xc", ". ./mcpi", MCPI_HOME=str(home)).stderr
    env = Path(re.search(r"MCPI_ENV=(\S+)", found)[1])
    (env / "done").mkdir(parents=True)
    (env / "venv/bin").mkdir(parents=True)
    (env / "ready-exec").touch()
    python = env / "venv/bin/python"
    python.write_text("#!/bin/sh\necho starts $3\n")
    python.chmod(0o755)
    assert checkout.run("./mcpi", "run", MCPI_HOME=str(home)).stdout == "starts run\n"
    assert checkout.run("./mcpi", "sweep", MCPI_HOME=str(home)).stdout == "sets up\n"
    pins = (checkout.folder / "setup/python/analysis.txt").read_bytes()
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


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("", 0, "Usage: ./mcpi [OPTIONS] COMMAND"),
        ("-h", 0, "Usage: ./mcpi [OPTIONS] COMMAND"),
        ("run --help", 0, "Usage: ./mcpi run "),
        ("exec x.c --cold -h", 0, "Usage: ./mcpi exec "),
        ("board build -h", 0, "Usage: ./mcpi board build "),
        ("setup --help", 0, "Usage: ./mcpi setup "),
        ("notebook -h", 0, "Usage: ./mcpi notebook "),
        ("--version", 0, "mCPI "),
        ("fly", 2, "there is no command fly. There are: baseline board "),
        ("--fly", 2, "there is no option --fly. Type: ./mcpi --help"),
        ("run --fly=3", 2, "./mcpi run has no option --fly. Type: ./mcpi run --help"),
        ("board fly", 2, "./mcpi board has no command fly. Type: ./mcpi board --help"),
    ],
)
def test_what_wants_no_tools(checkout: Checkout, words: str, status: int, said: str) -> None:
    """Help, the version and a wrong word are answered at once, without Python; nothing is made."""
    checkout.substitute("python3", "echo python3 is started >&2; exit 99")
    began = time.monotonic()
    done = checkout.run("./mcpi", *words.split())
    assert time.monotonic() - began < 2, "alone 0.1 s"
    assert done.returncode == status and said in done.stdout + done.stderr
    assert not (checkout.folder.parent / ".cache").exists()


@pytest.mark.parametrize("word", ["fly", "--fly"])
def test_a_wrong_word_where_the_tools_are(checkout: Checkout, word: str) -> None:
    """The same answer as before: Python alone takes longer to start."""
    checkout.substitute("python3", "exit 99")
    found = checkout.run("sh", "-xc", ". ./mcpi --version", MCPI_HOME="/home/of/tools").stderr
    tools = checkout.folder.parent / "tools"
    env = tools / Path(re.search(r"MCPI_ENV=(\S+)", found)[1]).name
    (env / "venv/bin").mkdir(parents=True)
    (env / "ready-exec").touch()
    python = env / "venv/bin/python"
    python.write_text("#!/bin/sh\nexit 99\n")
    python.chmod(0o755)
    done = checkout.run("./mcpi", word, MCPI_HOME=str(tools))
    assert done.returncode == 2 and word in done.stderr
    assert done.stderr == checkout.run("./mcpi", word).stderr


def test_the_version(checkout: Checkout) -> None:
    """The commit, whether there are changes, the compiler."""
    git = 'case "$*" in *rev-parse*) echo 0123abc;; *) [ ! -e changed ] || echo M x;; esac'
    checkout.substitute("git", git)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    lines = [f"mCPI {version}", "commit 0123abc", "compiler not installed yet: it comes with the"]
    said = checkout.run("./mcpi", "--version").stdout.splitlines()
    assert said == [*lines[:2], f"{lines[2]} first run"]
    (checkout.folder / "changed").touch()
    home = checkout.folder.parent / "home"
    found = checkout.run("sh", "-xc", ". ./mcpi --version", MCPI_HOME=str(home)).stderr
    record = Path(re.search(r"MCPI_ENV=(\S+)", found)[1]) / "debian/packages.txt"
    record.parent.mkdir(parents=True)
    record.write_text("gcc-12-alpha-linux-gnu 12.2.0-13cross1 amd64 00\nother 1 amd64 00\n")
    said = checkout.run("./mcpi", "--version", MCPI_HOME=str(home)).stdout.splitlines()
    lines[1:] = ["commit 0123abc, and changes", "compiler gcc-12-alpha-linux-gnu 12.2.0-13cross1"]
    assert said == lines
    checkout.substitute("git", "exit 128")
    assert "commit unknown" in checkout.run("./mcpi", "--version").stdout
