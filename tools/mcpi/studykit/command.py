# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi paper``: budget, runs, tables, page."""

import dataclasses
import itertools
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

from mcpi.base import run_store, staging
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar, counted
from mcpi.base.repo import RESULTS
from mcpi.batch import on_boards, perform, repeat
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.batch.spent import Spent
from mcpi.engines.base import judged
from mcpi.spec.run_spec import BOARD, EXACT, RTL, RunSpec
from mcpi.spec.spec import Spec
from mcpi.studykit import claims, collect, freshness, markdown, text_numbers
from mcpi.studykit.cell import Table
from mcpi.studykit.definition import Study
from mcpi.studykit.measured import Measured

ALIVE = "alive.html"  # the page that makes the tables anew
FIGURES = "figures"  # the folder of a study's drawings
MADE = "made"  # the folder of what a study makes besides its runs


@dataclasses.dataclass(frozen=True)
class Request:
    """A call of the command. ``tables``: numbers to print; all are written.

    ``docs``: also fill the tables of docs/explanation/results.md and others. ``name``: the
    study's, empty for the one that ``./mcpi paper`` alone means. ``pdf``: also write each figure;
    ``alive``: also
    write the page that makes the tables anew in a browser, of the study, tables, runs and their
    folder.
    """

    study: Study
    wanted: Wanted
    extent: Extent
    quick: bool
    cores: int
    out: Path | None = None
    tables: tuple[str, ...] = ()
    docs: bool = False
    name: str = ""
    pdf: bool = False
    alive: Callable[[Measured, list[Table], list[Experiment], Path], str] | None = None

    def command(self) -> str:
        """The line that gives the same tables again."""
        words, wanted, usual = ["./mcpi paper"], self.wanted, self.wanted.usual
        words += [self.name] if self.name else []
        words += ["--quick"] if self.quick else []
        words += [f"--stack {s}" for s in wanted.stacks]
        words += [f"--variant {v}" for v in wanted.variants]
        words += [f"--port {shlex.quote(port)}" for port in usual.ports]
        words += [f"--engine {usual.engine}"] if usual.engine != EXACT else []
        for name in ("baud", "machine", "seed"):
            if (value := getattr(usual, name)) != getattr(RunSpec, name):
                words.append(f"--{name} {shlex.quote(str(value))}")
        words += [f"--set {shlex.quote(f'{k}={v}')}" for k, v in usual.settings.items()]
        extent = self.study.quick if self.quick else self.study.full
        if self.extent.samples != extent.samples:
            words.append(f"--samples {next(iter(self.extent.samples.values()))}")
        for name in ("round_trips", "shuffles"):
            if (value := getattr(self.extent, name)) != getattr(extent, name):
                words.append(f"--{name.replace('_', '-')} {value}")
        return " ".join(words)

    @property
    def whole(self) -> bool:
        """Return true if it is the full study, whose tables may be published."""
        return self.command() == " ".join(filter(None, ["./mcpi paper", self.name]))

    @property
    def folder(self) -> Path:
        """Where the files go."""
        words = ["paper", self.name, "quick" if self.quick else ""]
        return self.out or RESULTS / "-".join(filter(None, words))


def usual(
    study: Study, name: str, quick: bool, cores: int, docs: bool = False, pdf: bool = False
) -> Request:
    """A call with a study's own options. ``name``: as of ``Request``."""
    extent = study.quick if quick else study.full
    return Request(study, Wanted(), extent, quick, cores, docs=docs, name=name, pdf=pdf)


