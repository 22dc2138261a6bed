# SPDX-License-Identifier: BSD-2-Clause
"""Build every image, run what is not kept yet on all cores, leave a folder per experiment.

Dask feeds the cores, in threads of this process: each waits for a simulator."""

import collections
import concurrent.futures
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, counted, minutes
from mcpi.batch.plan import Experiment, ticks_of
from mcpi.build import graph, run_folder
from mcpi.engines import simulate, simulated
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

SPEED = run_store.KEPT / "speed.json"


@dataclass
class Task:
    """A simulator run of an experiment."""

    experiment: Experiment
    job: run_jobs.Job
    program: Path
    place: Path
    done: int = 0  # ticks, about

    @property
    def ticks(self) -> int:
        return ticks_of(self.experiment.spec, self.job)

    def how(self) -> simulate.How:
        """Arguments of ``simulate.simulate``."""
        e = self.experiment
        request = simulated.request(e.spec, self.job, e.machine, self.place)
        return self.program, self.place, self.job.folder, *request

    def kept(self) -> bool:
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


def expected_seconds(tasks: list[Task], cores: int, rate: float) -> float:
    """``rate``: ticks a second of one run; what is kept costs nothing."""
    ticks = sum(task.ticks for task in tasks)
    longest = max((task.ticks for task in tasks), default=0)
    return max(ticks / cores, longest) / rate


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

    def __init__(self, tasks: list[Task], update) -> None:
        self.tasks, self.update, self.began = tasks, update, time.monotonic()
        self.ended = 0
        self.ran = 0  # ticks that were simulated here

    def step(self, task: Task, trips: int, all_: int) -> None:
        now = int(task.ticks * min(1.0, trips / max(all_, 1)))
        self.ran += now - task.done
        task.done = now
        self.show()

    def end(self, task: Task, ran: bool) -> None:
        self.ran += task.ticks - task.done if ran else -task.done
        task.done = task.ticks
        self.ended += 1
        self.show()

    def show(self) -> None:
        left = sum(task.ticks - task.done for task in self.tasks)
        spent = time.monotonic() - self.began
        words = f"{counted(len(self.tasks) - self.ended, 'run')} left"
        if self.ran > 0 and left:
            words += f", about {minutes(left * spent / self.ran)}"
        self.update(self.ended, len(self.tasks), words)


@contextmanager
def in_background(tasks: list[Task], cores: int, bar: Bar) -> Iterator[None]:
    """``perform`` while the caller does something else; at its end all have run. ^C, or an error of
    the caller, ends the runs."""
    stop = simulate.Stop()
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        under_way = thread.submit(perform, tasks, cores, bar, stop)
        try:
            yield
            under_way.result()
        except BaseException:
            stop.now()
            raise


def perform(tasks: list[Task], cores: int, bar: Bar, stop: simulate.Stop | None = None) -> int:
    """Run all that is not kept; returns how many ran. ^C keeps what has ended.

    A run that fails starts no other, but those under way end and are kept.
    """
    from dask import threaded  # of a group of its own; ./mcpi run does without

    stop, failed = stop or simulate.Stop(), []
    # Kept runs first, so that the time left is told of the others alone; then the longest, and
    # of link orders the first of every version before the second of any.
    tasks = sorted(tasks, key=lambda task: (not task.kept(), -task.ticks, task.experiment.shuffle))
    left = collections.deque(tasks)  # in our order; Dask has one of its own
    began = time.monotonic()
    with bar.task("runs", len(tasks)) as update:
        progress = Progress(tasks, update)

        def one(_: int) -> bool:
            task = left.popleft()
            if failed:
                return False

            def follow(done: int, all_: int, what: str) -> None:
                progress.step(task, done, all_)

            try:
                ran = simulate.once(task.how(), stop, follow)
            except RunError as error:
                failed.append(error)
                return False
            progress.end(task, ran)
            return ran

        graph_ = {f"run {n}": (one, n) for n in range(len(tasks))}
        try:
            ran = sum(threaded.get(graph_, list(graph_), num_workers=cores))
        except BaseException:  # ^C; and a mistake of ours leaves nothing behind
            stop.now()
            raise
    if failed:
        raise failed[0]
    if ran:
        spent = max(time.monotonic() - began, 0.1)
        run_store.KEPT.mkdir(parents=True, exist_ok=True)
        kind = _kind(tasks[0].experiment.spec)
        rate = {kind: round(progress.ran / spent / min(cores, ran))}
        graph.write(SPEED, json.dumps(_speeds() | rate) + "\n")
    return ran
