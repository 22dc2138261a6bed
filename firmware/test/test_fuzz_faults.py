# SPDX-License-Identifier: BSD-2-Clause
"""The fuzzer notices faults that are planted in the protocols, one at a time (fuzzing.md).

By its first inputs alone (fuzz/seeds.c): what a run of any length begins with. Or, of the faults
that need more than one input, on the machine that lives on.
"""

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from host_build import FIRMWARE, OUT, ROOT, fuzz_replay, fuzz_replay_with, run

from mcpi.base.process import heard


@dataclass(frozen=True)
class Fault:
    """A row of ``fuzz/faults.toml``."""

    name: str
    file: str  # below firmware/protocols
    old: str
    new: str
    noticed: str
    living: str = ""  # the stack of the machine that lives on
    fast: bool = False  # with the fast paths

    def replay(self) -> Path:
        """The fuzzer's program with the fault in it."""
        source = FIRMWARE / "protocols" / self.file
        text = source.read_text()
        assert text.count(self.old) == 1, f"{self.name}: does not apply to {self.file}"
        changed = text.replace(self.old, self.new)
        return fuzz_replay_with(source, changed, OUT / "faults" / self.name, self.fast)


ROWS = tomllib.loads((FIRMWARE / "test" / "fuzz" / "faults.toml").read_text())["fault"]
FAULTS = [Fault(**row) for row in ROWS]
PAGE = ROOT / "docs" / "verification" / "fuzzing.md"
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "leak_check_at_exit=0"}


def on_page(fault: Fault) -> str:
    """What the page's row of this fault says: the seed, or the number of inputs."""
    column = "inputs" if fault.living else "seed"
    table = re.search(rf"^\| fault .* {column} \|\n.*\n((\|.*\n)+)", PAGE.read_text(), re.M)
    rows = table[1].splitlines()
    faults = [f for f in FAULTS if bool(f.living) == bool(fault.living)]
    assert len(rows) == len(faults), f"{PAGE.name} has {len(rows)} rows"
    return rows[faults.index(fault)].split("|")[-2].strip()


def replay(program: Path, folder: Path) -> subprocess.CompletedProcess:
    """Of all seeds, up to the first that breaks something."""
    folder.mkdir(parents=True, exist_ok=True)
    run([fuzz_replay(), "--seeds", folder])
    words = [str(w) for w in (program, "--replay", *sorted(folder.glob("seed*")))]
    return heard(words, env=ENVIRONMENT)


def test_nothing_is_noticed_without_a_fault(tmp_path: Path) -> None:
    done = replay(fuzz_replay(), tmp_path)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize("fault", [f for f in FAULTS if not f.living], ids=lambda f: f.name)
def test_planted_fault_is_noticed(fault: Fault, tmp_path: Path) -> None:
    program = fault.replay()
    done = replay(program, tmp_path)
    again = f"again: {program.relative_to(ROOT)} --replay {tmp_path}/seed*"
    assert done.returncode == 1, f"{fault.name} is not noticed\n{again}"
    assert re.search(fault.noticed, done.stderr), f"by {done.stderr[-2000:]}\n{again}"
    seed = re.search(r"--once \S*/(seed\d+)", done.stdout)[1]
    said = re.search(rf"[^\n]*({fault.noticed})[^\n]*", done.stderr)[0]
    print(f"{fault.name}: {seed}, {said[:100]}")
    assert seed == f"seed{on_page(fault)}", PAGE


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.living], ids=lambda f: f.name)
def test_living_machine_shows_it(fault: Fault) -> None:
    """And the line that is printed shows it again, with the very input that was the last."""
    program = fault.replay()

    def live(*words: str) -> str:
        done = heard([program, *words], env=ENVIRONMENT)
        assert done.returncode == 1, f"{fault.name} is not noticed"
        assert re.search(fault.noticed, done.stderr), done.stderr[-2000:]
        return re.search(r"again: fuzz (.*)", done.stdout)[1]

    line = live("--live", fault.living, "1", "4000")
    assert live(*line.split()) == line
    print(f"{fault.name}: {line}")
    assert line.split()[-1] == on_page(fault), PAGE
