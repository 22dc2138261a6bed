# SPDX-License-Identifier: BSD-2-Clause
"""Lines and branches of the protocols' files that a corpus of the fuzzer reaches, by gcov.

PYTHONPATH=tools:firmware/test python3 -m firmware_support.fuzz_coverage build/fuzz/short/corpus
"""

import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from firmware_support.host_build import COVERED, FIRMWARE, OUT, fuzz_replay, run

from mcpi.base.process import heard

OBJECTS = OUT / COVERED


@dataclass
class Covered:
    """Coverage of one file or folder."""

    lines: int = 0
    lines_run: int = 0
    branches: int = 0
    branches_taken: int = 0

    def add(self, other: "Covered") -> None:
        self.lines += other.lines
        self.lines_run += other.lines_run
        self.branches += other.branches
        self.branches_taken += other.branches_taken

    def __str__(self) -> str:
        lines = 100 * self.lines_run / max(1, self.lines)
        branches = 100 * self.branches_taken / max(1, self.branches)
        of = f"lines {lines:5.1f} % of {self.lines:4}"
        return f"{of}  branches {branches:5.1f} % of {self.branches:4}"


def measure(inputs: list[Path]) -> dict[str, Covered]:
    """By path below ``firmware/``."""
    program = fuzz_replay(coverage=True)
    for old in OBJECTS.glob("*.gcda"):
        old.unlink()
    run(["env", "ASAN_OPTIONS=detect_leaks=0", program, "--replay", *inputs])
    counted = sorted(OBJECTS.glob("*protocols-*.gcda"))
    words = ["gcov", "--json-format", "--stdout", "--branch-probabilities", *counted]
    done = heard(words, cwd=OBJECTS)
    assert done.returncode == 0, done.stderr
    files: dict[str, Covered] = {}
    for document in done.stdout.splitlines():
        if not document.strip():
            continue
        said = json.loads(document)
        for file in said["files"]:
            path = Path(said["current_working_directory"], file["file"])
            if path.suffix == ".c" and path.is_relative_to(FIRMWARE / "protocols"):
                files[str(path.relative_to(FIRMWARE))] = _of(file["lines"])
    return files


def _of(lines: list[dict]) -> Covered:
    covered = Covered()
    for line in lines:
        covered.lines += 1
        covered.lines_run += line["count"] > 0
        covered.branches += len(line["branches"])
        covered.branches_taken += sum(b["count"] > 0 for b in line["branches"])
    return covered


def by_protocol(files: dict[str, Covered]) -> dict[str, Covered]:
    protocols: dict[str, Covered] = defaultdict(Covered)
    for path, covered in files.items():
        protocols[Path(path).parts[1]].add(covered)
    return dict(sorted(protocols.items()))


def show(files: dict[str, Covered]) -> None:
    """A line for each file, then one for each protocol."""
    for path, covered in [*sorted(files.items()), *by_protocol(files).items()]:
        print(f"{path:36} {covered}")


if __name__ == "__main__":
    show(measure([p for folder in sys.argv[1:] for p in sorted(Path(folder).iterdir())]))
