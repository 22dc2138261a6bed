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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.repo import BUILD
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
    """What a simulator says of a run, without what differs each time."""
    try:
        rows = json.loads(said)
    except json.JSONDecodeError:
        return said
    return {key: value for key, value in rows.items() if key not in _TIMES}


def core(verilog: Path, lengths: Sequence[int]) -> Iterator[Step]:
    """Random programs on the paper's machine, in the surroundings of its random tests."""
    bench = verilator.build(verilog, verilator.CORE)
    for length in lengths:
        for seed in (configurations.SEED, configurations.SEED + 1):
            for n, run in enumerate(configurations.draw(0, seed).runs):
                folder = verilog.parent / f"program-{seed}-{n}"
                elf = folder / "program.elf"
                if not elf.exists():
                    program.build(run.program, folder).rename(elf)
                    machine = profile.load("dec3000-600", run.settings)
                    (folder / "machine.json").write_text(machine.to_json())
                words = [bench, "--machine", folder / "machine.json", "--program", elf]
                words += ["--instructions", length, "--again", "none"]
                for key, value in run.options.items():
                    words += [f"--{key}", value]
                name = f"program {run.program}, {length} instructions"
                yield Step(name, tuple(map(str, words)), 20 + length / 5000)


def lance(verilog: Path, counts: Sequence[int]) -> Iterator[Step]:
    """Random histories of the chip."""
    bench = verilator.build(verilog, verilator.LANCE_BENCH)
    first = 0
    for count in counts:
        words = [bench, "histories", "--machine", verilog.with_name("machine.json")]
        words += ["--first", first, "--count", count]
        yield Step(f"histories {first} to {first + count - 1}", tuple(map(str, words)), 20 + count)
        first += count


JUDGES: dict[str, tuple[Callable, Sequence[int]]] = {
    "AlphaLite": (core, (4_000, 40_000, 200_000)),
    "LanceOnTc": (lance, (10, 40, 150, 300)),
}
FOLDER = BUILD / "mutation"
