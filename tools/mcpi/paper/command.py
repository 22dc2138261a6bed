# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi paper``: budget, runs, tables, page."""

import dataclasses
import os
import shlex
from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

from mcpi import keep, record, staging, training
from mcpi.errors import UserError
from mcpi.machine import Machine
from mcpi.model.recording import Recording
from mcpi.paper import (
    cachemaps,
    markdown,
    modelled,
    on_boards,
    page,
    perform,
    plan,
    study,
    tables,
)
from mcpi.paper.cell import Cell, Table
from mcpi.paper.plan import Experiment, Extent, Wanted
from mcpi.paths import RESULTS
from mcpi.progress import Bar, counted
from mcpi.record import BOARD, MODEL
from mcpi.run import judged

SHOWN = ("4", "7")  # without --table


@dataclasses.dataclass(frozen=True)
class Request:
    """A call of the command. ``tables``: numbers to print; all are written.

    ``docs``: also fill the tables of docs/results.md and others.
    """

    wanted: Wanted
    extent: Extent
    quick: bool
    cores: int
    out: Path | None
    tables: tuple[str, ...]
    docs: bool = False

    def command(self) -> str:
        """The line that gives the same tables again."""
        words, wanted = ["./mcpi paper"], self.wanted
        words += ["--quick"] if self.quick else []
        words += [f"--stack {s}" for s in wanted.stacks]
        words += [f"--variant {v}" for v in wanted.variants]
        words += [f"--engine {wanted.engine}"] if wanted.engine != Wanted.engine else []
        words += [f"--port {shlex.quote(port)}" for port in wanted.ports]
        words += [f"--baud {wanted.baud}"] if wanted.baud else []
        if wanted.machine != Wanted.machine:
            words.append(f"--machine {shlex.quote(wanted.machine)}")
        words += [f"--set {shlex.quote(f'{k}={v}')}" for k, v in wanted.settings.items()]
        words += [f"--seed {wanted.seed}"] if wanted.seed != Wanted.seed else []
        usual = (plan.QUICK if self.quick else plan.FULL).of_engine(wanted.engine)
        if self.extent.samples != usual.samples:
            words.append(f"--samples {self.extent.samples['tcp']}")
        for name in ("round_trips", "shuffles"):
            if (value := getattr(self.extent, name)) != getattr(usual, name):
                words.append(f"--{name.replace('_', '-')} {value}")
        return " ".join(words)


def run(request: Request) -> None:
    """Measure what is not kept, then write everything below ``--out``."""
    _check_tables(request.tables)
    experiments = plan.plan(request.wanted, request.extent)
    if request.wanted.engine == BOARD:
        experiments = on_boards.chosen(experiments)
    machine = judged(experiments[0].record)
    out = study_folder(request.out or RESULTS / ("paper-quick" if request.quick else "paper"))
    people = Console(stderr=True, highlight=False)
    if request.wanted.engine == BOARD:
        people.print(on_boards.words(experiments))
        with Bar() as bar:
            on_boards.perform(experiments, out / "runs", machine, bar)
        _finish(request, experiments, machine, out, people)
        return
    _budget(experiments, request, people)
    if request.wanted.engine == MODEL:
        with Bar() as bar:
            modelled.run(experiments, out / "runs", request.cores, bar)
        _finish(request, experiments, machine, out, people)
        return
    with Bar() as bar:
        ticks = sum(e.ticks for e in experiments)
        rate = perform.measured() or perform.TICKS_PER_SECOND
        if ticks / rate / request.cores > training.PAYS:
            training.train(experiments[0].record, machine, bar)
        tasks = perform.build(experiments, out / "runs", machine, bar)
        modelled.record(experiments, request.cores, bar)
        left = _left(tasks, bar)
        people.print(_said(len(tasks), left, request.cores))
        perform.perform(tasks, request.cores, bar)
        predicted, made = modelled.beside(experiments, out / "model", machine, request.cores, bar)
    _finish(request, experiments, machine, out, people, predicted, made)


def _finish(
    request: Request,
    experiments: list[Experiment],
    machine: Machine,
    out: Path,
    people: Console,
    predicted: dict | None = None,
    recordings: list[Recording] | None = None,
) -> None:
    """Everything is measured: collect, write, show."""
    maps = cachemaps.of(recordings or [], machine)
    found = study.collect(
        out / "runs", request.wanted, request.extent, experiments, machine, predicted, maps
    )
    found.record["provenance"]["reproduce"] = request.command()
    made = write(found, out)
    if request.docs:
        markdown.update(found, made)
    for table in made:
        if table.key in {f"table{n}" for n in request.tables or SHOWN}:
            people.print(_shown(table.drawn()))
    place = out.relative_to(Path.cwd()) if out.is_relative_to(Path.cwd()) else out
    people.print(
        f"page: {place}/paper.html   tables: {place}/*.csv\nagain: {request.command()}",
        soft_wrap=True,
    )


