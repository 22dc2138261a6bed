# SPDX-License-Identifier: BSD-2-Clause
"""A run of which every tick of both machines is wanted, from one tick to another (``--span``).

It is made in two steps, because nobody knows the ticks beforehand: ``look`` runs with an event at
each address that is asked for, ``log`` runs the same again and writes the span. Both give the same
ticks, as every run of a spec does.
"""

import dataclasses
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.progress import Bar
from mcpi.build import graph, run_folder
from mcpi.engines import base as engines
from mcpi.engines import program as programs
from mcpi.engines.simulate import PEER_PAL, simulate
from mcpi.firmware import regions
from mcpi.firmware.elf import EVENT, Marker
from mcpi.hdl import hierarchy, verilator
from mcpi.machine.profile import Machine
from mcpi.spec import run_jobs
from mcpi.spec.node_spec import CALLED, SCRIPT, NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import BOARD, EXACT
from mcpi.spec.spec import Spec

PASSED = 100  # the number of our event; those of firmware/platform/marker.h are small
STAMP = f"event_{PASSED}"
KEPT = (
    "image.elf",
    "peer.elf",
    "pal.elf",
    PEER_PAL,
    "image.json",
    "peer.json",
    "machine.json",
    "spec.json",
)
KEPT += ("Node.json", SCRIPT, CALLED, "markers.0.csv", "markers.1.csv", *programs.GUARDS)
TOP = "node.Node"  # as Verilator names it


def judged(spec: Spec) -> Machine:
    """Everything that can be wrong with a spec, before anything is built."""
    if spec.engine == BOARD:
        raise UserError(
            "boards do not show their ticks; --engine exact or rtl runs the same again."
        )
    if isinstance(spec, NodeSpec) and spec.alone:
        raise UserError(f"{spec.title}: a node of several cores has no trace of a span.")
    if isinstance(spec, ProgramSpec) and spec.alone and spec.engine != EXACT:
        raise UserError(
            f"{spec.title}: engine exact alone traces a program on several cores; leave --engine "
            f"{spec.engine} out."
        )
    return engines.judged(spec)


@dataclass(frozen=True)
class Prepared:
    """A folder with all that the run depends on. ``counted``: what the run that is repeated has
    counted, if it is an earlier one."""

    place: Path
    spec: Spec
    machine: Machine
    simulator: Path
    counted: str = ""

    def image(self, node: int) -> Path:
        peer = self.place / "peer.elf"
        return peer if node and peer.exists() else self.place / "image.elf"

    def look(self, node: int, addresses: list[int], bar: Bar) -> RunError | None:
        """Leave the run's stamps, with ``STAMP`` for each passage of one of ``addresses``
        (virtual). Why the run failed, if it did and has left its files."""
        options = self._markers()
        if addresses:
            file = self.place / f"markers.{node}.csv"
            text = file.read_text() if file.exists() else self._own(node)
            own = self.place / "look.csv"
            more = regions.text([Marker(at, EVENT, PASSED) for at in addresses])
            own.write_text(text + more)
            options = [*self._markers(but=node), *self._marked(node, own.name)]
        return self._run(options, bar, "where it is")

    def log(self, start: int, end: int, more: list[str], bar: Bar) -> RunError | None:
        """Leave ``span.N.csv`` and ``accesses.N.csv`` (simulator.md) of ticks ``start`` to
        ``end`` - 1. ``more``: further options of the simulator. As ``look``."""
        if self._alone:
            more = [*more, "--span-of", str(self.spec.core)]
        return self._run([*self._markers(), "--span", f"{start}:{end}", *more], bar, "trace")

    def waves(self, node: int, modules: list[str]) -> list[str]:
        """Options for ``log`` that leave ``waves.vcd`` too."""
        words = ["--waves", str(node)]
        for path in scopes(self.machine, modules, True):
            words += ["--waves-scope", f"{TOP}.{path}"]
        return words

    def _run(self, options: list[str], bar: Bar, title: str) -> RunError | None:
        phases = run_jobs.phases(self.spec, 1, self.machine)
        (self.place / "run.json").unlink(missing_ok=True)
        with bar.task(title, self.spec.steps) as update:
            usual = ["--passages"] if self._alone else ["--no-oracle"]
            options = [*options, *programs.guards(self.place), *usual]
            words = (self.simulator, self.place, ".", self.spec, phases, options)
            try:
                simulate(*words, update=update)
            except RunError as error:
                if (self.place / "run.json").exists():
                    return error
                raise
        if self.counted and (self.place / "counters.json").read_text() != self.counted:
            raise RunError(
                f"{self.place}: the same images have other counters today; the simulator has "
                "changed since. Run it again, and trace that run."
            )
        return None

    def _own(self, node: int) -> str:
        return regions.text(regions.Image(self.image(node)).markers)

    def _markers(self, but: int = -1) -> list[str]:
        """A program's markers are what is measured of it."""
        there = (n for n in (0, 1) if n != but and (self.place / f"markers.{n}.csv").exists())
        return [word for n in there for word in self._marked(n, f"markers.{n}.csv")]

    def _marked(self, node: int, file: str) -> list[str]:
        """Options that give a node its markers."""
        return ["--markers", file] if self._alone else ["--node", f"{node}:markers={file}"]

    @property
    def _alone(self) -> bool:
        return isinstance(self.spec, ProgramSpec) and self.spec.alone


