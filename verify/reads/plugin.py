# SPDX-License-Identifier: BSD-2-Clause
"""In a worker: leave out what is kept, begin with the longest, and note who reads."""

import os
import time
from pathlib import Path

import pytest

from mcpi.base import reuse
from verify import test_order
from verify.reads import kept, observer, worker


def observed() -> bool:
    """True in a worker of the session itself; a session that one of its tests starts is a part of
    that test."""
    names = ("PYTEST_XDIST_WORKER", observer.NOTES)
    return all(name in os.environ for name in names) and observer.OF not in os.environ


class Worker:
    """``always``: modules that are there before any test file; None: nothing is observed."""

    def __init__(self, config: pytest.Config, times: str, always: list[str] | None) -> None:
        self.config, self.always = config, always
        self.seconds = test_order.known(config.rootpath / times)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector):
        """Parameters of tests may be read from files too."""
        path = collector.nodeid.partition("::")[0]
        if self.always is None or not path.endswith(".py"):
            yield
            return
        with worker.reading(path):
            for module in self.always:
                worker.imported(module)
            yield

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        held = kept.of_session(reuse.session())
        left_out = [item for item in items if item.nodeid in held]
        self.config.hook.pytest_deselected(items=left_out)
        self.config.workeroutput["kept"] = [item.nodeid for item in left_out]
        items[:] = [item for item in items if item.nodeid not in held]
        count = self.config.workerinput["workercount"]
        items[:] = test_order.longest_first(items, lambda item: item.nodeid, self.seconds, count)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        if self.always is None:
            yield
            return
        with worker.reading(item.nodeid.partition("::")[0]):
            yield


class Passes:
    """In the process that hands tests out: keep the pass of each file."""

    def __init__(self, notes: Path, root: Path) -> None:
        self.notes, self.began = notes, time.time_ns()
        self.store = kept.Store(root)

    def ended(self, file: str, passed: list[str], failed: bool) -> None:
        """All tests of the file that ran have ended."""
        if failed:
            self.store.forget(file)
        else:
            self.store.keep(file, passed, observer.of(self.notes, file), self.began)
