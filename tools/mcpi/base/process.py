# SPDX-License-Identifier: BSD-2-Clause
"""Processes and calls side by side, and how all of them end when one must."""

import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

from mcpi.base import environment, staging
from mcpi.base.repo import BUILD

_SAID = BUILD / "said.json"
_SECONDS = 5  # between words on how far it is


def heard(words: Sequence[object], **how) -> subprocess.CompletedProcess[str]:
    """A program that has run to its end, with what it said as text, which a byte that is none does
    not end. ``how``: as subprocess.run."""
    how = {"stdin": subprocess.DEVNULL, "check": False, "errors": "backslashreplace"} | how
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **how)


def said(words: Sequence[object], **how) -> tuple[int, str]:
    """Status of a program that always says the same, and all that it says: asked once, and kept as
    long as its file and the record of packages are the same."""
    program = Path(shutil.which(str(words[0])) or words[0])
    packages = environment.place() and environment.place() / environment.RECORD
    files = [path.stat() for path in (program, packages) if path and path.exists()]
    about = [(file.st_ino, file.st_size, file.st_mtime_ns) for file in files]
    key = " ".join(map(str, [program, *words[1:], about]))
    try:
        kept = json.loads(_SAID.read_text())
    except (OSError, ValueError):
        kept = {}
    if key not in kept:
        done = heard(words, **how)
        kept[key] = done.returncode, done.stdout + done.stderr
        staging.write(_SAID, json.dumps(kept, indent=1))
    status, text = kept[key]
    return status, text


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
