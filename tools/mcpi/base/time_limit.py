# SPDX-License-Identifier: BSD-2-Clause
"""A limit in seconds of the host, for what has none in ticks."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

from mcpi.base.errors import RunError


@contextlib.contextmanager
def limit(seconds: float | None, words: str) -> Iterator[None]:
    """End what is inside as ^C does, and raise RunError with ``words``, after so many seconds of
    the host; None: no limit."""
    over = threading.Event()

    def end() -> None:
        over.set()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds or 0, end)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if not over.is_set():
            raise
        raise RunError(words) from None
    finally:
        timer.cancel()
