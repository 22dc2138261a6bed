# SPDX-License-Identifier: BSD-2-Clause
"""build.sc, the Mill build that editors open, against the way in which ``./mcpi`` compiles."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mcpi.base import environment
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run, scala

BLOCK = "Node"
MODULE = re.compile(r"^( *)object `?([\w-]+)`? extends House \{\n(.*?)^\1\}", re.M | re.S)
# Modules below others; for Mill, their folders are below the others' folders.
PLACES = {"rtl": "rtl", "node": "rtl/node", "cores": "cores/alpha-lite"}


def modules(text: str) -> dict[str, tuple[set[str], set[str]]]:
    """The folders and the needed modules of each module."""
    found = {}
    for _, name, body in MODULE.findall(text):
        own, _, inner = body.partition("\n  object ")
        folders = re.findall(r'"(\w+)"', (re.findall(r"folders = Seq\((.*?)\)", own) or [""])[0])
        needs = re.findall(r"[\w.-]+", (re.findall(r"moduleDeps = Seq\((.*?)\)", own) or [""])[0])
        place = PLACES.get(name, name)
        found[name] = (
            {f"{place}/{f}" for f in folders} or {place},
            {need.rpartition(".")[2] for need in needs},
        )
        found |= modules(f"  object {inner}")
    return found


def below(name: str, found: dict[str, tuple[set[str], set[str]]]) -> set[str]:
    """The folders of the modules that a module needs, and of those that these need."""
    needs = found[name][1]
    return {f for need in needs for f in found[need][0] | below(need, found)}


def test_the_modules_are_the_arrows() -> None:
    """Each folder of ``scala.ARROWS`` is in one module; a package imports what its module needs."""
    found = modules((ROOT / "build.sc").read_text())
    folders = [f for own, _ in found.values() for f in own]
    assert sorted(folders) == sorted(scala.ARROWS)
    package = {f: Path(f).name for f in folders}
    package |= {"cores/alpha-lite": "core", "lance-ip": "lance"}
    for name, (own, _) in found.items():
        for folder in own:
            allowed = {package[f] for f in below(name, found) | own - {folder}}
            assert scala.ARROWS[folder] - {package[folder]} == allowed, folder


def test_options_of_the_compiler_are_the_same() -> None:
    options = re.findall(r"scalacOptions = Seq\((.*?)\)", (ROOT / "build.sc").read_text())
    assert tuple(re.findall(r'"(.*?)"', options[0])) == scala.OPTIONS


def _mill(folder: Path, *words: str) -> str:
    command = [ROOT / "mcpi", "mill", "--no-server", "--ticker", "false", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, f"{' '.join(words)}: {(done.stdout + done.stderr)[-4000:]}"
    return done.stdout


@pytest.mark.long
def test_both_give_the_same_jars_and_the_same_verilog(tmp_path: Path) -> None:
    """In a copy, as a new checkout is: Mill fetches what it wants, and writes below out/."""
    environment.want_group("mill")
    copied = ("build.sc", ".mill-version", "boards", "cores", "lance-ip", "machines", "rtl")
    for name in (*copied, "mcpi", "setup", "tools/mcpi", "pyproject.toml"):
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, place)
    shown = json.loads(_mill(tmp_path, "show", "boards.runClasspath"))
    jars = {Path(ref.rpartition(":")[2]).name for ref in shown if ref.endswith(".jar")}
    pinned = {Path(jar).name for jar in scala.jars()}
    assert jars == pinned, jars ^ pinned
    _mill(tmp_path, "boards.verilog", BLOCK)
    made = tmp_path / "out" / "boards" / "verilog.dest" / f"{BLOCK}.v"
    assert made.read_bytes() == cocotb_run.elaborate(BLOCK).read_bytes()
