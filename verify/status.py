# SPDX-License-Identifier: BSD-2-Clause
"""Cells of the table of status: a claim about a machine's circuit, and the command that shows it.

``./mcpi python -m verify.status CLAIM MACHINE…`` runs the command for each machine. Only a command
that has passed writes a cell, and only of a commit: ``mcpi.fpga.status`` prints the table.

- ``exact``: a run of both engines, file by file. A machine of one core whose caches have an ideal
  memory runs TCP; one with a write-back D-cache, a node of TR 93-04; coherent cores, two points of
  OSDI'94 on all of them.
- ``proofs``: each proof of a circuit that the machine has: the plain parts, and those with its
  ways, victims, write-back, TLBs or coherent caches.
- ``mutants``: the planted mistakes of core, LANCE and counters, and of the machine's features.
- ``gates``: the cells of the node as a board has it, beside the RTL.
- ``placed``: a bitstream of the board that has room and most ticks a second.
- ``pins``: two whole boards at their pins, beside engine exact.
"""

import datetime
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD, ROOT
from mcpi.batch import perform, repeat
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.cli.main import ended
from mcpi.fpga import history, machine_sizes, status
from mcpi.hdl import cocotb_run
from mcpi.machine import profile
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.osdi94 import plan as osdi94
from mcpi.studies.tr9304 import plan as tr9304
from verify import baseline_parts, sby
from verify.sby import Proof

SHORT = Extent({"tcp": 1}, 3, 0)
ROOMS = tuple(
    ROOT / place / "formal"
    for place in ("cores/alpha-lite", "rtl/memory", "rtl/node", "rtl/counters", "lance-ip")
)
COUNTED = re.compile(r"^(\d+ passed.*?)(?: in .*)?$", re.M)
# Tests whose planted mistakes concern every machine; those of a feature follow.
MUTANTS = (
    "cores/alpha-lite/test/test_mutants.py",
    "lance-ip/test/test_lance_mutants.py",
    "sim/test/check/test_counter_mutants.py",
)
OF_FEATURE = {
    "ways": ("cores/alpha-lite/test/loadstore/test_ways.py",),
    "victims": ("cores/alpha-lite/test/loadstore/test_victims.py",),
    "write-back": ("cores/alpha-lite/test/loadstore/test_write_back.py",),
    "TLBs": ("sim/test/rtl/test_translation_rtl.py", "sim/test/rtl/test_translation_gates.py"),
    "coherent": ("sim/test/rtl/cores",),
}


def features(machine: Machine) -> set[str]:
    """Parts of a circuit that not every machine has; keys of ``OF_FEATURE``."""
    values = machine.parameters
    caches = ("icache", "dcache")
    there = {
        "ways": any(values[f"{cache}.ways"] > 1 for cache in caches),
        "victims": any(values[f"{cache}.victims"] > 0 for cache in caches),
        "write-back": values["dcache.policy"] == "back",
        "TLBs": machine.translates,
        "coherent": machine.coherent,
    }
    return {name for name, has in there.items() if has}


def experiments(machine: Machine) -> list[Experiment]:
    """Short runs of a machine: its own caches, clock and cores."""
    wanted = Wanted(RunSpec(machine=machine.name, engine=EXACT))
    if machine.coherent:
        curves = (osdi94.Curve(machine.name, "tcp", "receive"),)
        curves += (osdi94.Curve(machine.name, osdi94.LOCKS),)
        points = [osdi94.Point(curve, machine.parameters["core.count"]) for curve in curves]
        return [osdi94.experiment(wanted, baseline_parts.TIME, point) for point in points]
    if machine.parameters["dcache.policy"] == "back":
        configuration = tr9304.Configuration("bsd", tr9304.LARGE)
        boots = tr9304.boots(wanted, baseline_parts.MESSAGES, configuration)
        return [_on(machine, experiment) for experiment in boots]
    return [Experiment.of(machine.name, wanted.spec(SHORT, "tcp", "std"), ())]


def exact(machine: Machine) -> str:
    """Runs of both engines; RunError if a file differs."""
    root = BUILD / "status" / machine.name
    ours = experiments(machine)
    shutil.rmtree(root, ignore_errors=True)
    with Bar() as bar:
        tasks = perform.build(ours, root / repeat.RUNS, bar)
        tasks += perform.build([repeat.on_rtl(e) for e in ours], root / repeat.RTL, bar)
        perform.perform(tasks, 1, bar)
    return str(repeat.compared(ours, ours, root))


