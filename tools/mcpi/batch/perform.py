# SPDX-License-Identifier: BSD-2-Clause
"""Build every image, run what is not kept yet on all cores, leave a folder per experiment. A
thread of each core waits for a simulator."""

import collections
import concurrent.futures
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, counted, minutes
from mcpi.batch.plan import Experiment, ticks_of
from mcpi.batch.spent import Spent
from mcpi.build import graph, run_folder
from mcpi.engines import simulate, simulated
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.spec.spec import Spec

SPEED = run_store.KEPT / "speed.json"
TYPICAL = {EXACT: 20e6, RTL: 0.8e6}  # ticks a second, for the order of runs alone


@dataclass
class Task:
    """A simulator run of an experiment."""

    experiment: Experiment
    job: run_jobs.Job
    program: Path
    place: Path
    done: float = 0  # seconds of `seconds`

    @cached_property
    def ticks(self) -> int:
        return ticks_of(self.experiment.spec, self.job)

    @cached_property
    def seconds(self) -> float:
        """Seconds that it takes, about."""
        spec = self.experiment.spec
        return self.ticks / (measured(spec) or TYPICAL[spec.engine])

    def how(self) -> simulate.How:
        """Arguments of ``simulate.simulate``."""
        e = self.experiment
        request = simulated.request(e.spec, self.job, e.machine, self.place)
        return self.program, self.place, self.job.folder, *request

    @cached_property
    def kept(self) -> bool:
        """The run was there when somebody asked first."""
        words = simulate.command(*self.how())
        return (run_store.KEPT / run_store.key(words, self.place)).is_dir()


def build(experiments: list[Experiment], root: Path, bar: Bar) -> list[Task]:
    """Images, simulators, folders; returns all runs, kept ones too."""
    tasks = []
    for alike in by_machine(experiments):
        made = graph.build_all([e.spec for e in alike], [e.machine for e in alike], bar)
        images = [one.lasting() for one in made]
        with bar.task("folders", len(alike)) as update:
            for done, (e, built) in enumerate(zip(alike, images, strict=True), 1):
                run_folder.prepare(root / e.name, e.spec, e.machine, built, list(e.jobs))
                tasks += [Task(e, job, built.simulator, root / e.name) for job in e.jobs]
                update(done, len(alike), e.name)
    return tasks


def by_machine(experiments: list[Experiment]) -> list[list[Experiment]]:
    """Groups of experiments with the same images: they differ in parameters of the run time
    alone."""
    alike: dict[str, list[Experiment]] = {}
    for e in experiments:
        built = {k: v for k, v in e.machine.parameters.items() if e.machine.acts[k] != "run"}
        alike.setdefault(json.dumps(built, sort_keys=True), []).append(e)
    return list(alike.values())


def expected_seconds(tasks: list[Task], cores: int) -> float:
    """Seconds of tasks that are not kept, about."""
    longest = max((task.seconds for task in tasks), default=0)
    return max(sum(task.seconds for task in tasks) / cores, longest)


def measured(spec: Spec) -> float | None:
    """Ticks a second of one run like this, as last measured here; None: nothing has run yet."""
    return _speeds().get(_kind(spec)) or None


def _kind(spec: Spec) -> str:
    """Runs whose estimated ticks cost as much: those of an engine, and of stacks or nodes."""
    return spec.engine if isinstance(spec, RunSpec) else f"{spec.engine} {spec.machine}"


def _speeds() -> dict[str, float]:
    try:
        return dict(json.loads(SPEED.read_text()))
    except (OSError, ValueError):
        return {}


class Progress:
    """Progress of all runs in one line: how many have ended, and how long the rest will take."""

    def __init__(self, update) -> None:
        self.tasks: list[Task] = []
        self.update, self.began = update, time.monotonic()
        self.ended = 0
        self.ran = 0.0  # seconds that were expected of what was simulated here

    def step(self, task: Task, trips: int, all_: int) -> None:
        now = task.seconds * min(1.0, trips / max(all_, 1))
        self.ran += now - task.done
        task.done = now
        self.show()

    def end(self, task: Task, ran: bool) -> None:
        self.ran += task.seconds - task.done if ran else -task.done
        task.done = task.seconds
        self.ended += 1
        self.show()

    def show(self) -> None:
        left = sum(task.seconds - task.done for task in self.tasks)
        spent = time.monotonic() - self.began
        words = f"{counted(len(self.tasks) - self.ended, 'run')} left"
        if self.ran > 0 and left > 0:
            words += f", about {minutes(left * spent / self.ran)}"
        self.update(self.ended, len(self.tasks), words)


