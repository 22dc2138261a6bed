# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test``: every room's tests and formats.

The last line is 'N passed, N failed', and ', N skipped' if any was; lines before it say why.
"""

import collections
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from mcpi import needs, scala
from mcpi.errors import UserError
from mcpi.lock import hold
from mcpi.paths import BUILD, ROOT
from mcpi.simulate import Stop

ROOMS = ("cores", "rtl", "lance-ip", "firmware", "sim", "tools", "boards", "setup")
NO_TESTS_COLLECTED = 5
# How long each file took the last time everything ran.
TIMES = BUILD / "test-times.json"
UNKNOWN_SECONDS = 60
C_SOURCES = ("*.c", "*.h", "*.cpp")


class Kinds(Enum):
    """Which tests: the value is pytest's ``-m`` expression."""

    QUICK = "not slow and not long"
    USUAL = "not long"
    ALL = ""


MARKERS = "slow: left out by ./mcpi test --quick\nlong: only with ./mcpi test --all"


@dataclass
class Tally:
    """What one room had to say. ``reasons``: of what was skipped, each with how often."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, other: "Tally") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.seconds += other.seconds
        self.reasons += other.reasons

    def counts(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def run(kinds: Kinds, expression: str, workers: int) -> int:
    """Run everything; the exit status is 1 if anything failed."""
    began = time.monotonic()
    tallies: dict[str, Tally] = {}
    with hold(BUILD / "test.lock", "runs tests here"):
        if not expression:
            tallies["formats"] = formats()
        scala.classpath()  # once, not in every worker at the same time
        tallies |= tests(kinds, expression, workers)
    print(flush=True)
    for room, tally in tallies.items():
        print(f"{room:<10} {tally.counts():<34} {tally.seconds:8.1f} s")
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    for reason, count in sorted(total.reasons.items()):
        print(f"skipped {count}: {reason}")
    print(f"wall time {time.monotonic() - began:.0f} s")
    if not total.passed + total.failed + total.skipped:
        raise UserError(f"no test matches -k '{expression}'")
    print(total.counts())
    return 1 if total.failed else 0


def tests(kinds: Kinds, expression: str, workers: int) -> dict[str, Tally]:
    """Every test file in a process of its own, ``workers`` side by side, the longest first.

    A process of its own: helpers beside the tests may have the same name in two rooms.
    """
    times = json.loads(TIMES.read_text()) if TIMES.exists() else {}
    files = [str(p.relative_to(ROOT)) for room in ROOMS for p in (ROOT / room).rglob("test_*.py")]
    files = sorted(f for f in files if Path(f).parent.name == "test")
    files.sort(key=lambda f: -times.get(f, UNKNOWN_SECONDS))
    tallies = {room: Tally() for room in ROOMS}
    stop = Stop()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        if expression:
            files = _matching(files, kinds, expression, pool)
        waiting = {pool.submit(_file, f, kinds, expression, stop): f for f in files}
        try:
            for done in concurrent.futures.as_completed(waiting):
                file, tally = waiting[done], done.result()
                tallies[Path(file).parts[0]].add(tally)
                if tally.passed + tally.failed and kinds is Kinds.USUAL and not expression:
                    times[file] = round(tally.seconds, 1)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop.now()
            raise
    TIMES.write_text(json.dumps(times, indent=1))
    return {room: t for room, t in tallies.items() if t.passed + t.failed + t.skipped}


def _matching(
    files: list[str], kinds: Kinds, expression: str, pool: concurrent.futures.Executor
) -> list[str]:
    """Those with a test that ``expression`` names: asked of pytest once for each folder."""
    folders: dict[Path, list[str]] = {}
    for file in files:
        folders.setdefault((ROOT / file).parent, []).append(file)

    def collected(folder: Path) -> set[str]:
        words = [*_pytest(folder, kinds, expression), "--collect-only", *folders[folder]]
        done = subprocess.run(
            words, cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, text=True
        )
        if done.returncode not in (0, NO_TESTS_COLLECTED):
            return set(folders[folder])  # the file that cannot be collected says why
        return {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}

    found = set().union(*pool.map(collected, folders))
    return [file for file in files if file in found]


def _pytest(folder: Path, kinds: Kinds, expression: str) -> list[str]:
    """How pytest is called for files of ``folder``."""
    words = [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib"]
    words += ["-p", "no:cacheprovider", "-o", f"pythonpath={folder} {ROOT / 'tools'}"]
    words += ["-o", f"markers={MARKERS}"]
    words += ["-m", kinds.value] if kinds.value else []
    return [*words, "-k", expression] if expression else words


def _file(file: str, kinds: Kinds, expression: str, stop: Stop) -> Tally:
    """Run one file; a line when it is done, its whole output when something failed."""
    began = time.monotonic()
    folder = (ROOT / file).parent
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        words = [*_pytest(folder, kinds, expression), f"--junitxml={report}", file]
        with subprocess.Popen(
            words,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as child:
            stop.add(child)
            said = child.stdout.read()
        tally = _tally(report, file) if report.exists() else Tally()
    tally.seconds = time.monotonic() - began
    if child.returncode not in (0, NO_TESTS_COLLECTED) and not tally.failed:
        tally.failed = 1  # it could not even be collected
    if tally.failed and not stop.stopped:
        print(said, flush=True)
    if tally.passed + tally.failed + tally.skipped:
        word = "FAILED" if tally.failed else "ok"
        print(f"{word:<6} {file:<50} {tally.counts():<24} {tally.seconds:7.1f} s", flush=True)
    return tally


def _tally(report: Path, file: str) -> Tally:
    """The counts of pytest's report. Only what ``needs`` names may be lacking: any other skip is a
    failure"""
    tally = Tally()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag: child for child in case}
        if kinds.keys() & {"failure", "error"}:
            tally.failed += 1
        elif "skipped" not in kinds:
            tally.passed += 1
        elif (reason := kinds["skipped"].get("message", "")) in needs.REASONS:
            tally.skipped += 1
            tally.reasons[f"{file}: {reason}"] += 1
        else:
            tally.failed += 1
            print(f"{file}::{case.get('name')}: may not be skipped ({reason})", flush=True)
    return tally


def formats() -> Tally:
    """Formatters and linters; each counts as one test and prints how to put it right."""
    began, tally = time.monotonic(), Tally()
    python = ["."]
    clang = [str(p) for p in _c_files()]
    checks = {
        "ruff format": (["ruff", "format", "--check", "-q", *python], "ruff format"),
        "ruff check": (["ruff", "check", "-q", "--output-format=concise", *python], ""),
        "clang-format": (
            ["clang-format", "--dry-run", "-Werror", *clang],
            "clang-format -i <the files above>",
        ),
    }
    for name, (words, fix) in checks.items():
        if name == "clang-format" and not clang:
            continue
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            tally.passed += 1
            continue
        tally.failed += 1
        said = [x for x in (done.stdout + done.stderr).splitlines() if x.strip()]
        said = [x for x in said if re.match(r"\S+:\d|\S+\.py|Would|unformatted|error", x)] or said
        print("\n  ".join([f"FAILED {name}", *said[:20]]), flush=True)
        if fix:
            print(f"  to put it right: {fix}", flush=True)
    if scala_says := scala.unformatted():
        tally.failed += 1
        print("\n  ".join(["FAILED scalafmt", *scala_says[-20:]]), flush=True)
        fix = "scalafmt <the files above>"
        print(f"  to put it right: {fix}", flush=True)
    else:
        tally.passed += 1
    tally.seconds = time.monotonic() - began
    return tally


def _c_files() -> list[Path]:
    """C and C++ files below a room that has a .clang-format of its own or from the checkout."""
    words = ["git", "ls-files", "--", *C_SOURCES]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    files = [ROOT / name for name in done.stdout.splitlines()]
    return [f for f in files if any((p / ".clang-format").exists() for p in f.parents)]
