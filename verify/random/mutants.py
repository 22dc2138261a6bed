# SPDX-License-Identifier: BSD-2-Clause
"""Faults in the processor, one at a time, and who notices: ``cores/alpha-lite/test/mutants.toml``.

Every mutant is compiled and elaborated (all of them in one Java), then runs random programs in
lock-step until one differs. One that none of them notices goes to the directed tests it names,
which is all there is for a mutant that changes ticks alone.
"""

import os
import re
import shutil
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, PYTHONPATH, ROOT
from mcpi.hdl import scala, verilator
from mcpi.machine import profile
from verify.random import configurations

CORE = ROOT / "cores" / "alpha-lite"
LIST = CORE / "test" / "mutants.toml"
FOLDER = BUILD / "mutants"
INSTRUCTIONS = 600_000  # a program, at most
PROGRAMS = 4
DIRECTED = """import sys, pathlib
from mcpi.hdl import cocotb_run
verilog, path, only = sys.argv[1:]
cocotb_run.simulate(pathlib.Path(verilog), pathlib.Path(path), only)
"""


@dataclass(frozen=True)
class Mutant:
    """``text`` of ``file`` becomes ``wrong``; ``tests``: modules or ``module.coroutine``."""

    name: str
    file: str
    text: str
    wrong: str
    tests: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return FOLDER / re.sub(r"\W+", "-", self.name)

    def put(self, source: str) -> tuple[str, int]:
        """The faulty source, and how often ``text`` stands in it: where lines break is all one."""
        pattern = r"\s+".join(re.escape(word) for word in self.text.split())
        return re.subn(pattern, lambda _: self.wrong, source)


@dataclass
class Caught:
    """Judge that noticed a mutant, and how: ``ticks`` of a random program, summed over those that
    passed."""

    mutant: Mutant
    by: str = ""
    what: str = ""
    ticks: int | None = None
    seconds: float = 0.0


def load(path: Path = LIST) -> list[Mutant]:
    """The list; UserError names every mutant that no longer fits the sources or the tests."""
    mutants = [Mutant(**row) for row in tomllib.loads(path.read_text())["mutant"]]
    faults = []
    for m in mutants:
        source = CORE / m.file
        count = m.put(source.read_text())[1] if source.exists() else 0
        if count != 1:
            faults.append(f"'{m.name}': its text stands {count} times in {m.file}, not once")
        faults += [f"'{m.name}': there is no test {t}" for t in m.tests if not _is_test(t)]
    if faults:
        raise UserError(
            f"{path.name}: the processor or its tests have changed, adapt the mutants:\n  "
            + "\n  ".join(faults)
        )
    return mutants


def _is_test(name: str) -> bool:
    module, _, coroutine = name.partition(".")
    path = CORE / "test" / f"{module}.py"
    wanted = rf"^async def {coroutine}\(" if coroutine else r"^@cocotb\.test"
    return path.exists() and bool(re.search(wanted, path.read_text(), re.M))


def elaborate(mutants: list[Mutant]) -> dict[str, bool]:
    """``AlphaLite.v`` of each in its folder; which of them are hardware at all."""
    classpath = scala.classpath().strip()
    entries = classpath.split(":")
    plugin = next(e for e in entries if "idsl-plugin" in e)
    jars = [e for e in entries if re.search(r"/scala-(compiler|reflect|library)-", e)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    description = FOLDER / "machine.json"
    description.write_text(profile.load("dec3000-600").to_json())
    words = []
    for m in mutants:
        shutil.rmtree(m.folder, ignore_errors=True)
        shutil.copytree(CORE, m.folder / "source", ignore=shutil.ignore_patterns("test"))
        changed = m.folder / "source" / m.file
        changed.write_text(m.put(changed.read_text())[0])
        words += [m.name, m.folder / "source", m.folder]
    driver = Path(__file__).with_name("CompileMutants.java")
    command = [
        "java",
        "-Xss8m",
        "-cp",
        ":".join(jars),
        driver,
        classpath,
        plugin,
        description,
        *words,
    ]
    done = heard(command)
    said = done.stdout.splitlines()
    good = {m.name: f"done {m.name}" in said for m in mutants}
    if not all(good.values()):
        kept = [x for x in said if "[Warning]" not in x and "readAsync" not in x]
        print("\n".join(kept[-40:]), done.stderr[-3000:], f"java: exit {done.returncode}", sep="\n")
    return good


def hunt(mutant: Mutant) -> Caught:
    """Random programs first, then the directed tests, until something notices."""
    began, caught = time.monotonic(), Caught(mutant)
    verilog = mutant.folder / "AlphaLite.v"
    bench = verilator.build(verilog, verilator.CORE, 1)
    ticks = 0
    for run in configurations.draw(0).runs[:PROGRAMS]:
        done = configurations.execute(bench, mutant.folder, run, INSTRUCTIONS, mutant.name)
        if done.returncode:
            first = next((x for x in done.stderr.splitlines() if "tick" in x or "assert" in x), "")
            at = re.search(r"tick (\d+): (.*)", first)
            caught.by = "random programs"
            caught.what = at[2] if at else done.stderr.strip().splitlines()[0][:100]
            caught.ticks = ticks + int(at[1]) if at else None
            break
        ticks += int(re.search(r'"ticks":(\d+)', done.stdout)[1])
    for name in mutant.tests:
        if not caught.by:
            _directed(verilog, name, caught)
    caught.seconds = time.monotonic() - began
    return caught


def _directed(verilog: Path, name: str, caught: Caught) -> None:
    """A test of the core, on this Verilog."""
    module, _, coroutine = name.partition(".")
    words = [sys.executable, "-c", DIRECTED, verilog, CORE / "test" / f"{module}.py", coroutine]
    done = heard(words, cwd=verilog.parent, env=os.environ | {"PYTHONPATH": PYTHONPATH})
    if not done.returncode:
        return
    # cocotb's table of results: only a test that failed counts, not one that could not be run.
    failed = re.findall(r"\*\* (\S+)\s+FAIL", done.stdout + done.stderr)
    if not failed:
        raise UserError(f"'{caught.mutant.name}': {name} did not run:\n{done.stderr[-2000:]}")
    caught.by = ", ".join(failed)
    found = re.search(r"AssertionError: (.*)", done.stdout + done.stderr)
    caught.what = found[1][:100] if found else ""


def rows(caught: Sequence[Caught]) -> list[dict[str, object]]:
    """Rows of the processor's record, ``cores/alpha-lite/test/mutants.csv``."""
    return [
        {
            "mutant": c.mutant.name,
            "place": (at := Path(c.mutant.file)).parts[0],
            "file": at.name,
            "found_by": "directed tests" if c.by.startswith("test_") else c.by,
            "test": c.by if c.by.startswith("test_") else "",
            "after_ticks": "" if c.ticks is None else c.ticks,
            "seconds": f"{c.seconds:.0f}",
            "first_difference": re.sub(r"[0-9a-f]{16}", "…", c.what),
        }
        for c in caught
    ]
