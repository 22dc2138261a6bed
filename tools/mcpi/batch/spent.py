# SPDX-License-Identifier: BSD-2-Clause
"""Where the time of a study went: by stage, and by kind of run."""

import contextlib
import threading
import time
from collections.abc import Iterator


class Spent:
    """Seconds from its start on. Runs of several cores add theirs, so sums may exceed the whole."""

    def __init__(self) -> None:
        self._began, self._lock = time.monotonic(), threading.Lock()
        self._stages: dict[str, float] = {}
        self._runs: dict[str, tuple[int, float]] = {}

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """A part of the work besides runs; one of the same name adds to it."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._stages[name] = self._stages.get(name, 0) + time.monotonic() - began

    def run(self, kind: str, seconds: float) -> None:
        """A run has taken so long."""
        with self._lock:
            number, all_ = self._runs.get(kind, (0, 0.0))
            self._runs[kind] = number + 1, all_ + seconds

    def words(self, cores: int) -> str:
        """A line for people."""
        parts = [f"{name} {seconds:.1f} s" for name, seconds in self._stages.items()]
        for kind, (number, seconds) in self._runs.items():
            each = seconds / number
            parts.append(f"{kind} {number} × {each:.2g} s = {seconds:.1f} s")
        whole = time.monotonic() - self._began
        return f"where time went: {'; '.join(parts)}; in all {whole:.1f} s, cores: {cores}"
