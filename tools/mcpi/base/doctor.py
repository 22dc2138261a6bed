# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi doctor``: what is here, what is missing, what to type."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.base import environment, staging
from mcpi.base.process import heard, said
from mcpi.base.progress import counted
from mcpi.base.repo import RESULTS, ROOT


@dataclass(frozen=True)
class Tool:
    """A program we call. ``purpose``: which purpose of set-up brings it; none, if the host must.
    ``wanted``: versions that are known to work, as a pattern, or any."""

    command: str
    use: str
    purpose: str = ""
    wanted: str = ""
    version: Sequence[str] = ("--version",)
    fix: str = ""
    optional: bool = False

    @property
    def typed(self) -> str:
        """The command that brings the tool where it is missing."""
        return self.fix or f"./mcpi setup {self.purpose}"


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
TOOLS = tuple(Tool(**row) for row in _DATA["tool"])
PURPOSES, PYTHON = _DATA["purposes"], _DATA["python"]


def _asked(words: Sequence[object], **how) -> tuple[int, str]:
    done = heard(words, **how)
    return done.returncode, done.stdout + done.stderr


def version_of(tool: Tool, ask: Callable[..., tuple[int, str]] = _asked) -> str | None:
    """The version a tool reports; '' when it has none to say, None when it is not there. ``ask``:
    as of ``process.said``."""
    path = shutil.which(tool.command)
    if path is None:
        return None
    if not tool.version:
        return ""
    try:
        status, text = ask([path, *tool.version], timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if status == 127:  # a library of it is missing
        return None
    found = re.findall(r"\d+\.\d+(?:\.\d+)*", text)
    return found[0] if found else ""


@cache
def tools() -> dict[str, str]:
    """Versions for the provenance of a result."""
    named = ("g++", "clang-14", "alpha-linux-gnu-gcc", "verilator")
    versions = {tool.command: version_of(tool, said) for tool in TOOLS if tool.command in named}
    return {n: version for n, version in versions.items() if version} | environment.of_images()


def simulation() -> tuple[str | None, str, str]:
    """Version, purpose and what to type of a simulation under cocotb, which is tried."""
    words, purpose = [sys.executable, ROOT / "setup" / "can_simulate.py"], "tests of the Verilog"
    try:
        done = heard(words, timeout=600)
    except subprocess.TimeoutExpired:
        return None, purpose, "it did not end in 600 s; is the machine busy?"
    if done.returncode == 0:
        return "starts", purpose, ""
    said = done.stdout + done.stderr
    if "libpython" in said:
        return None, purpose, "./mcpi setup test"
    last = (said.strip().splitlines() or ["nothing said"])[-1]
    return None, purpose, f"{last[:200]}  (all of it: python {words[1].relative_to(ROOT)})"


def source() -> tuple[str | None, str, str]:
    """Can a result name the commit it is of? A download without .git, or one of another user's,
    cannot."""
    purpose = "named in results"
    if not shutil.which("git"):
        return None, purpose, "apt-get install git"
    words = ["git", "rev-parse", "--short", "HEAD"]
    done = heard(words, cwd=ROOT)
    if done.returncode == 0:
        return done.stdout.strip(), purpose, ""
    return None, purpose, (done.stderr.strip().splitlines() or ["git clone the project"])[-1]


def doctor() -> int:
    """Print the table; 0 when everything that is needed is here, else 1."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", "tool", "version", "for", "what to type", box=None, pad_edge=False)
    missing = 0

    def row(name: str, version: str | None, purpose: str, fix: str, optional: bool = False) -> None:
        nonlocal missing
        good = version is not None and not fix
        missing += not good and not optional
        mark = "[green]ok[/]" if good else "[yellow]--[/]" if optional else "[red]no[/]"
        table.add_row(mark, name, version or ("missing" if version is None else ""), purpose, fix)

    there = {purpose for purpose in PURPOSES if environment.ready(purpose)}
    for tool in TOOLS:
        if tool.purpose and tool.purpose not in there:
            continue
        version = version_of(tool)
        good = version is not None and re.match(tool.wanted, version or "?")
        if version is not None and not good:
            version += f" (wanted: {tool.wanted})".replace("\\", "")
        row(tool.command, version, tool.use, "" if good else tool.typed, tool.optional)
    for purpose, names in PYTHON.items():
        if purpose in there:
            for name in names:
                _package(row, name, purpose)
    if "test" in there:
        row("a block test", *simulation())
    row("commit", *source(), optional=True)
    for purpose, commands in PURPOSES.items():
        if purpose not in there:
            row(purpose, None, f"comes with {commands}", f"./mcpi setup {purpose}", optional=True)
    console = Console()
    console.print(table)
    if left := staging.unfinished(RESULTS):
        console.print(
            f"{counted(len(left), 'run')} in {RESULTS.name}/ did not end. To clear what they left: "
            f"rm -r {RESULTS.name}/*{staging.SUFFIX}",
            soft_wrap=True,
        )
    console.print(f"environment: {environment.place() or 'none: start through ./mcpi'}")
    if unpacked := environment.packages():
        record = environment.place() / environment.RECORD
        console.print(f"{len(unpacked)} packages of Debian 12, versions and SHA-256: {record}")
    if missing:
        console.print(f"[red]{missing} missing.[/] The last column has what to type.")
        return 1
    console.print("[green]everything is here.[/] Try: ./mcpi run")
    return 0


def _package(row: Callable, name: str, purpose: str) -> None:
    """The row of a Python package, which has the version that is pinned or is wrong."""
    from importlib import metadata

    text = (ROOT / f"setup/python/{purpose}.txt").read_text()
    pinned = re.search(rf"^{name}==([\w.]+)", text, re.M)[1]
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        version = None
    row(name, version, "Python package", "" if version == pinned else f"./mcpi setup {purpose}")