def proofs_of(machine: Machine, rooms: Iterable[sby.Room]) -> list[tuple[sby.Room, Proof]]:
    """Proofs whose circuit has no feature that the machine lacks."""
    own = features(machine)
    return [
        (room, proof)
        for room in rooms
        for proof in room.proofs
        if features(profile.load(proof.on, dict(proof.machine))) <= own
    ]


def _on(machine: Machine, experiment: Experiment) -> Experiment:
    """The experiment on this machine, without settings that make another circuit."""
    given = experiment.spec.settings.items()
    kept = {key: value for key, value in given if machine.acts[key] != "elaborate"}
    return replace(experiment, spec=replace(experiment.spec, machine=machine.name, settings=kept))


def proofs(machine: Machine) -> str:
    """Proofs of the machine's circuit; RunError with the first that fails."""
    found = proofs_of(machine, [sby.room(place) for place in ROOMS])
    for room, proof in found:
        verilog = cocotb_run.elaborate(proof.block, proof.on, dict(proof.machine)).read_text()
        outcome = sby.prove(proof, room.folder, room.includes, verilog)
        print(f"{proof.name}: {outcome}", flush=True)
        if not outcome.passed:
            raise RunError(f"{machine.name}: proof {proof.name}: {outcome}")
    return f"{len(found)} proofs hold"


def mutants(machine: Machine) -> str:
    """Tests that plant mistakes; RunError unless each passes."""
    own = sorted(features(machine))
    files = [*MUTANTS, *(file for name in own for file in OF_FEATURE[name])]
    return _counted(["-m", "pytest", "-q", "-m", "", "-k", "mutant or mistake", *files])


def gates(machine: Machine) -> str:
    """``./mcpi board netlist``; its last line."""
    return _last("board", "netlist", "--machine", machine.name)


def placed(machine: Machine) -> str:
    """``./mcpi board build`` on the first board that has room, one placement; what it gives."""
    if not (fitting := machine_sizes.boards_of()[machine.name]):
        raise UserError(f"placed {machine.name}: no board has its block RAMs: board list --sizes.")
    said = _last("board", "build", fitting[0], "--machine", machine.name, "--seeds", "1")
    return f"{fitting[0]}: {said}"


def pins(machine: Machine) -> str:
    """Two boards at their pins in exact time: ``boards/test/test_exact_seeds.py``."""
    if machine.name != sby.MACHINE:
        raise UserError(f"pins {machine.name}: the test has {sby.MACHINE} alone.")
    return _counted(["-m", "pytest", "-q", "-m", "", "boards/test/test_exact_seeds.py"])


EACH: dict[str, Callable[[Machine], str]] = {
    "exact": exact,
    "proofs": proofs,
    "mutants": mutants,
    "gates": gates,
    "placed": placed,
    "pins": pins,
}


def _heard(words: list[str]) -> str:
    """Output of the command, which is printed too; RunError unless it passes."""
    said = []
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            said.append(line)
    if running.returncode:
        raise RunError(f"{' '.join(words)}: ended with status {running.returncode}; no cell.")
    return "".join(said)


def _last(*words: str) -> str:
    """The last line of a command of ``./mcpi``."""
    return _heard([sys.executable, "-m", "mcpi", *words]).strip().splitlines()[-1].strip()


def _counted(words: list[str]) -> str:
    """The counts of pytest; RunError if it counts no test."""
    counts = COUNTED.findall(_heard([sys.executable, *words]))
    if not counts:
        raise RunError(f"{' '.join(words)}: no test was counted; no cell.")
    return counts[-1]


def fill(claim: str, name: str) -> status.Cell:
    """Show a claim about a machine file and write its cell. UserError for a word that is none, and
    with changes that no commit has."""
    if claim not in EACH:
        raise UserError(f"{claim}: no such claim. There are: {', '.join(EACH)}.")
    machine, commit = profile.load(name), history.commit(status.FILE)
    day = datetime.date.today().isoformat()
    cell = status.Cell(name, claim, commit, day, status.circuit(machine), EACH[claim](machine))
    status.write(cell)
    return cell


def main() -> None:
    if len(sys.argv) < 3:
        raise UserError("usage: ./mcpi python -m verify.status CLAIM MACHINE…")
    for name in sys.argv[2:]:
        print(f"{name}, {sys.argv[1]}: {fill(sys.argv[1], name).shown}")


if __name__ == "__main__":
    ended(main)