def write(found: study.Study, out: Path) -> list[Table]:
    """A CSV file for each table, the page, and last ``study.json``: with it, they are whole."""
    made = tables.of(found)
    (out / "study.json").unlink(missing_ok=True)
    for table in made:
        (out / f"{table.key}.csv").write_text(table.csv())
    (out / "paper.html").write_text(page.page(found, made))
    study.save(found, out / "study.json")
    return made


def _check_tables(numbers: tuple[str, ...]) -> None:
    there = [str(n) for n in range(1, len(tables.PAPERS) + 1)]
    for number in numbers:
        if number not in there:
            raise UserError(f"no table '{number}'. There are: {', '.join(there)}.")


def study_folder(out: Path) -> Path:
    """The folder of a study: one of its own, or one that holds an earlier study."""
    with staging.refused(out):
        holds = (out / "study.json").exists() or (out / "runs").exists()
        if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not holds)):
            raise UserError(f"--out {out}: is there already and holds no study; name another.")
        (out / "runs").mkdir(parents=True, exist_ok=True)
    return out.resolve()


def _left(tasks: list[perform.Task], bar: Bar) -> list[perform.Task]:
    """Those that are not kept from before."""
    left = []
    with bar.task("what is kept", len(tasks)) as update:
        for done, task in enumerate(tasks, 1):
            left += [] if task.kept() else [task]
            update(done, len(tasks), "")
    return left


def _said(runs: int, left: list[perform.Task], cores: int) -> str:
    """How many runs are left, and how long they take if that was ever measured here."""
    said = f"{counted(runs, 'run')}, {runs - len(left)} kept, {len(left)} left"
    rate = perform.measured()
    if not left:
        return said
    if rate is None:
        return f"{said}; the bar has an estimate once one has begun"
    seconds = perform.expected_seconds(left, cores, rate)
    time = perform.minutes(seconds)
    return f"{said}: about {time} on {counted(cores, 'core')}, at the last study's rate"


def _budget(experiments: list[Experiment], request: Request, people: Console) -> None:
    """Tell what will be run, before anything is."""
    extent, runs = request.extent, sum(len(e.jobs) for e in experiments)
    for stack in plan.STUDIED:
        own = [e for e in experiments if e.record.stack == stack]
        whole = [e.record.variant.upper() for e in own if e.record.cold]
        if not whole:
            continue
        more = sum(not e.record.cold for e in own)
        people.print(
            f"{stack.upper()}: {' '.join(whole)}\n"
            f"  × ({counted(extent.samples[stack], 'sample')} + ideal memory + cold) × "
            f"{counted(extent.round_trips, 'round trip')}; {counted(more, 'other run')}"
        )
    missing = [v.upper() for v in plan.absent(record.variants())]
    if missing:
        people.print(f"not there yet, their cells stay empty: {' '.join(missing)}")
    ticks = sum(e.ticks for e in experiments)
    people.print(
        f"{counted(runs, 'run')} of {counted(len(experiments), 'image')}, {ticks / 1e6:,.0f} M "
        f"ticks; what has ended is in {keep.KEPT.relative_to(keep.BUILD.parent)}/"
    )


def _shown(table: Table) -> Shown:
    """A table for the terminal: ours, and the paper's in brackets."""
    shown = Shown(title=table.title, box=None, pad_edge=False, title_justify="left")
    for label in table.labels:
        shown.add_column(label)
    for column in table.columns:
        shown.add_column(column.title, justify="right")
    for row in table.rows:
        cells = []
        for column in table.columns:
            cell = row.cells.get(column.key, Cell(None))
            ours = column.text(cell.ours, row.digits) if cell.ours is not None else "–"
            theirs = f" ({column.text(cell.theirs, row.digits)})" if cell.theirs is not None else ""
            cells.append(ours + theirs)
        shown.add_row(*row.labels, *cells)
    shown.caption, shown.caption_justify = "in brackets: the paper's", "left"
    return shown


def cores() -> int:
    return len(os.sched_getaffinity(0))
