# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the words while something long goes on: a bar from its start, or a line every so
often."""

import io
import re
import time
from types import SimpleNamespace

import pytest

from mcpi.base import progress
from mcpi.base.heartbeat import Heartbeat
from mcpi.base.progress import Bar, counted


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_there_before_the_first_update(monkeypatch) -> None:
    """If it is known how much there is; else a bar would show 0 of 0."""
    monkeypatch.setattr("sys.stderr", Terminal())
    with Bar() as bar:
        with bar.task("what is kept", 222) as update:
            (shown,) = bar.live.tasks
            assert shown.visible and shown.total == 222
            update(3, 222, "std")
            (shown,) = bar.live.tasks
            assert shown.completed == 3 and shown.fields["what"] == "std"
        with bar.task("simulator") as update:
            (shown,) = bar.live.tasks
            assert not shown.visible
            update(0, 7, "")
            assert bar.live.tasks[0].visible
        assert not bar.live.tasks


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """The time, which the test sets."""
    now = [0.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_without_a_terminal_a_long_stage_says_that_it_goes_on(clock, capsys) -> None:
    with Bar() as bar, bar.task("runs", 9) as update:
        for done, clock[0] in enumerate((5, 25, 30, 50), 1):
            update(done, 9, "std")
        clock[0] = 61
    said = [" ".join(line.split()) for line in capsys.readouterr().err.splitlines()]
    assert said == ["runs 2 of 9 std", "runs 4 of 9 std", "runs 4 done in 61.0 s"]


def test_an_update_without_a_step_says_nothing(clock, capsys) -> None:
    """The heartbeat speaks then, and says for how long."""
    with Bar() as bar, bar.task("place and route", 2) as update:
        for clock[0] in (30, 60, 90):
            update(0, 2, "placements")
        assert len(capsys.readouterr().err.splitlines()) == 1
        clock[0] = 120
        update(1, 2, "placements")
    said = capsys.readouterr().err.splitlines()[0]
    assert said.split() == ["place", "and", "route", "1", "of", "2", "placements"]


@pytest.mark.parametrize(("seconds", "done"), [(0.4, 0), (9, 0), (0.4, 1)])
def test_what_took_no_time_or_had_nothing_to_do_leaves_no_line(
    clock, capsys, seconds, done
) -> None:
    with Bar() as bar, bar.task("plan", 1) as update:
        update(done, 1, "")
        clock[0] = seconds
    assert capsys.readouterr().err == ""


def test_one_and_more() -> None:
    assert (counted(1, "sample"), counted(10, "sample")) == ("1 sample", "10 samples")
    assert counted(0, "run") == "0 runs"


def test_a_stage_without_updates_says_that_it_goes_on(monkeypatch, capsys) -> None:
    """The stage is like a synthesis, which is one step of minutes."""
    monkeypatch.setattr(progress, "Heartbeat", lambda speak: Heartbeat(speak, 0.05))
    with Bar() as bar:
        with bar.task("synthesis"):
            time.sleep(0.3)
        said = capsys.readouterr().err.splitlines()
        assert said and all(re.fullmatch(r"synthesis +goes on, \d s so far", line) for line in said)
        with bar.task("runs", 3) as update:
            update(1, 3, "std")
            time.sleep(0.3)
        assert re.match(r"runs +1 of 3 std, \d s so far", capsys.readouterr().err)
    time.sleep(0.2)
    assert not capsys.readouterr().err, "nothing is said after the end"


def test_a_line_puts_the_heartbeat_off() -> None:
    spoken = []
    with Heartbeat(lambda: spoken.append(1), 0.3) as heartbeat:
        for _ in range(8):
            time.sleep(0.1)
            heartbeat.spoke()
    assert not spoken


def test_of_two_tasks_that_are_alike_the_task_that_ends_goes(clock, capsys) -> None:
    """Threads end their tasks at any time: a list compared by value, while others shorten it."""
    bar = Bar()
    with bar.task("runs"):
        (first,) = bar.tasks
        with bar.task("runs"):
            pass
        assert bar.tasks[0] is first
    assert not bar.tasks