def run(request: Request) -> list[Table]:
    """Measure what is not kept, then write everything below ``--out``; returns the tables."""
    for number in request.tables:
        if number not in request.study.numbers:
            there = ", ".join(request.study.numbers)
            raise UserError(f"no table '{number}'. There are: {there}.")
    if request.docs and not request.whole:
        raise UserError(
            f"--update-docs: docs/ has the figures of the full study alone, and this is "
            f"{request.command()}. Leave the other options out."
        )
    experiments = request.study.plan(request.wanted, request.extent)
    people = Console(stderr=True, highlight=False)
    engine = request.wanted.usual.engine
    if engine == BOARD:
        experiments = on_boards.chosen(experiments)
    for alike in perform.by_machine(experiments):
        judged(alike[0].spec)
    out = study_folder(request.folder)
    if engine == BOARD:
        people.print(on_boards.words(experiments))
    else:
        _budget(experiments, request, people)
    planned, maps, repeated, spent = experiments, {}, None, Spent()
    with Bar() as bar:
        if engine == BOARD:
            on_boards.perform(experiments, out / "runs", bar)
        else:
            experiments, maps, repeated = _simulate(experiments, request, out, bar, people, spent)
    with spent.stage("figures"):
        found = collect.collect(request.study, out / "runs", request.extent, experiments, maps)
    if request.study.made and engine != BOARD:
        with spent.stage("searches"), Bar() as bar:
            words = request.wanted, request.extent, out / MADE, bar
            found.record.update(request.study.made(*words))
    if repeated:
        about = {"repeated": str(repeated), "rtl_digest": repeated.rtl_digest}
        found.record["provenance"] |= about
        people.print(str(repeated))
    if request.docs:
        made_of = freshness.of(request.study, planned)
        made_of[freshness.IMAGES] = freshness.images(planned, out / "runs")
        found.record["provenance"]["digests"] = made_of
    with spent.stage("tables"):
        made = _written(request, found, out, people)
        if request.alive:
            page = out / ALIVE
            with Bar() as bar, bar.task(ALIVE, 1):
                page.write_text(request.alive(found, made, experiments, out / repeat.RUNS))
            people.print(f"alive: {_near(page)}, {page.stat().st_size / 1e6:.1f} MB")
    people.print(spent.words(request.cores), soft_wrap=True)
    return made


def _written(request: Request, found: Measured, out: Path, people: Console) -> list[Table]:
    """Write all files of a study and print the tables that people asked for; returns all tables."""
    found.record["provenance"]["reproduce"] = request.command()
    made = write(request.study, found, out)
    if request.pdf:
        write_figures(request.study, found, out)
    if request.docs:
        markdown.update(request.study, found, made)
    for table in made:
        if table.key.removeprefix("table") in (request.tables or request.study.shown):
            people.print(_fitted(table.drawn()))
    for line in claims.line(made):
        people.print(line)
    if request.study.paper:
        people.print(text_numbers.line(request.study.paper))
    place = _near(out)
    people.print(
        f"page: {place}/paper.html   tables: {place}/*.csv\nagain: {request.command()}",
        soft_wrap=True,
    )
    return made


