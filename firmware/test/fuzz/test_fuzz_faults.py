# SPDX-License-Identifier: BSD-2-Clause
"""The fuzzer notices faults that are planted in the protocols, one at a time (fuzzing.md).

By its first inputs alone (fuzz/seeds.c): what a run of any length begins with. Or, of the faults
that need more than one input, on the machine that lives on.
"""

import os
import re
import subprocess
from pathlib import Path

from firmware_support import faults
from firmware_support.faults import Fault
from firmware_support.host_build import (
    FIRMWARE,
    FUZZ,
    OUT,
    ROOT,
    fuzz_kernel,
    fuzz_replay,
    fuzz_replay_of,
    run,
)

from mcpi.base.process import heard

# `living`: the stack of the machine that lives on; `fast`: with the fast paths.
FAULTS = faults.read(FUZZ / "faults.toml", FIRMWARE / "protocols")
LIVING = [fault for fault in FAULTS if "living" in fault.how]
BY_SEEDS = [fault for fault in FAULTS if "living" not in fault.how]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "leak_check_at_exit=0"}


def program_with(fault: Fault) -> Path:
    folder = OUT / "faults" / fault.folder
    return fuzz_replay_of(fault.among(fuzz_kernel()[0], folder), folder, "fast" in fault.how)


def replay(program: Path, folder: Path) -> subprocess.CompletedProcess:
    """Replay all seeds, up to the first that breaks something."""
    folder.mkdir(parents=True, exist_ok=True)
    run([fuzz_replay(), "--seeds", folder])
    words = [str(w) for w in (program, "--replay", *sorted(folder.glob("seed*")))]
    return heard(words, env=ENVIRONMENT)


def test_nothing_is_noticed_without_a_fault(tmp_path: Path) -> None:
    done = replay(fuzz_replay(), tmp_path)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@faults.each(BY_SEEDS)
def test_planted_fault_is_noticed(fault: Fault, tmp_path: Path) -> None:
    program, noticed = program_with(fault), fault.how["noticed"]
    done = replay(program, tmp_path)
    again = f"again: {program.relative_to(ROOT)} --replay {tmp_path}/seed*"
    assert done.returncode == 1, f"{fault.name} is not noticed\n{again}"
    assert re.search(noticed, done.stderr), f"by {done.stderr[-2000:]}\n{again}"
    seed = re.search(r"--once \S*/(seed\d+)", done.stdout)[1]
    said = re.search(rf"[^\n]*({noticed})[^\n]*", done.stderr)[0]
    print(f"{fault.name}: {seed}, {said[:100]}")
    assert seed == f"seed{fault.how['seed']}", "faults.toml has another seed"


@faults.each(LIVING)
def test_living_machine_shows_it(fault: Fault) -> None:
    """And the line that is printed shows it again, with the very input that was the last."""
    program = program_with(fault)

    def live(*words: str) -> str:
        done = heard([program, *words], env=ENVIRONMENT)
        assert done.returncode == 1, f"{fault.name} is not noticed"
        assert re.search(fault.how["noticed"], done.stderr), done.stderr[-2000:]
        return re.search(r"again: fuzz (.*)", done.stdout)[1]

    line = live("--live", fault.how["living"], "1", "4000")
    assert live(*line.split()) == line
    print(f"{fault.name}: {line}")
    assert line.split()[-1] == fault.how["inputs"], "faults.toml has another number of inputs"
