# SPDX-License-Identifier: BSD-2-Clause
"""pytest's plugin of ``./mcpi test``: what a test may skip, and what is printed of a session.

The first half runs in the workers, the second in the process that hands tests out to them.
"""

import collections
import csv
import gc
import os
import shlex
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from mcpi.base import reuse
from mcpi.base.heartbeat import Heartbeat
from mcpi.base.progress import minutes
from verify import long_tests, test_requirements
from verify.reads import observer, plugin, worker

SLOWEST = 10
COSTLIEST = 40
TIMES = "build/test-times.csv"
_SPENT = pytest.StashKey[float]()
_ALWAYS = worker.begin() if plugin.observed() else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--names", default="", help="-k of ./mcpi test: names of tests and files")


def matches(expression: Expression, names: Iterable[str]) -> bool:
    """True if it holds for these names; a word of it is a part of a name."""
    low = [name.lower() for name in names]
    return expression.evaluate(lambda word, **_: any(word.lower() in name for name in low))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark all long tests, before ``-m`` leaves them out; then keep what ``--names`` names. A
    parameter, a folder or a marker is no name of a test."""
    for item in items:
        if item.get_closest_marker("long"):
            item.user_properties.append(("long", True))
    if hasattr(config, "workeroutput"):
        config.workeroutput["long"] = [i.nodeid for i in items if i.user_properties]
    if config.option.names:
        wanted = Expression.compile(config.option.names)
        both = {True: [], False: []}
        for item in items:
            names = item.path.stem, item.name.partition("[")[0]
            both[matches(wanted, names)].append(item)
        config.hook.pytest_deselected(items=both[False])
        items[:] = both[True]


def pytest_collection_finish() -> None:
    """Keep all imported and collected objects: the garbage collector's looks at them took a tenth
    of Python's time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    item.stash[_SPENT] = _spent()


def _spent() -> float:
    """Processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Only what ``test_requirements`` names may be lacking: any other skip is a failure.

    The report gets the processor seconds since the one before it, ``cpu``.
    """
    outcome = yield
    report = outcome.get_result()
    now = _spent()
    report.cpu, item.stash[_SPENT] = now - item.stash[_SPENT], now
    if report.skipped and (reason := _reason(report)) not in test_requirements.REASONS:
        report.outcome, report.longrepr = "failed", f"may not be skipped ({reason})"


def _reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    return str(report.longrepr)


def again(nodeid: str) -> str:
    """The line that repeats a test, and only this case of it."""
    return f"./mcpi python -m pytest {shlex.quote(nodeid)}"


