# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi calibrate``: the one constant that is fitted, and how it was found.

The paper's CPU simulator charged a fixed, unnamed penalty for each taken branch. Here it is the
whole number of ticks with which STD TCP/IP's iCPI is nearest to the paper's; it is looked for once,
on that one version, and then holds for all (docs/architecture.md 5).
"""

import dataclasses
import re

from rich.console import Console
from rich.table import Table

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD, MACHINES
from mcpi.batch import perform
from mcpi.batch.plan import Experiment
from mcpi.engines import base as engines
from mcpi.machine.calibrated import KEY, nearest
from mcpi.machine.profile import load
from mcpi.papers import sigcomm96 as published
from mcpi.results import measure
from mcpi.spec import numbers, run_jobs
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.sigcomm96.plan import BASE

STACK, WARMUP = "tcp", 20
HEADING = f'[calibration."{KEY}"]'


@dataclasses.dataclass(frozen=True)
class Found:
    """iCPI by penalty, and which is nearest to ``target``."""

    target: float
    icpi: dict[int, float]

    @property
    def penalty(self) -> int:
        return nearest(self.target, self.icpi)


def calibrate(machine: str, round_trips: int, cores: int, write: bool) -> Found:
    """Measure every penalty the machine can have; ``write`` puts the result into its file."""
    path = MACHINES / f"{machine}.toml"
    if write and not path.is_file():
        raise UserError(f"--write: {path} is not a profile of machines/.")
    found = Found(published.path(STACK, BASE)["icpi"], _measure(machine, round_trips, cores))
    _show(found, load(machine).parameters[KEY])
    if write:
        path.write_text(written(path.read_text(), found, round_trips))
    return found


def _measure(machine: str, round_trips: int, cores: int) -> dict[int, float]:
    """iCPI of the client's path under ideal memory for each penalty in the parameter's range."""
    low, high = load(machine).ranges[KEY]
    experiments = [
        Experiment(f"penalty-{penalty}", record, (run_jobs.Job(1, run_jobs.IDEAL),))
        for penalty in range(low, high + 1)
        for record in [
            RunSpec(
                machine=machine,
                settings={KEY: str(penalty)},
                engine=EXACT,
                stack=STACK,
                variant=BASE,
                round_trips=round_trips,
                warmup=WARMUP,
            )
        ]
    ]
    engines.judged(experiments[0].spec)
    root, icpi = BUILD / "calibrate", {}
    with Bar() as bar:
        tasks = perform.build(experiments, root, bar)
        perform.perform(tasks, cores, bar)
    for penalty, e in zip(range(low, high + 1), experiments):
        count = measure.counters(root / e.name / run_jobs.IDEAL / "counters.json")
        client = count[numbers.CLIENT]["path"]
        icpi[penalty] = round(client["ticks"] / client["instructions"], 4)
    return icpi


def written(text: str, found: Found, round_trips: int) -> str:
    """The machine file with the fitted value and how it was found."""
    name = KEY.rpartition(".")[2]
    line = f"{name} = {found.penalty}           # ticks, 3..7; fitted: [calibration] below"
    text, lines = re.subn(rf"^{name}\s*=.*$", line, text, flags=re.M)
    if lines != 1:
        raise UserError(f"{KEY}: the machine file has {lines} lines of it; one is wanted.")
    text = text.partition(HEADING)[0].rstrip()
    rows = ", ".join(f"{penalty} = {icpi}" for penalty, icpi in found.icpi.items())
    return f"""{text}

{HEADING}
# Found by ./mcpi calibrate --round-trips {round_trips} --write, then frozen.
fitted_to = "iCPI of STD TCP/IP, client (SIGCOMM'96 Table 7)"
wanted = {found.target}
found = {found.icpi[found.penalty]}
icpi = {{ {rows} }}
"""


def _show(found: Found, now: int) -> None:
    table = Table("ticks per taken branch", "iCPI", "from the paper's", box=None, pad_edge=False)
    for penalty, icpi in found.icpi.items():
        mark = "  nearest" if penalty == found.penalty else ""
        mark += "  in the machine file" if penalty == now else ""
        table.add_row(str(penalty), f"{icpi:.4f}", f"{icpi - found.target:+.4f}{mark}")
    people = Console(stderr=True, highlight=False)
    people.print(f"STD TCP/IP under ideal memory; the paper's iCPI is {found.target}")
    people.print(table)
