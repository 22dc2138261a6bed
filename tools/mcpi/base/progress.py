# SPDX-License-Identifier: BSD-2-Clause
"""Progress on standard error: a bar on a terminal, one line per finished stage elsewhere."""

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcpi.base.heartbeat import Heartbeat

# Without a terminal a long stage says every so often that it is alive.
QUIET_SECONDS = 20
SHORT_SECONDS = 0.5
Update = Callable[[int, int, str], None]


def counted(number: int, thing: str) -> str:
    """1 sample, 10 samples."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def minutes(seconds: float) -> str:
    """40 s, 12 min, 2 h 5 min."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, left = divmod(math.ceil(whole / 60), 60)
    return f"{hours} h {left} min" if hours else f"{left} min"


@dataclass(eq=False)  # a list finds a task by its identity: threads end their tasks at any time
class _Task:
    """A stage that is going on: the time of its start in s, its steps, and their number."""

    title: str
    began: float
    done: int = 0
    all: int = 0
    what: str = ""


class Bar:
    """``with bar.task(title) as update: update(done, all, what)``; tasks may run side by side.

    ``watch`` takes what a run tells of its counters on the way; None: nobody looks at them.
    """

    watch: Callable[[dict], None] | None = None

    def __init__(self) -> None:
        self.live, self.heartbeat = None, None
        self.tasks: list[_Task] = []
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self.live = Progress(
                TextColumn("{task.description:<20}"),
                BarColumn(bar_width=30),
                TextColumn("{task.completed:.0f}/{task.total:.0f}"),
                TimeElapsedColumn(),
                TextColumn("{task.fields[what]}"),
                console=Console(stderr=True),
                transient=True,
            )

    def __enter__(self) -> "Bar":
        if self.live:
            self.live.start()
        else:
            self.heartbeat = Heartbeat(self._still).__enter__()
        return self

    def __exit__(self, *_) -> None:
        if self.live:
            self.live.stop()
        elif self.heartbeat:
            self.heartbeat.__exit__()
            self.heartbeat = None

    def say(self, line: str) -> None:
        """A line that stays, above the bar."""
        if self.live:
            self.live.console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr, flush=True)
            if self.heartbeat:
                self.heartbeat.spoke()

    def _still(self) -> None:
        """Say which stage goes on, if one does."""
        for task in self.tasks[:1]:
            step = f"{task.done:>4} of {task.all} {task.what}" if task.all else "goes on"
            self.say(f"{task.title:<20} {step}, {minutes(time.monotonic() - task.began)} so far")

    @contextlib.contextmanager
    def task(self, title: str, total: int = 0) -> Iterator[Update]:
        """A stage, shown from its start if ``total`` is known. The line that stays says how long it
        took, unless that was nothing to speak of."""
        task = _Task(title, time.monotonic(), all=total)
        spoke = task.began
        self.tasks.append(task)
        text = (
            self.live.add_task(title, total=total, what="", visible=total > 0)
            if self.live
            else None
        )

        def update(done: int, all_: int, what: str) -> None:
            nonlocal spoke
            moved = (done, what) != (task.done, task.what)
            task.done, task.all, task.what = done, all_, what
            if not self.live and moved and time.monotonic() - spoke > QUIET_SECONDS:
                spoke = time.monotonic()
                self.say(f"{title:<20} {done:>4} of {all_} {what}")
            if self.live:
                self.live.update(text, completed=done, total=all_, what=what, visible=True)

        try:
            yield update
        finally:
            self.tasks.remove(task)
            if self.live:
                self.live.remove_task(text)
        took = time.monotonic() - task.began
        if task.done and took > SHORT_SECONDS:
            self.say(f"{title:<20} {task.done:>4} done in {took:5.1f} s")


class Silent(Bar):
    """For programs: nothing is shown or said."""

    def __init__(self) -> None:
        self.live, self.heartbeat = None, None

    def __enter__(self) -> "Silent":
        return self

    def say(self, line: str) -> None:
        pass

    @contextlib.contextmanager
    def task(self, title: str, total: int = 0) -> Iterator[Update]:
        yield lambda *_: None
