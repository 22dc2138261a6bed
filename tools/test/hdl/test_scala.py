# SPDX-License-Identifier: BSD-2-Clause
"""Scala sources of a room import only what its arrows allow (docs/architecture.md); one Java
elaborates for several commands."""

import re
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from mcpi.base.repo import ROOT
from mcpi.hdl import scala
from mcpi.machine import profile


@pytest.mark.parametrize("folder", scala.ARROWS)
def test_arrows(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.scala"))
    assert files
    own = {re.search(r"^package mcpi\.(\w+)$", path.read_text(), re.M)[1] for path in files}
    assert len(own) == 1, f"{folder} has the packages {own}"
    for path in files:
        # Imports, and names written out in full; not the package's own line.
        used = set(re.findall(r"(?<!package )\bmcpi\.([a-z]\w*)", path.read_text()))
        assert used <= scala.ARROWS[folder] | own, path.relative_to(ROOT)


def test_a_stage_says_what_it_reads() -> None:
    """The imports of an area of the pipeline are names, not all there is."""
    for path in sorted((ROOT / "cores/alpha-lite").rglob("*.scala")):
        text = path.read_text()
        if re.search(r"\(p: Pipeline\b.*extends Area", text):
            assert not re.search(r"^  import \w+\._$", text, re.M), path.relative_to(ROOT)


@pytest.mark.slow
def test_a_java_of_several_commands_makes_the_same_verilog(tmp_path: Path, monkeypatch) -> None:
    """The second block of a Java, and of a Java of its own."""
    description = tmp_path / "machine.json"
    description.write_text(profile.load("dec3000-600").to_json())
    blocks, made = ("Timer", "AlphaLite"), []
    with tempfile.TemporaryDirectory() as shared:  # the Java ends when it goes
        for folder in ("", shared):
            monkeypatch.setenv(scala.ELABORATOR, folder)
            for block in blocks:
                scala.elaborate([block, str(description), str(tmp_path)])
            made.append([(tmp_path / f"{block}.v").read_bytes() for block in blocks])
        assert scala._shared(Path(shared)).exists(), "one Java made both"
    assert made[0] == made[1] and all(made[0])


def test_another_table_of_counters_gets_a_java_of_its_own(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "machines").mkdir()
    monkeypatch.setattr(scala, "ROOT", tmp_path)
    monkeypatch.setattr(scala, "digest", lambda: "the same sources")
    places = set()
    for text in ("one", "two", "one"):
        (tmp_path / "machines/counters.toml").write_text(text)
        places.add(scala._shared(tmp_path))
    assert len(places) == 2


SAID = """\
[Progress] at 0.000 : Elaborate components
scala.sys.package$.error(package.scala:27)
java.lang.RuntimeException: no control word of 'minq'
\tat scala.sys.package$.error(package.scala:27)
"""


def test_an_elaboration_that_fails_says_why_first(monkeypatch) -> None:
    """Builds show the first lines of a long text."""
    failed = subprocess.CompletedProcess([], 1, SAID, "")
    monkeypatch.setattr(scala, "heard", lambda *_, **__: failed)
    monkeypatch.setattr(scala, "classpath", str)
    monkeypatch.delenv(scala.ELABORATOR, raising=False)
    with pytest.raises(RuntimeError, match="^elaborating Node failed: no control word of 'minq'\n"):
        scala.elaborate(["Node"])


def test_java_ends_with_its_folder() -> None:
    """Though nobody ends it: its group was another one's."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "elaborate")
        scala._serve(place, scala.classpath())
        # Unlike `cmdline()`, `process_iter` passes over a process that has just ended.
        running = psutil.process_iter(["cmdline"])
        java = [p for p in running if str(place) in (p.info["cmdline"] or ())]
        assert len(java) == 1
    until = time.monotonic() + 20
    while java[0].is_running() and java[0].status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until, "it goes on"
        time.sleep(0.1)
