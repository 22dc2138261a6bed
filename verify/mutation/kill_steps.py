# SPDX-License-Identifier: BSD-2-Clause
"""Judges of a mutant: steps of a room's random test, short ones first.

A step runs the simulator as it is made (mutant 0) once, and with each mutant that is left. A mutant
is **killed** by the step's own judge (the model in lock-step, the exact engine's card), or because
what the simulator tells of its ticks is not what the right one tells. That the right one's ticks
are right is the exact engine's word (docs/verification/mutation.md).
"""

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.hdl import verilator
from mcpi.machine import profile
from verify.random import configurations, program
from verify.verilog_mutants import VARIABLE

MODEL, TICKS, HANGS = "model", "ticks", "hangs"
_TIMES = ("wall_seconds",)
# A mutant hangs that wants so many times the right one's processor time, and seconds.
TIMES, MORE = 3, 1
_OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)


@dataclass(frozen=True)
class Ran:
    """Status, what it said, and seconds of the processor; of one that runs alone."""

    status: int
    said: str
    seconds: float

    @property
    def patience(self) -> int:
        """Seconds of the processor after which a mutant hangs, if this is the right one."""
        return math.ceil(TIMES * self.seconds + MORE)


@dataclass(frozen=True)
class Step:
    """A command."""

    name: str
    words: tuple[str, ...]

    def run(self, number: int, patience: int | None = None) -> Ran:
        """With a mutant; its end comes after ``patience`` seconds of the processor."""
        before = _children()
        child = subprocess.Popen(
            self.words,
            env=os.environ | {VARIABLE: str(number)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if patience:
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (patience, patience))
        out, wrong = child.communicate()
        said = wrong if child.returncode else out
        return Ran(child.returncode, said.decode(errors="backslashreplace"), _children() - before)

    def judge(self, right: Ran, numbers: Sequence[int], _stop: Stop) -> Iterator[tuple[int, str]]:
        """By what the step kills each mutant; empty if it does not."""
        for number in numbers:
            ran = self.run(number, right.patience)
            if ran.status in _OUT_OF_TIME:
                yield number, HANGS
            elif ran.status:
                yield number, MODEL
            else:
                yield number, TICKS if observation(ran.said) != observation(right.said) else ""


class Together(Step):
    """A program that judges many mutants by itself: option ``--mutants``."""

    def judge(self, _right: Ran, numbers: Sequence[int], stop: Stop) -> Iterator[tuple[int, str]]:
        words = [*self.words, "--mutants", *map(str, numbers)]
        with subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        ) as child:
            stop.add(child)
            for line in child.stdout:
                word, *rest = line.split()
                if word == "mutant":
                    yield int(rest[0]), rest[1] if rest[1] in (MODEL, TICKS, HANGS) else ""
        if child.returncode:
            raise RunError(f"{self.name}: it judges no mutant")


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def observation(said: str) -> object:
    """Report of a simulator about its ticks. The LANCE's judge knows them; left is how many of them
    the chip allows to be skipped."""
    if not said.startswith("{"):
        return re.findall(r"(\d+) evaluations", said)
    lines = said.splitlines()
    return {key: value for key, value in json.loads(lines[0]).items() if key not in _TIMES}


def core(verilog: Path) -> Iterator[Step]:
    """Random programs on the paper's machine, in the surroundings of its random tests."""
    bench = verilator.build(verilog, BENCH)
    runs = [run for seed in SEEDS for run in configurations.draw(0, seed).runs]
    rows = [(runs[number], length, cold) for length, cold, own in CORE for number in own]
    rows += [
        (configurations.far(number, settings, FAR_SEED), length, cold)
        for number, (length, cold, settings) in enumerate(FAR)
    ]
    for run, length, cold in rows:
        folder = verilog.parent / f"program-{run.program}"
        elf, machine = folder / "program.elf", folder / "machine.json"
        if not elf.exists():
            program.build(run.program, folder, far=run.far).rename(elf)
        machine.write_text(profile.load("dec3000-600", run.settings).to_json())
        words = [bench, "--machine", machine, "--program", elf]
        words += ["--instructions", length, "--again", "none", *ASKED]
        for key, value in run.options.items():
            words += [f"--{key}", value]
        words += ["--cold-every", cold]
        name = f"{'far ' * run.far}program {run.program}, {length} instructions"
        yield Together(name + ", cold starts" * bool(cold), tuple(map(str, words)))


def lance(verilog: Path) -> Iterator[Step]:
    """Random histories of the chip next to the exact engine's card, tick by tick, and kinds of
    exact_history.py."""
    bench = verilator.build(verilog, verilator.LANCE_BENCH)
    library = verilator.build(verilog, verilator.LANCE)
    exact, machine = models.build("liblance-exact.so"), verilog.with_name("machine.json")
    path = f"PYTHONPATH={':'.join(str(ROOT / room) for room in KIND_ROOMS)}"
    for first, *more in LANCE:
        if isinstance(first, str):  # kinds of exact_history.py, and which
            words = ["env", path, sys.executable, ROOT / "sim/test/sim_support/cards/two_cards.py"]
            words += [library, exact, "am7990", *first.split()]
            name = f"histories {first}"
        else:
            count, *flags = more
            words = [bench, "histories", "--whole", "--machine", machine, "--exact", exact]
            words += ["--first", first, "--count", count, *flags]
            words += [] if "--any-time" in flags else ["--plain"]
            name = f"{count} histories from {first}{' '.join(['', *flags])}"
        yield Step(name, tuple(map(str, words)))


# Compiled for many runs: g++ -O2.
BENCH = replace(verilator.CORE, unity=False, place="core-mutants")
ASKED = ("--ports", "--skip")
SEEDS = range(1, 9)
_STEPS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
CORE, LANCE = _STEPS["core"], _STEPS["lance"]
FAR_SEED = 1
FAR = [tuple(row.values()) for row in _STEPS["far"]]
KIND_ROOMS = ("tools", ".", "sim/test", "lance-ip/test")
JUDGES = {"AlphaLite": core, "LanceOnTc": lance}
