# SPDX-License-Identifier: BSD-2-Clause
"""Faults in the processor, one at a time, and who notices: ``cores/alpha-lite/test/mutants.toml``.

Every mutant is compiled and elaborated (all of them in one Java), then runs random programs in
lock-step until one differs. One whose ticks alone change (``timing``) goes to the directed tests.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mcpi import machine, scala
from mcpi.errors import UserError
from mcpi.paths import BUILD, ROOT
from mcpi.randomtest import build, configurations

CORE = ROOT / "cores" / "alpha-lite"
LIST = CORE / "test" / "mutants.toml"
FOLDER = BUILD / "mutants"
PAGE = ROOT / "docs" / "mutants.md"
INSTRUCTIONS = 600_000  # a program, at most
PROGRAMS = 4
TIMING_TESTS = ("test_timing.py",)


@dataclass(frozen=True)
class Mutant:
    """``text`` of ``file`` becomes ``wrong``; ``timing``: only ticks change."""

    name: str
    file: str
    text: str
    wrong: str
    timing: bool = False

    @property
    def folder(self) -> Path:
        return FOLDER / re.sub(r"\W+", "-", self.name)


@dataclass
class Caught:
    """Who noticed, and how: ``ticks`` of a random program, summed over those that passed."""

    mutant: Mutant
    by: str = ""
    what: str = ""
    ticks: int | None = None
    seconds: float = 0.0


def load() -> list[Mutant]:
    """The list; a mutant whose text is not there exactly once is an error."""
    mutants = [Mutant(**row) for row in tomllib.loads(LIST.read_text())["mutant"]]
    for m in mutants:
        count = (CORE / m.file).read_text().count(m.text)
        if count != 1:
            raise UserError(
                f"{LIST.relative_to(ROOT)}: '{m.name}': its text stands {count} times in "
                f"{m.file}; the source has changed, adapt the mutant."
            )
    return mutants


def elaborate(mutants: list[Mutant]) -> dict[str, bool]:
    """``AlphaLite.v`` of each in its folder; which of them are hardware at all."""
    classpath = scala.classpath().strip()
    entries = classpath.split(":")
    own = next(e for e in entries if (Path(e) / "mcpi" / "core" / "AlphaLite.class").exists())
    plugin = next(e for e in entries if "idsl-plugin" in e)
    jars = [_jar(e) for e in ("scala-compiler", "scala-reflect", "scala-library")]
    FOLDER.mkdir(parents=True, exist_ok=True)
    description = FOLDER / "machine.json"
    description.write_text(machine.load("dec3000-600").to_json())
    words = []
    for m in mutants:
        shutil.rmtree(m.folder, ignore_errors=True)
        shutil.copytree(CORE, m.folder / "source", ignore=shutil.ignore_patterns("test"))
        changed = m.folder / "source" / m.file
        changed.write_text(changed.read_text().replace(m.text, m.wrong))
        words += [m.name, m.folder / "source", m.folder]
    driver = Path(__file__).with_name("CompileMutants.java")
    command = [
        "java",
        "-Xss8m",
        "-cp",
        ":".join(jars),
        driver,
        classpath,
        own,
        plugin,
        description,
        *words,
    ]
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    good = {m.name: f"done {m.name}" in said for m in mutants}
    if not all(good.values()):
        kept = [x for x in said if "[Warning]" not in x and "readAsync" not in x]
        print("\n".join(kept[-40:]), done.stderr[-3000:], f"java: exit {done.returncode}", sep="\n")
    return good


def _jar(name: str) -> str:
    """A jar of the Scala compiler, which Mill has brought."""
    version = re.search(r'val scala = "([\d.]+)"', (ROOT / "build.sc").read_text())[1]
    cache = Path(os.environ["COURSIER_CACHE"])
    if not (found := sorted(cache.rglob(f"{name}-{version}.jar"))):
        raise UserError(f"{name} {version} is not in the cache. Type: ./mcpi setup")
    return str(found[0])


def hunt(mutant: Mutant) -> Caught:
    """Random programs first, then (for ``timing``) the directed tests."""
    began, caught = time.monotonic(), Caught(mutant)
    verilog = mutant.folder / "AlphaLite.v"
    bench = build.program_of(verilog)
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
    if not caught.by and mutant.timing:
        _directed(verilog, caught)
    caught.seconds = time.monotonic() - began
    return caught


def _directed(verilog: Path, caught: Caught) -> None:
    """The core's own tests, on this Verilog."""
    for name in TIMING_TESTS:
        script = (
            "import sys, pathlib, mcpi.testing as t, pytest;"
            f"t.elaborate = lambda *a, **k: pathlib.Path({str(verilog)!r});"
            f"sys.exit(pytest.main(['-q', '--import-mode=importlib', '-o', "
            f"'pythonpath={CORE / 'test'} {ROOT / 'tools'}', {str(CORE / 'test' / name)!r}]))"
        )
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run(
                [sys.executable, "-c", script],
                cwd=scratch,
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode == 1:
            failed = re.findall(r"\b(\w+)\s+failed|\*\* \S+\.(\w+)\s+FAIL", done.stdout)
            names = [a or b for a, b in failed]
            caught.by = f"{Path(name).stem}: {', '.join(dict.fromkeys(names)) or 'failed'}"
            found = re.search(r"AssertionError: (.*)", done.stdout)
            caught.what = found[1][:100] if found else ""
            return


def page(rows: list[Caught]) -> str:
    """The table of ``docs/mutants.md``."""
    lines = [
        "# Mutants of the processor",
        "",
        "Written by `cores/alpha-lite/test/test_mutants.py` (`./mcpi test --all`) as it came out;",
        "`docs/random-tests.md` says how. Ticks are those of the random programs until the first",
        "difference; seconds include building the mutant.",
        "",
        "| mutant | file | caught by | after ticks | seconds | first difference |",
        "|---|---|---|---|---|---|",
    ]
    for c in rows:
        what = re.sub(r"[0-9a-f]{16}", "…", c.what).replace("|", "/")
        ticks = "" if c.ticks is None else f"{c.ticks:,}"
        lines.append(
            f"| {c.mutant.name} | `{c.mutant.file}` | {c.by or '**nobody**'} | {ticks} "
            f"| {c.seconds:.0f} | {what} |"
        )
    caught = sum(bool(c.by) for c in rows)
    return "\n".join([*lines, "", f"{caught} of {len(rows)} caught."]) + "\n"
