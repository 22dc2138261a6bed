# SPDX-License-Identifier: BSD-2-Clause
"""Random machines, and random programs on each of them; docs/verification/random-tests.md.

Configuration ``n`` of a seed is one machine as elaborated and a few runs on it, each with run-time
parameters, surroundings and a program of its own. What has passed is recorded in ``build/random/``
under a digest of everything it depends on, so that a second start goes on where the first ended.
"""

import hashlib
import json
import os
import random
import subprocess
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mcpi.base import staging
from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, ROOT
from mcpi.hdl import scala
from mcpi.hdl.cocotb_run import elaborate_all
from mcpi.isa import table
from mcpi.machine import profile
from verify.random import build, inputs, program

COUNT = 52
RUNS = 4  # per configuration
WITHHELD = 30  # percent of clocks, where two copies of a core are compared
BACK_OF = 3  # one of so many machines has a write-back D-cache
WAYS_OF = 4  # one of so many machines has small caches with ways; not a write-back one
FOLDER = BUILD / "random"
SEED = int(os.environ.get("MCPI_SEED", "1"))
# Sources that decide a run, next to the RTL.
_ROOMS = ("sim/bench/core", "sim/alpha", "sim/base", "sim/check", "tools/mcpi/isa")
_MAKERS = ("blocks.py", "system.py", "far_programs.py", "program.py", "inputs.py")
_MAKERS += ("configurations.py", "configurations.toml")

# Tables to draw from; each entry has its bins (``inputs.py``).
_DRAWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())


def _input(
    choice: Sequence = (), span: Sequence[int] = ()
) -> inputs.Choice | inputs.Span | inputs.Mixed:
    if not span:
        return inputs.Choice(tuple(choice))
    return inputs.Mixed(tuple(choice), *span) if choice else inputs.Span(*span)


ELABORATED, WRITE_BACK, SMALL, WAYS, ACTING, PENALTIES, MODES, OPTIONS = (
    {key: _input(**how) for key, how in _DRAWN[name].items()}
    for name in "elaborated write-back small ways acting penalties modes options".split()
)
_TABLES = (ELABORATED, WRITE_BACK, WAYS, ACTING, PENALTIES, MODES, OPTIONS)


@dataclass(frozen=True)
class Run:
    """A program on a machine: settings of both kinds, options of ``mcpi-core``."""

    program: int
    settings: dict[str, str]
    options: dict[str, int]
    far: bool = False  # the program's blocks lie in all of RAM


@dataclass(frozen=True)
class Configuration:
    """A machine and its runs; ``settings`` shape the Verilog."""

    number: int
    seed: int
    settings: dict[str, str]
    runs: list[Run]

    @property
    def again(self) -> str:
        """The line that repeats it."""
        return f"MCPI_SEED={self.seed} MCPI_CONFIGURATION={self.number} ./mcpi test -k test_random"


def draw(number: int, seed: int = SEED) -> Configuration:
    """Configuration ``number``; number 0 is the machine of the paper, as elaborated."""
    rng = random.Random(f"{seed} {number}")
    settings = {} if number == 0 else inputs.drawn(ELABORATED, rng)
    back = number % BACK_OF == BACK_OF - 1
    settings |= _write_back(number, seed) if back else {}
    settings |= _ways(number, seed, back) if number % WAYS_OF == 1 else {}
    runs = []
    for n in range(RUNS):
        ideal = n == RUNS - 1 and not back
        acting = _acting(rng, ideal=ideal, predicting=(number + n) % 2 == 0)
        options = _options(rng)
        runs.append(Run(rng.randrange(1, 1 << 30), settings | acting, options))
        profile.load("dec3000-600", runs[-1].settings)  # in range, or an error that says which
    return Configuration(number, seed, settings, runs)


def far(number: int, settings: Mapping[str, str], seed: int = SEED) -> Run:
    """A run on the machine of the paper, with prediction, of a program whose blocks lie in all of
    RAM (``far_programs.py``); what ``settings`` do not say is drawn."""
    rng = random.Random(f"{seed} far {number}")
    acting = _acting(rng, ideal=False, predicting=True)
    options = _options(rng)
    return Run(rng.randrange(1, 1 << 30), acting | settings, options, far=True)


def _options(rng: random.Random) -> dict[str, int]:
    return {"seed": rng.randrange(1, 1 << 30)} | {
        key: int(value) for key, value in inputs.drawn(OPTIONS, rng).items()
    }


def _write_back(number: int, seed: int) -> dict[str, str]:
    rng = random.Random(f"{seed} {number} back")
    return {"dcache.policy": "back"} | inputs.drawn(WRITE_BACK, rng)


def _ways(number: int, seed: int, back: bool) -> dict[str, str]:
    rng = random.Random(f"{seed} {number} ways")
    drawn = inputs.drawn(SMALL, rng)
    return drawn | inputs.drawn({k: v for k, v in WAYS.items() if not back or k[0] == "i"}, rng)


def _acting(rng: random.Random, ideal: bool, predicting: bool) -> dict[str, str]:
    mode = {"memory.ideal": "on" if ideal else "off"}
    mode["core.prediction"] = "ev4" if predicting else "paper"
    return inputs.drawn(ACTING, rng) | mode | inputs.drawn(PENALTIES, rng)


def bins() -> list[str]:
    """The bins of what is drawn for machines and runs (``inputs.py``)."""
    return inputs.bins(*_TABLES)


def met(configuration: Configuration) -> Counter[str]:
    """How often the configuration and its runs fall into each bin."""
    total = inputs.met(configuration.settings, ELABORATED, WRITE_BACK, WAYS)
    for run in configuration.runs:
        total += inputs.met(run.settings, ACTING, PENALTIES, MODES)
        total += inputs.met({key: str(value) for key, value in run.options.items()}, OPTIONS)
    return total