@dataclass
class Tally:
    """Tests by their outcome. ``reasons``: of what was skipped, each with how often."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, other: "Tally") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.seconds += other.seconds
        self.cpu += other.cpu
        self.reasons += other.reasons

    @property
    def count(self) -> int:
        return self.passed + self.failed + self.skipped

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


class Printed:
    """A line for each file when its last test has ended, a failure as soon as it is known."""

    def __init__(self, config: pytest.Config) -> None:
        self.began, self.root = time.monotonic(), config.rootpath
        self.whole = not config.option.names and not config.option.markexpr.count("slow")
        self.files: dict[str, Tally] = collections.defaultdict(Tally)
        self.expected: collections.Counter[str] = collections.Counter()
        self.done: collections.Counter[str] = collections.Counter()
        self.seconds: collections.Counter[str] = collections.Counter()
        self.cpu: collections.Counter[str] = collections.Counter()
        self.outcomes: dict[str, str] = {}
        self.uncollected: set[str] = set()
        self.long: list[str] = []
        self.long_passed: list[str] = []
        self.kept: list[str] = []  # tests whose pass is kept: they did not run
        self.running: dict[str, float] = {}  # by name, since when, s
        notes = os.environ.get(observer.NOTES)
        own = notes and observer.OF not in os.environ  # else it is a part of a test
        self.passes = plugin.Passes(Path(notes), self.root) if own else None
        self.heartbeat = Heartbeat(self._still)

    def pytest_sessionstart(self) -> None:
        self.heartbeat.__enter__()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running[nodeid] = time.monotonic()

    def _still(self) -> None:
        """Say how far the session is, and which tests run."""
        now = time.monotonic()
        tests = [f"{name} ({minutes(now - began)})" for name, began in list(self.running.items())]
        done, of = sum(self.done.values()), sum(self.expected.values())
        running = f"; running: {', '.join(tests)}" if tests else ""
        print(f"{minutes(now - self.began)}: {done} of {of or 'the'} tests{running}", flush=True)

    def pytest_report_teststatus(self, report) -> tuple[str, str, str]:
        return report.outcome, "", ""  # the terminal reporter prints nothing of it

    def pytest_xdist_node_collection_finished(self, node, ids: list[str]) -> None:
        self.expected = collections.Counter(_file(nodeid) for nodeid in ids)

    def pytest_testnodedown(self, node, error) -> None:
        said = getattr(node, "workeroutput", {})
        self.long = said.get("long", self.long)
        self.kept = said.get("kept", self.kept)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported counts as one test that failed; each worker says so."""
        if report.failed and report.nodeid not in self.uncollected:
            self.uncollected.add(report.nodeid)
            self.files[_file(report.nodeid)].failed += 1
            _print_failure(report, again(report.nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file, name = _file(report.nodeid), report.nodeid
        self.seconds[name] += report.duration
        self.files[file].seconds += report.duration
        cpu = getattr(report, "cpu", 0.0)  # a worker that died has none
        self.cpu[name] += cpu
        self.files[file].cpu += cpu
        known = self.outcomes.get(name)
        if report.failed:
            _print_failure(report, again(name))
        if report.failed and known != "failed":
            self.outcomes[name] = "failed"
        elif not known and (report.skipped or report.when == "call"):
            self.outcomes[name] = report.outcome
        if report.skipped:
            self.files[file].reasons[f"{file}: {_reason(report)}"] += 1
        if report.when == "teardown" or "worker" in str(report.when or "worker"):
            self._ended(file, name, _is_long(report))

    def _ended(self, file: str, name: str, long: bool) -> None:
        self.running.pop(name, None)
        outcome, tally = self.outcomes.get(name, "failed"), self.files[file]
        setattr(tally, outcome, getattr(tally, outcome) + 1)
        self.done[file] += 1
        if long and outcome == "passed":
            self.long_passed.append(name)
        if self.done[file] == self.expected[file]:
            word = "FAILED" if tally.failed else "ok"
            part = 100 * sum(self.done.values()) // max(sum(self.expected.values()), 1)
            line = f"{word:<6} {part:3} % {file:<50} {tally!s:<24} {tally.seconds:7.1f} s"
            line += f" {tally.cpu:7.1f} cpu"
            print(line, flush=True)
            self.heartbeat.spoke()
            self._record()
            if self.passes:
                passed = [n for n, said in self.outcomes.items() if said == "passed"]
                of_it = [name for name in passed if _file(name) == file]
                self.passes.ended(file, of_it, bool(tally.failed))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """The last line is 'N passed, N failed', and ', N skipped' if any was; behind that, how
        many passes were kept."""
        self.heartbeat.__exit__()
        rooms: dict[str, Tally] = collections.defaultdict(Tally)
        total = Tally()
        for name in self.kept:
            self.files[_file(name)].passed += 1
        for file, tally in self.files.items():
            rooms[file.partition("/")[0]].add(tally)
            total.add(tally)
        if not total.count:
            return
        print("\nthe slowest:")
        for name, seconds in self.seconds.most_common(SLOWEST):
            print(f"{seconds:8.1f} s {self.cpu[name]:8.1f} cpu  {name}")
        print("files that take most of a processor, with what they build:")
        for file, tally in sorted(self.files.items(), key=lambda one: -one[1].cpu)[:COSTLIEST]:
            print(f"{tally.seconds:8.1f} s {tally.cpu:8.1f} cpu  {file}")
        self._write_times()
        print(f"  all of them: {TIMES}\n")
        for room, tally in sorted(rooms.items()):
            print(f"{room:<10} {tally!s:<34} {tally.seconds:8.1f} s {tally.cpu:8.1f} cpu")
        for reason, count in sorted(total.reasons.items()):
            print(f"skipped {count}: {reason}")
        self._record()
        if self.whole and (left_out := sorted(set(self.long) - self.outcomes.keys())):
            print(long_tests.last_passed(left_out))
        print(f"reused by digest: {reuse.summary()}")
        if self.kept:
            print(
                f"kept: {len(self.kept)} tests passed before, and no file that they read has"
                " changed (--fresh runs them again)"
            )
        print(f"wall time {time.monotonic() - self.began:.0f} s")
        kept = f"; {len(self.kept)} of the passed did not run again" if self.kept else ""
        print(f"{total}{kept}", flush=True)

    def _record(self) -> None:
        """File by file: a session of hours may be stopped."""
        long_tests.passed(self.long_passed)
        self.long_passed = []

    def _write_times(self) -> None:
        """The tests of this session; below them, from before, those that did not run."""
        path = self.root / TIMES
        before = list(csv.reader(path.read_text().splitlines()))[1:] if path.exists() else []
        known = {row[0] for row in before if (self.root / _file(row[0])).exists()}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["test", "seconds", "processor seconds"])
            for name, seconds in self.seconds.most_common():
                rows.writerow([name, f"{seconds:.2f}", f"{self.cpu[name]:.2f}"])
            rows.writerows(row for row in before if row[0] in known - self.seconds.keys())


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _is_long(report: pytest.TestReport) -> bool:
    return any(name == "long" for name, _ in report.user_properties)


def _print_failure(report: pytest.TestReport | pytest.CollectReport, line: str) -> None:
    print(f"\nFAILED {report.nodeid}\n{report.longreprtext}")
    for title, said in report.sections:
        print(f"--- {title}\n{said}")
    print(f"again: {line}\n", flush=True)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(plugin.Worker(config, TIMES, _ALWAYS), "mcpi-worker")
    else:
        config.pluginmanager.register(Printed(config), "mcpi-printed")
