# SPDX-License-Identifier: BSD-2-Clause
"""Who judges a mutant: steps of a room's random test, short ones first.

A step runs the simulator as it is made (mutant 0) once, and with each mutant that is left. A mutant
is **killed** by the step's own judge (the model in lock-step, the model of the LANCE), or because
what the simulator tells of its ticks is not what the right one tells. That the right one's ticks
are right is the exact engine's word (docs/verification/mutation.md).
"""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.build import models
from mcpi.hdl import verilator
from mcpi.machine import profile
from mcpi.verify.random import configurations, program
from mcpi.verify.verilog_mutants import VARIABLE

MODEL, TICKS, HANGS = "model", "ticks", "hangs"
_TIMES = ("wall_seconds",)


@dataclass(frozen=True)
class Step:
    """A command; ``seconds`` after which it hangs."""

    name: str
    words: tuple[str, ...]
    seconds: float

    def run(self, number: int) -> tuple[int | None, str]:
        """Status, or None when it hangs, and what it said."""
        environment = os.environ | {VARIABLE: str(number)}
        try:
            done = subprocess.run(
                self.words,
                env=environment,
                timeout=self.seconds,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        said = done.stdout if done.returncode == 0 else done.stderr
        return done.returncode, said.decode(errors="backslashreplace")


def judge(step: Step, right: str, number: int) -> str:
    """By what the step kills the mutant; empty if it does not."""
    status, said = step.run(number)
    if status is None:
        return HANGS
    if status:
        return MODEL
    return TICKS if told(said) != told(right) else ""


def told(said: str) -> object:
    """What a simulator says of its ticks; the LANCE's says nothing of them, its judge does."""
    if not said.startswith("{"):
        return None
    return {key: value for key, value in json.loads(said).items() if key not in _TIMES}


def core(verilog: Path) -> Iterator[Step]:
    """Random programs on the paper's machine, in the surroundings of its random tests."""
    bench = verilator.build(verilog, verilator.CORE)
    seeds = (configurations.SEED, configurations.SEED + 1)
    runs = [run for seed in seeds for run in configurations.draw(0, seed).runs]
    for length, count in CORE:
        for run in runs[:count]:
            folder = verilog.parent / f"program-{run.program}"
            elf, machine = folder / "program.elf", folder / "machine.json"
            if not elf.exists():
                made = program.build(run.program, folder)
                machine.write_text(profile.load("dec3000-600", run.settings).to_json())
                made.rename(elf)
            words = [bench, "--machine", machine, "--program", elf]
            words += ["--instructions", length, "--again", "none"]
            for key, value in run.options.items():
                words += [f"--{key}", value]
            name = f"program {run.program}, {length} instructions"
            yield Step(name, tuple(map(str, words)), 20 + length / 2000)


def lance(verilog: Path) -> Iterator[Step]:
    """Random histories of the chip, beside its model and, tick by tick, the exact engine's."""
    bench = verilator.build(verilog, verilator.LANCE_BENCH)
    exact, machine = models.build("liblance-exact.so"), verilog.with_name("machine.json")
    first = 0
    for count in LANCE:
        words = [bench, "histories", "--whole", "--machine", machine, "--exact", exact]
        words += ["--first", first, "--count", count]
        yield Step(f"{count} histories from {first}", tuple(map(str, words)), 30 + count)
        first += count


CORE = ((4_000, 8), (40_000, 4))  # instructions, and programs of that length
LANCE = (10, 40, 150)  # histories
JUDGES = {"AlphaLite": core, "LanceOnTc": lance}
