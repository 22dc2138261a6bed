# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi-place``: simulated annealing over positions (sim/placing/)."""

import json
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.progress import Update
from mcpi.layout.placing.problem import Problem


@dataclass(frozen=True)
class Found:
    """``ticks``, ``misses``: of the path, in the recorded period, by the replay. ``stopped``: ^C or
    the time limit came first."""

    positions: list[int]
    ticks: int
    misses: int
    stopped: bool = False


@dataclass(frozen=True)
class Limits:
    """``seconds``: 0 for none. ``worst``: the most ticks instead of the least."""

    candidates: int
    seconds: float = 0.0
    worst: bool = False


def anneal(
    program: Path, problem: Problem, first: list[int], seed: int, limits: Limits, update: Update
) -> Found:
    """From ``first`` on; ^C ends it with what is best so far."""
    with tempfile.TemporaryDirectory(prefix="mcpi-place-") as folder:
        file = Path(folder, "problem.json")
        problem.write(file)
        words = [program, file, "--first", *first, "--seed", seed]
        words += ["--candidates", limits.candidates, "--seconds", limits.seconds]
        return _answer([*map(str, words), *(["--worst"] if limits.worst else [])], update)


def _answer(words: list[str], update: Update) -> Found:
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    interrupted, line = False, {}
    while True:
        try:
            for text in process.stdout:
                line = json.loads(text)
                if "done" in line:
                    update(line["done"], line["of"], f"{line['best']:,} ticks")
            break
        except KeyboardInterrupt:
            interrupted = True
            process.send_signal(signal.SIGINT)
    if process.wait() or "positions" not in line:
        raise RunError(f"mcpi-place ended with {process.returncode}.")
    found = line["found"]
    stopped = interrupted or line["stopped"]
    return Found(line["positions"], found["ticks"], found["misses"], stopped)


def cost(program: Path, problem: Problem, positions: list[int]) -> Found:
    """Cost of these positions, without a search."""
    return anneal(program, problem, positions, 0, Limits(0), lambda *_: None)
