# SPDX-License-Identifier: BSD-2-Clause
"""Seconds that a user waits for a command whose program is built: wall time, and that of a
processor with all children; median and range. An idle machine is wanted.

PYTHONPATH=tools python3 bench/waits/interactive.py [repetitions]
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcpi.base.repo import ROOT

MARKS = {  # seconds
    "./mcpi --help": 0.15,
    "./mcpi exec examples/conflict.c": 0.3,
    "./mcpi run": 0.5,
}


def once(command: str, folder: Path) -> tuple[float, float]:
    """Wall time and processor's time."""
    words = [*command.split(), *([] if "--" in command else ["--out", folder])]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"{'':34}{'wall, s':>8}{'(range)':>18}{'mark':>7}{'processor, s':>14}")
    for command, mark in MARKS.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "run"
            once(command, place)  # whatever is still to be built
            walls, processor = zip(*(once(command, place) for _ in range(repetitions)), strict=True)
        spread = f"({min(walls):.2f} to {max(walls):.2f})"
        wall, used = statistics.median(walls), statistics.median(processor)
        print(f"{command:34}{wall:8.2f}{spread:>18}{mark:7.2f}{used:14.2f}", flush=True)


if __name__ == "__main__":
    main()
