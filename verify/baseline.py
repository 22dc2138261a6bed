# SPDX-License-Identifier: BSD-2-Clause
"""Digests of every file that must not move: those that the quick study of SIGCOMM'96 leaves on the
RTL, and on the exact engine stated parts of the other studies and programs of ``./mcpi exec``.

``baseline.json`` next to this file holds the digests and, for the message, the ticks and
instructions of each path, or of each core of a node that runs alone. ``mcpi.results.folders`` says
what counts. An owner in a tick log that was renamed counts under the name it had before, as a key
of JSON does. ``./mcpi`` starts this module: ``python -m verify.baseline OUT JOBS [--write]``.
"""

import dataclasses
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi import studies
from mcpi.base import doctor
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.batch import perform
from mcpi.batch.plan import Experiment, Wanted
from mcpi.cli.main import ended
from mcpi.results import measure
from mcpi.results.folders import EXACT, JSON, SPELLS, TICK_LOG, counted, renamed
from mcpi.spec import numbers, run_jobs, run_spec
from mcpi.spec.run_spec import RTL, RunSpec
from mcpi.studykit import collect
from verify import baseline_parts

FILE = Path(__file__).with_name("baseline.json")
BYTES = (*EXACT, *SPELLS, "passages.0.csv", "passages.1.csv", "evictions.0.csv", "calls.0.csv")
BYTES += ("misses.0.csv", "misses.1.csv")  # of runs with --misses
BYTES += ("console.txt",)  # of a node alone
READ = (*JSON, "locks.json", baseline_parts.FIGURES)
FIGURES = ("ticks", "instructions")  # of a path, all measured invocations together
COMPILER = "alpha-linux-gnu-gcc"
ENGINES = {studies.DEFAULT: RTL} | dict.fromkeys(baseline_parts.EACH, run_spec.EXACT)


@dataclass(frozen=True)
class Baseline:
    """``digests``: by path below all runs: ``tcp-std/cold/events.csv`` of SIGCOMM'96,
    ``osdi94/dec3000-mp-udp-send-4-1/counters.json`` of another part. ``engines``: the engine that
    ran, by part; ``sigcomm96`` is that of all other runs. ``figures``: by run and ``client.ticks``
    and so on. ``compiler``: the version that made the images."""

    compiler: str
    digests: dict[str, str]
    figures: dict[str, dict[str, int]]
    engines: dict[str, str] = dataclasses.field(default_factory=lambda: dict(ENGINES))

    @classmethod
    def read(cls, path: Path = FILE) -> "Baseline":
        return cls(**json.loads(path.read_text()))

    def part(self, wanted: list[Experiment]) -> "Baseline":
        """Part of the baseline that belongs to these experiments."""
        without = {f"{e.name}/result.json" for e in wanted if not e.whole}
        there = folders(wanted)
        digests = {
            path: digest
            for path, digest in self.digests.items()
            if path.rpartition("/")[0] in there and path not in without
        }
        figures = {run: found for run, found in self.figures.items() if run in there}
        return Baseline(self.compiler, digests, figures)

    def of_part(self, name: str) -> "Baseline":
        """Only what the part ``name`` leaves, by its paths below its own folder."""
        head = f"{name}/"
        digests = {p.removeprefix(head): d for p, d in self.digests.items() if p.startswith(head)}
        figures = {r.removeprefix(head): f for r, f in self.figures.items() if r.startswith(head)}
        return Baseline(self.compiler, digests, figures)

    def write(self, path: Path = FILE) -> None:
        path.write_text(json.dumps(dataclasses.asdict(self), indent=1, sort_keys=True) + "\n")


@dataclass(frozen=True)
class Moved:
    """A run that is not as before. ``files``: the changed ones, with ``new`` or ``missing`` behind
    those that only one side has. ``figures``: name, before, now."""

    run: str
    files: tuple[str, ...]
    figures: tuple[tuple[str, int | None, int | None], ...]