def prepare(spec: Spec, machine: Machine, place: Path, bar: Bar, waves: bool = False) -> Prepared:
    """Build what changed, and put it into ``place``. ``waves``: a simulator that has them."""
    around = verilator.WAVES if waves else None
    if isinstance(spec, ProgramSpec):
        built = programs.prepare(spec, machine, place, bar, around)
        return Prepared(place, spec, machine, built.simulator)
    built = graph.build(spec, machine, bar, around)
    run_folder.prepare(place, spec, machine, built, [run_jobs.Job(1, run_jobs.REAL)])
    return Prepared(place, spec, machine, built.simulator)


def again(
    folder: Path, spec: Spec, machine: Machine, place: Path, bar: Bar, waves: bool = False
) -> Prepared:
    """The run in ``folder`` with its own images, on the simulator of today."""
    place.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, place / name)
    simulator, node_json = graph.simulator(
        spec.engine, machine, bar, verilator.WAVES if waves else None
    )
    if node_json:
        shutil.copyfile(node_json, place / "Node.json")
    counters = folder / "counters.json"  # of a run that failed there may be none
    counted = counters.read_text() if counters.exists() else ""
    return Prepared(place, spec, machine, simulator, counted)


def scopes(machine: Machine, modules: list[str], built: bool) -> list[str]:
    """The paths of the instances that ``modules`` name, by path, name or module. UserError for one
    that there is not; if the Verilog is not there yet, only when it is ``built``."""
    verilog = graph.verilog(machine)
    if not (built or verilog.exists()):
        return []
    there = hierarchy.instances(verilog, "Node")
    found = []
    for name in modules:
        paths = [
            path
            for path, kind in there.items()
            if name in (path, kind, path.rpartition(".")[2], path.removesuffix("_1"))
        ]
        if not paths:
            names = dict.fromkeys([*there, *there.values()])
            tops = ", ".join(path for path in there if "." not in path)
            hint = nearest(name, names)
            raise UserError(f"--modules {name}: no instance or module. At the top: {tops}.{hint}")
        found += paths
    return found


def recorded(folder: Path) -> Spec:
    """The spec of the run in ``folder``, without the fields that a trace does not repeat."""
    try:
        spec = run_folder.read_spec(folder)
    except OSError as error:
        why = "no spec.json in it" if folder.is_dir() else error.strerror
        raise UserError(
            f"{folder}: {why}; it is no finished run's folder. ./mcpi run leaves one in results/."
        ) from None
    except (ValueError, TypeError):
        raise UserError(f"{folder}: its spec.json is of another release.") from None
    if isinstance(spec, NodeSpec):
        return dataclasses.replace(spec, script=spec.script and str(folder / SCRIPT))
    plain = {"tick_log": "", "recording": False, "trace": "", "cold": False}
    if isinstance(spec, ProgramSpec):  # sources may have gone, and changed
        peer = (str(folder / "peer.elf"),) if spec.peer else ()
        plain |= {"sources": (str(folder / "image.elf"),), "peer": peer, "repeat": 1}
        plain |= {"defines": (), "optimise": ProgramSpec.optimise}
    else:
        plain |= {"samples": 1, "image": spec.image and str(folder / "image.elf")}
    return dataclasses.replace(spec, **plain)


def ticks(folder: Path) -> int:
    """How long the run in ``folder`` was."""
    return json.loads((folder / "run.json").read_text())["ticks"]
