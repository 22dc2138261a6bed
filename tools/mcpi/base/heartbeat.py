# SPDX-License-Identifier: BSD-2-Clause
"""A line a minute from work that would otherwise be silent."""

import threading
import time
from collections.abc import Callable

SECONDS = 60


class Heartbeat:
    """Call ``speak`` whenever nobody has spoken for ``seconds``, as a context manager.

    ``speak`` runs in a thread of the heartbeat's own. ``spoke()`` puts the next call off: a line
    was printed elsewhere. After the context has ended ``speak`` is not called any more.
    """

    def __init__(self, speak: Callable[[], None], seconds: float = SECONDS) -> None:
        self.speak, self.seconds = speak, seconds
        self.last = time.monotonic()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._beat, daemon=True, name="heartbeat")

    def __enter__(self) -> "Heartbeat":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended.set()
        if self.thread.is_alive():
            self.thread.join()

    def spoke(self) -> None:
        """Note that a line was printed just now."""
        self.last = time.monotonic()

    def _beat(self) -> None:
        while not self.ended.wait(max(self.last + self.seconds - time.monotonic(), 0)):
            if time.monotonic() - self.last >= self.seconds:
                self.spoke()
                self.speak()