@cache
def judges() -> str:
    """Digest of everything but the configuration that a result depends on."""
    sum_ = hashlib.sha256(scala.digest().encode())
    found = (p for room in _ROOMS for p in sorted((ROOT / room).rglob("*")))
    paths = [p for p in found if p.is_file() and p.suffix != ".pyc"]
    paths += [table.FILE, *(Path(__file__).with_name(name) for name in _MAKERS)]
    for path in paths:
        sum_.update(path.read_bytes())
    return sum_.hexdigest()[:16]


def record(configuration: Configuration, instructions: int) -> Path:
    """Where the result of a passed configuration is kept."""
    name = f"{configuration.seed}-{configuration.number}-{instructions}.json"
    return FOLDER / judges() / name


def elaborate(configurations: list[Configuration]) -> None:
    """The Verilog of all of them with one start of Java."""
    elaborate_all("AlphaLite", [profile.load("dec3000-600", c.settings) for c in configurations])


def check(configuration: Configuration, instructions: int, jobs: int = 1) -> dict:
    """Build and run it; AssertionError with the bench's report when anything differs."""
    began = time.monotonic()
    bench = build.bench(configuration.settings, jobs)
    built = time.monotonic() - began
    passed = []
    for number, run in enumerate(configuration.runs):
        passed.append(_run(bench, configuration, number, run, instructions // RUNS))
    result = {
        "configuration": configuration.number,
        "seed": configuration.seed,
        "settings": configuration.settings,
        "instructions": sum(p["instructions"] for p in passed),
        "ticks": sum(p["ticks"] for p in passed),
        "build_seconds": round(built, 1),
        "run_seconds": round(sum(p["wall_seconds"] for p in passed), 1),
        "runs": [p | {"settings": r.settings} for p, r in zip(passed, configuration.runs)],
    }
    path = record(configuration, instructions)
    staging.write(path, json.dumps(result))
    return result


def covering(seed: int) -> list[Run]:
    """Runs whose coverage is asked for: those of configuration 0. With ideal memory DMA comes
    often, as only there it may end in any tick around a fill."""
    return [
        replace(run, options=run.options | {"dma-every": 20}) if _is_ideal(run) else run
        for run in draw(0, seed).runs
    ]


def _is_ideal(run: Run) -> bool:
    return run.settings["memory.ideal"] == "on"


def cover(seed: int, number: int, instructions: int) -> dict:
    """Report of ``mcpi-core`` on run ``number`` of ``covering(seed)``; AssertionError as ``check``.
    What has passed is recorded."""
    path = FOLDER / judges() / f"coverage-{seed}-{number}-{instructions}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with hold(path.with_suffix(".lock"), "runs a random program"):
        if not path.exists():
            run, drawn = covering(seed)[number], draw(0, seed)
            bench = build.bench(drawn.settings)
            said = _run(bench, drawn, f"coverage-{number}", run, instructions)
            staging.write(path, json.dumps(said))
    return json.loads(path.read_text())


def check_clocks(
    configuration: Configuration, instructions: int, bench: Path | None = None
) -> list[dict]:
    """Run two copies of the core with the same programs and surroundings, the second with clocks
    withheld at random.

    AssertionError unless both do the same in every tick, as far as what the benches say goes: ticks
    and their owners, transactions, traps, retired opcodes. What the first said is returned.
    ``bench``: of another such core.
    """
    bench = bench or build.bench(configuration.settings)
    said = []
    for number, run in enumerate(configuration.runs):
        first, withheld = (
            _run(
                bench,
                configuration,
                f"{number}-{percent}",
                replace(run, options=run.options | {"withhold": percent}),
                instructions // RUNS,
                ["--withhold-apart"],
            )
            for percent in (0, WITHHELD)
        )
        differ = {key for key in first if first[key] != withheld[key]} - {"clocks", "wall_seconds"}
        each = "\n".join(f"{key}: {first[key]}, {withheld[key]}" for key in differ)
        assert not differ, f"with clocks withheld:\n{each}"
        assert withheld["clocks"] > first["clocks"]
        said.append(first)
    return said


def _run(
    bench: Path,
    configuration: Configuration,
    number: int | str,
    run: Run,
    instructions: int,
    flags: Sequence[str] = (),
) -> dict:
    folder = FOLDER / judges() / f"work-{configuration.seed}-{configuration.number}-{number}"
    done = execute(bench, folder, run, instructions, configuration.again, flags)
    if done.returncode:
        settings = " ".join(f"{k}={v}" for k, v in run.settings.items())
        said = f"configuration {configuration.number}: {settings} {' '.join(flags)}"
        raise AssertionError(f"{said}\n{done.stderr}")
    return json.loads(done.stdout)


def execute(
    bench: Path,
    folder: Path,
    run: Run,
    instructions: int,
    again: str,
    flags: Sequence[str] = (),
    **more,
) -> subprocess.CompletedProcess[str]:
    """Make the program and start the bench on it; ``folder`` keeps the words that retired."""
    elf = program.build(run.program, folder, far=run.far)
    description = folder / "machine.json"
    description.write_text(profile.load("dec3000-600", run.settings).to_json())
    words = folder / "words"
    words.unlink(missing_ok=True)
    command = [bench, "--machine", description, "--program", elf]
    command += ["--instructions", instructions, "--again", again, "--words", words, *flags]
    for key, value in run.options.items():
        command += [f"--{key}", value]
    done = heard(command, **more)
    elf.unlink()
    return done


def known(configuration: Configuration, instructions: int) -> dict | None:
    """The recorded result, when there is one."""
    path = record(configuration, instructions)
    return json.loads(path.read_text()) if path.exists() else None