def digest(path: Path, names: dict[str, str]) -> str:
    """The first 16 hex digits of a file's SHA-256; of JSON, of what counts in it."""
    if path.name in BYTES or path.suffix == ".csv" and path.name != TICK_LOG:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
    if path.name == TICK_LOG:
        return _tick_log(path, names)
    text = json.dumps(counted(json.loads(path.read_text()), names), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _tick_log(path: Path, names: dict[str, str]) -> str:
    before = {b",%s," % new.encode(): b",%s," % old.encode() for new, old in names.items()}
    owner = re.compile(b"|".join(map(re.escape, before)) or b"$^")
    found = hashlib.sha256()
    with path.open("rb") as stream:
        for line in stream:
            found.update(owner.sub(lambda m: before[m[0]], line, count=1))
    return found.hexdigest()[:16]


def of(root: Path, names: dict[str, str] | None = None) -> Baseline:
    """The baseline of the runs below ``root``, each in a folder of its own."""
    names = renamed() if names is None else names
    digests = {
        str(path.relative_to(root)): digest(path, names)
        for path in sorted(root.rglob("*"))
        if path.name in (*BYTES, TICK_LOG, *READ) or path.parent.name == baseline_parts.TABLES
    }
    figures = {
        str(path.parent.relative_to(root)): dict(_figures(path))
        for path in sorted(root.rglob("counters.json"))
    }
    return Baseline(doctor.tools().get(COMPILER, ""), digests, figures)


def _figures(path: Path) -> Iterator[tuple[str, int]]:
    """The figures of both paths; or of each core, if the node runs alone."""
    if cores := json.loads(path.read_text()).get("cores"):
        found = {f"core {n}": core["all"] for n, core in enumerate(cores)}
    else:
        nodes = measure.counters(path)
        found = {side: nodes[n]["path"] for side, n in numbers.SIDES.items()}
    for who, counted_ in found.items():
        for name in FIGURES:
            yield f"{who}.{name}", counted_[name]


def moved(before: Baseline, now: Baseline) -> list[Moved]:
    """The runs in which anything is not as before."""
    files: dict[str, list[str]] = {}
    for path in sorted(before.digests.keys() | now.digests.keys()):
        old, new = before.digests.get(path), now.digests.get(path)
        if old != new:
            run, _, name = path.rpartition("/")
            word = "" if old and new else " missing" if old else " new"
            files.setdefault(run, []).append(name + word)
    return [
        Moved(run, tuple(names), tuple(_changes(before.figures.get(run), now.figures.get(run))))
        for run, names in files.items()
    ]


def _changes(before: dict[str, int] | None, now: dict[str, int] | None):
    before, now = before or {}, now or {}
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            yield name, before.get(name), now.get(name)


def experiments() -> list[Experiment]:
    """The quick study's, with a tick log of each version."""
    study = studies.find()
    log = run_jobs.Job(1, run_jobs.LOGGED)
    return [
        dataclasses.replace(e, jobs=(*e.jobs, log)) if e.whole else e
        for e in study.plan(Wanted(RunSpec(engine=RTL)), study.quick)
    ]


def first(experiment: Experiment) -> Experiment:
    """Its first run alone, of which no result is made."""
    return dataclasses.replace(experiment, jobs=experiment.jobs[:1], part=())


def folders(wanted: list[Experiment]) -> set[str]:
    """Folders of the experiments' runs, below the folder of all runs."""
    return {f"{e.name}/{job.folder}".removesuffix("/.") for e in wanted for job in e.jobs}


def measured(wanted: list[Experiment], out: Path, jobs: int) -> Path:
    """Run these experiments; returns the folder of the runs."""
    root = out / "runs"
    with Bar() as bar:
        tasks = perform.build(wanted, root, bar)
        perform.perform(tasks, jobs, bar)
    for experiment in wanted:
        if experiment.whole:
            collect.whole(root / experiment.name, experiment.spec, experiment.machine)
    return root


def part(name: str, root: Path, jobs: int) -> Path:
    """Run the part ``name`` of the other studies; returns its folder below ``root``."""
    place = root / name
    if place.is_dir():
        shutil.rmtree(place)  # what an earlier part left and this one does not
    place.mkdir(parents=True)
    with Bar() as bar:
        baseline_parts.EACH[name](place, jobs, bar)
    return place


def check(out: Path, jobs: int, write: bool) -> int:
    """Measure, compare, tell; 0 when nothing moved or ``write`` kept what did."""
    from rich.console import Console

    people = Console(stderr=True, highlight=False)
    before, compiler = Baseline.read(), doctor.tools().get(COMPILER, "none")
    if not write and before.compiler != compiler:
        raise UserError(
            f"the baseline's images are of {COMPILER} {before.compiler}, here is {compiler}: their "
            "code differs, so nothing can be compared."
        )
    root = measured(experiments(), out, jobs)
    for name in baseline_parts.EACH:
        part(name, root, jobs)
    now = of(root)
    if write:
        now.write()
        people.print(f"{len(now.digests)} digests written; say in the commit what moved and why")
        return 0
    for run in (found := moved(before, now)):
        people.print(f"{run.run}: {', '.join(run.files)}", soft_wrap=True)
        for name, old, new in run.figures:
            people.print(f"  {name} {old} before, {new} now")
    counted = f"{len(now.digests)} files of {len(now.figures)} runs"
    people.print(
        f"{len(found)} runs moved, of {counted}. If it is meant: ./mcpi baseline --write, and "
        "say in the commit which figures moved and why"
        if found
        else f"nothing moved: {counted}"
    )
    return 1 if found else 0


if __name__ == "__main__":
    place, jobs, *write = sys.argv[1:]
    ended(lambda: check(Path(place), int(jobs), bool(write)))
