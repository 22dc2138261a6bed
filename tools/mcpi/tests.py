# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test``: every room's tests and formats; the last line is 'N passed, N failed'."""

import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from mcpi import scala
from mcpi.errors import UserError
from mcpi.lock import hold
from mcpi.paths import BUILD, ROOT

ROOMS = ("cores", "rtl", "lance-ip", "firmware", "sim", "tools", "boards")
NO_TESTS_COLLECTED = 5
C_SOURCES = ("*.c", "*.h", "*.cpp")


@dataclass
class Tally:
    """What one room had to say."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0


def run(quick: bool, expression: str, workers: int) -> int:
    """Run everything; the exit status is 1 if anything failed."""
    began = time.monotonic()
    tallies: dict[str, Tally] = {}
    with hold(BUILD / "test.lock", "runs tests here"):
        if not expression:
            tallies["formats"] = formats()
        scala.classpath()  # once, not in every worker at the same time
        tallies |= tests(quick, expression, workers)
    print(flush=True)
    for room, tally in tallies.items():
        skipped = f", {tally.skipped} skipped" if tally.skipped else ""
        print(
            f"{room:<10} {tally.passed:>5} passed, {tally.failed} failed{skipped}"
            f" {tally.seconds:8.1f} s"
        )
    passed, failed = (sum(getattr(t, k) for t in tallies.values()) for k in ("passed", "failed"))
    print(f"wall time {time.monotonic() - began:.0f} s")
    if not passed + failed:
        raise UserError(f"no test matches -k '{expression}'")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def tests(quick: bool, expression: str, workers: int) -> dict[str, Tally]:
    """All of pytest in one go, so that two workers stay busy to the end; split up by room."""
    folders = sorted(p for room in ROOMS for p in (ROOT / room).rglob("test") if _has_tests(p))
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        words = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--dist", "loadfile"]
        words += ["--import-mode=importlib", "-p", "no:cacheprovider", f"--junitxml={report}"]
        words += ["-o", "junit_family=xunit1", "--durations=8", "--durations-min=5"]
        # Helpers stand beside the tests that import them.
        words += ["-o", f"pythonpath={' '.join(map(str, folders))}"]
        words += ["-o", "markers=slow: left out by ./mcpi test --quick"]
        words += ["-m", "not slow"] if quick else []
        words += ["-k", expression] if expression else []
        env = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
        done = subprocess.run(
            [*words, *map(str, folders)], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False
        )
        tallies = _by_room(report) if report.exists() else {}
    broken = done.returncode not in (0, 1, NO_TESTS_COLLECTED)
    if broken or (done.returncode == 1 and not any(t.failed for t in tallies.values())):
        tallies["pytest"] = Tally(failed=1)
    return tallies


def _has_tests(folder: Path) -> bool:
    return folder.is_dir() and any(folder.glob("test_*.py"))


def _by_room(report: Path) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.get("file") or case.get("classname", "").replace(".", "/")
        tally = tallies.setdefault(Path(file).parts[0] if file else "pytest", Tally())
        tally.seconds += float(case.get("time", 0))
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            tally.failed += 1
        elif "skipped" in kinds:
            tally.skipped += 1
        else:
            tally.passed += 1
    return dict(sorted(tallies.items()))


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
    tally.seconds = time.monotonic() - began
    return tally


def _c_files() -> list[Path]:
    """C and C++ files below a room that has a .clang-format of its own or from the checkout."""
    words = ["git", "ls-files", "--", *C_SOURCES]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    files = [ROOT / name for name in done.stdout.splitlines()]
    return [f for f in files if any((p / ".clang-format").exists() for p in f.parents)]