def _near(path: Path) -> Path:
    """A path from the current folder, if it is in it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _simulate(
    experiments: list[Experiment],
    request: Request,
    out: Path,
    bar: Bar,
    people: Console,
    spent: Spent,
) -> tuple[list[Experiment], dict[str, dict], repeat.Repeated | None]:
    """By engine ``rtl``; or by ``exact``, with a part repeated on the RTL. All experiments, those
    that were chosen on the way too. The maps, which take seconds of a core, are made meanwhile."""
    root, more = out / repeat.RUNS, []
    study, wanted, cores = request.study, request.wanted, request.cores
    pairs, part = [], []
    if wanted.usual.engine == EXACT and study.pairs:
        part = pairs = study.pairs(wanted, request.extent)
    elif wanted.usual.engine == EXACT:
        part = repeat.chosen(experiments, request.extent, wanted.usual.seed)
    part = [repeat.on_rtl(e) for e in part]
    first = repeat.FIRST if pairs else repeat.RUNS
    with spent.stage("images"):
        tasks = _tasks(experiments, root, cores, bar, people)
        tasks += perform.build(pairs, out / repeat.FIRST, bar) if pairs else []
        tasks += _tasks(part, out / RTL, cores, bar, people) if part else []

    def further() -> list[perform.Task]:
        found = study.further(root, more, wanted, request.extent)
        more.extend(found)
        return perform.build(found, root, bar)

    with perform.in_background(tasks, cores, bar, further, spent), spent.stage("maps"):
        maps = study.maps(experiments, bar)
    experiments = [*experiments, *more]
    compared = repeat.compared(part, pairs or experiments, out, first) if part else None
    return experiments, maps, compared


def _tasks(
    experiments: list[Experiment],
    root: Path,
    cores: int,
    bar: Bar,
    people: Console,
) -> list[perform.Task]:
    """Builds what they need, and says how much is not kept."""
    tasks = perform.build(experiments, root, bar)
    people.print(_said(experiments[0].spec, len(tasks), _left(tasks, bar), cores))
    return tasks


def write(study: Study, found: Measured, out: Path) -> list[Table]:
    """A CSV file for each table, the page, and last ``study.json``: with it, they are whole."""
    made = study.tables(found)
    (out / "study.json").unlink(missing_ok=True)
    for table in made:
        (out / f"{table.key}.csv").write_text(table.csv())
    (out / "paper.html").write_text(study.page(found, made))
    found.save(out / "study.json")
    return made


def write_figures(study: Study, found: Measured, out: Path) -> None:
    """A PDF file for each figure, by its title."""
    (out / FIGURES).mkdir(exist_ok=True)
    for drawing in itertools.chain.from_iterable(study.figures(found).values()):
        name = re.sub(r"[^a-z0-9]+", "-", drawing.title.lower()).strip("-")
        (out / FIGURES / f"{name}.pdf").write_bytes(drawing.pdf())


def study_folder(out: Path) -> Path:
    """The folder of a study: one of its own, or one that holds an earlier study."""
    with staging.refused(out):
        holds = (out / "study.json").exists() or (out / "runs").exists()
        if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not holds)):
            raise UserError(f"--out {out}: is there already and holds no study; name another.")
        (out / "runs").mkdir(parents=True, exist_ok=True)
    return out.resolve()


def _left(tasks: list[perform.Task], bar: Bar) -> list[perform.Task]:
    """Tasks that are not kept from before."""
    left = []
    with bar.task("what is kept", len(tasks)) as update:
        for done, task in enumerate(tasks, 1):
            left += [] if task.kept else [task]
            update(done, len(tasks), "")
    return left


def _said(spec: Spec, runs: int, left: list[perform.Task], cores: int) -> str:
    """How many runs are left, and how long they take if that was ever measured here."""
    said = f"{spec.engine}: {counted(runs, 'run')}, {runs - len(left)} kept, {len(left)} left"
    if not left:
        return said
    if perform.measured(spec) is None:
        return f"{said}; the bar has an estimate once one has begun"
    each = sum(task.seconds for task in left) / len(left)
    time = perform.minutes(perform.expected_seconds(left, cores))
    said += f" × {each:.2g} s: about {time} on {counted(cores, 'core')}"
    return f"{said}, at the last study's rate"


def _budget(experiments: list[Experiment], request: Request, people: Console) -> None:
    """Tell what will be run, before anything is."""
    extent, runs = request.extent, sum(len(e.jobs) for e in experiments)
    every, experiments = experiments, [e for e in experiments if isinstance(e.spec, RunSpec)]
    several = len({e.spec.machine for e in experiments}) > 1
    for machine, stack in dict.fromkeys((e.spec.machine, e.spec.stack) for e in experiments):
        own = [e for e in experiments if (e.spec.machine, e.spec.stack) == (machine, stack)]
        whole = [e.spec.variant.upper() for e in own if e.whole]
        more = sum(not e.whole for e in own)
        trips, others = counted(extent.round_trips, "round trip"), counted(more, "other run")
        versions = ""
        if whole:
            samples = counted(extent.samples[stack], "sample")
            versions = f"{' '.join(dict.fromkeys(whole))}\n"
            versions += f"  × ({samples} + ideal memory + cold) × {trips}; "
        at = f" on {machine}" if several else ""
        people.print(f"{stack.upper()}{at}: {versions}{others}")
    missing = [v.upper() for v in request.study.absent()]
    if missing:
        people.print(f"not there yet, their cells stay empty: {' '.join(missing)}")
    ticks = sum(e.ticks for e in every)
    if experiments and request.wanted.usual.engine == EXACT:
        each = "the first sample of each version, and " if extent.each_on_rtl else ""
        people.print(f"on the RTL again: {each}{extent.repeats} more, drawn by --seed")
    people.print(
        f"{counted(runs, 'run')} of {counted(len(every), 'image')}, {ticks / 1e6:,.0f} M "
        f"ticks; what has ended is in {_near(run_store.KEPT)}/"
    )


def _fitted(table: Table) -> Shown:
    """A table for the terminal: ours, and the paper's in brackets."""
    shown = Shown(title=table.title, box=None, pad_edge=False, title_justify="left")
    for label in table.labels:
        shown.add_column(label)
    for column in table.columns:
        shown.add_column(column.title, justify="right")
    for row in table.rows:
        shown.add_row(*row.labels, *table.texts(row))
    shown.caption, shown.caption_justify = "in brackets: the paper's", "left"
    return shown


def cores() -> int:
    return len(os.sched_getaffinity(0))
