# SPDX-License-Identifier: BSD-2-Clause
"""Several cores of the exact engine: nothing is lost, and every history keeps the sheet's rules."""

import json
import os
from pathlib import Path

import pytest
from sim_support import coherent_programs, planted
from sim_support.coherent_checker import Checker, Wrong
from sim_support.simulators import PAL_BASE, guest, run

from mcpi.build import models
from mcpi.machine import profile
from verify.long_tests import sampled

MISTAKES = planted.mistakes("exact_coherent_mutants")
SEEDS = 40  # which find each mistake


def run_cores(program: Path, folder: Path, machine: profile.Machine, image: Path, **more):
    """The node from reset to its end; its files are in ``folder``."""
    (folder / "machine.json").write_text(machine.to_json())
    words = [program, "--machine", folder / "machine.json", "--image", image, "--out", folder]
    words += ["--pal", guest("pal", folder, PAL_BASE), "--max-ticks", 2_000_000]
    return run(*words, "--history", check=False, text=True, **more)


def judge(folder: Path, machine: profile.Machine) -> None:
    """Wrong says which rule is broken."""
    checker = Checker(machine.parameters)
    checker.run(folder / "history.csv", json.loads((folder / "run.json").read_text())["ticks"])
    checker.counters(json.loads((folder / "counters.json").read_text()))


@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize("name", ["dec3000-mp", "challenge-100"])
def test_cores_count_together(tmp_path, name, count):
    """By LDQ_L and STQ_C; then they interrupt core 0."""
    machine = profile.load(name, {"core.count": str(count)})
    image = guest("cores", tmp_path)
    done = run_cores(models.build("mcpi-exact"), tmp_path, machine, image)
    assert done.returncode == 0, done.stderr
    if count < 8:  # else the checker takes long
        judge(tmp_path, machine)
    cores = json.loads((tmp_path / "counters.json").read_text())["cores"]
    stored = sum(c["all"]["locks.conditional"] - c["all"]["locks.failed"] for c in cores)
    assert stored == 200 * count


def random_run(program: Path, folder: Path, seed: int, **more) -> profile.Machine:
    settings = coherent_programs.settings(seed)
    machine = profile.load("dec3000-mp", settings)
    text = coherent_programs.program(seed, int(settings["core.count"]))
    done = run_cores(program, folder, machine, guest("guest", folder, text=text), **more)
    if done.returncode:
        raise Wrong(done.stderr)
    return machine


@pytest.mark.parametrize("seed", sampled(range(300), lambda seed: seed < 4))
def test_a_random_program_keeps_the_rules(tmp_path, seed):
    judge(tmp_path, random_run(models.build("mcpi-exact"), tmp_path, seed))


@pytest.mark.parametrize(
    "number", sampled(range(1, len(MISTAKES) + 1), lambda number: number in (1, 19))
)
def test_a_mistake_is_found(tmp_path, number):
    """By the checker, which reads history and counters of a few random programs."""
    program, mistake = planted.program("mcpi-exact"), MISTAKES[number - 1]
    for seed in range(SEEDS):
        try:
            machine = random_run(program, tmp_path, seed, env=os.environ | mistake.environment)
            judge(tmp_path, machine)
        except Wrong:
            return
    raise AssertionError(f"{mistake.title}: nothing has found it")


def test_what_a_node_of_several_cores_has_not_is_refused(tmp_path):
    machine = profile.load("dec3000-mp", {"core.count": "1", "memory.ideal": "on"})
    done = run_cores(models.build("mcpi-exact"), tmp_path, machine, guest("cores", tmp_path))
    assert done.returncode == 2 and "memory.ideal" in done.stderr
