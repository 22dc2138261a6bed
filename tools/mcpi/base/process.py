# SPDX-License-Identifier: BSD-2-Clause
"""Processes and calls side by side, and how all of them end when one must."""

import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

_SECONDS = 5  # between words on how far it is


def heard(words: Sequence[object], **how) -> subprocess.CompletedProcess[str]:
    """A program that has run to its end, with what it said as text, which a byte that is none does
    not end. ``how``: as subprocess.run."""
    how = {"stdin": subprocess.DEVNULL, "check": False, "errors": "backslashreplace"} | how
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **how)


class Stop:
    """Ends every process that runs, from another thread."""

    def __init__(self) -> None:
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def add(self, child: subprocess.Popen) -> None:
        with self.lock:
            self.running.add(child)
            if self.stopped:
                child.terminate()

    def now(self) -> None:
        with self.lock:
            self.stopped = True
            for child in self.running:
                child.terminate()


def side_by_side(
    call: Callable[[object], object],
    items: Iterable,
    workers: int,
    stop: Stop | None = None,
    ended: Callable[[int], object] = lambda _: None,
) -> None:
    """``call(item)`` for each, ``workers`` at a time; ``ended(how many)`` when one has, and every
    few seconds. The first error ends what runs by ``stop``, and no other call begins."""
    with ThreadPoolExecutor(workers) as pool:
        every = [pool.submit(call, item) for item in items]
        left = set(every)
        try:
            while left:
                done, left = wait(left, _SECONDS, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
                ended(len(every) - len(left))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            if stop:
                stop.now()
            raise