def _in_order(tasks: Iterable[Task]) -> list[Task]:
    """Kept runs first, so that the time left is told of the others alone; then the longest, and of
    link orders the first of every version before the second of any."""
    return sorted(tasks, key=lambda t: (not t.kept, -t.seconds, t.experiment.shuffle))


More = Callable[[], list[Task]]


class Queue:
    """Tasks for several threads. ``more`` gives those that come before all others, and what comes
    after them when they have ended; none: that was all."""

    def __init__(self, tasks: list[Task], more: More, progress: Progress) -> None:
        self.failed: BaseException | None = None
        self._left, self._more, self._progress = _in_order(tasks), more, progress
        self._left.reverse()
        self._first: list[Task] = []  # of those that `more` gave: not yet taken
        self._under_way = 1  # of those, all that have not ended; or `more` has not answered
        self._changed = threading.Condition()
        progress.tasks += tasks

    def ask(self) -> None:
        """All that ``more`` gave have ended."""
        found = self._more()
        with self._changed:
            self._progress.tasks += found
            self._first = _in_order(found)[::-1]
            self._under_way = len(found)
            self._changed.notify_all()

    def take(self) -> tuple[Task, bool] | None:
        """The next task, when there is one; true: ``more`` gave it."""
        with self._changed:
            while not self.failed:
                if self._first:
                    return self._first.pop(), True
                if self._left:
                    return self._left.pop(), False
                if not self._under_way:
                    return None
                self._changed.wait()
        return None

    def ended(self) -> None:
        """A task that ``more`` gave."""
        with self._changed:
            self._under_way -= 1
            last = not self._under_way
            self._under_way += last
        if last:
            self.ask()

    def fails(self, error: BaseException) -> None:
        """No other task begins."""
        with self._changed:
            self.failed = self.failed or error
            self._changed.notify_all()


@contextmanager
def in_background(
    tasks: list[Task], cores: int, bar: Bar, more: More = list, spent: Spent | None = None
) -> Iterator[None]:
    """``perform`` while the caller does something else; at its end all have run. ^C, or an error of
    the caller, ends the runs."""
    stop = simulate.Stop()
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        under_way = thread.submit(perform, tasks, cores, bar, stop, more, spent)
        try:
            yield
            under_way.result()
        except BaseException:
            stop.now()
            raise


def perform(
    tasks: list[Task],
    cores: int,
    bar: Bar,
    stop: simulate.Stop | None = None,
    more: More = list,
    spent: Spent | None = None,
) -> int:
    """Run all that is not kept; returns how many ran. ^C keeps what has ended. ``more``: as of
    ``Queue``; a thread of the runs calls it.

    A run that fails starts no other, but those under way end and are kept.
    """
    stop, spent = stop or simulate.Stop(), spent or Spent()
    rates: dict[str, collections.Counter[str]] = {}  # by kind: seconds, and ticks in them

    def one(task: Task, progress: Progress) -> bool:
        began = time.monotonic()
        ran = simulate.once(task.how(), stop, lambda n, all_, _: progress.step(task, n, all_))
        if ran:
            spec, took = task.experiment.spec, time.monotonic() - began
            counts = rates.setdefault(_kind(spec), collections.Counter())
            counts.update(seconds=max(took, 0.001), ticks=task.ticks)
            spent.run(_kind(spec), took)
        progress.end(task, ran)
        return ran

    with bar.task("runs", len(tasks)) as update:
        progress = Progress(update)
        queue = Queue(tasks, more, progress)

        def work() -> int:
            ran = 0
            try:
                while found := queue.take():
                    task, is_first = found
                    ran += one(task, progress)
                    if is_first:
                        queue.ended()
            except RunError as error:
                queue.fails(error)
            except BaseException as error:  # ^C; and a mistake of ours leaves nothing behind
                queue.fails(error)
                stop.now()
            return ran

        queue.ask()
        with concurrent.futures.ThreadPoolExecutor(cores) as pool:
            threads = [pool.submit(work) for _ in range(cores)]
            try:
                ran = sum(thread.result() for thread in threads)
            except BaseException as error:
                queue.fails(error)
                stop.now()
                raise
    if queue.failed:
        raise queue.failed
    if ran:
        run_store.KEPT.mkdir(parents=True, exist_ok=True)
        found = {kind: round(n["ticks"] / n["seconds"]) for kind, n in rates.items()}
        graph.write(SPEED, json.dumps(_speeds() | found) + "\n")
    return ran
