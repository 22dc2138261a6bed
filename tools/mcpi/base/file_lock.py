# SPDX-License-Identifier: BSD-2-Clause
"""A file lock for one holder at a time. The kernel drops it when its holder ends, however it
ends."""

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def hold(path: Path, doing: str) -> Iterator[None]:
    """Hold ``path``; waits for another holder and says so: 'another mcpi <doing> (pid N)'."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            holder = handle.read().strip() or "unknown"
            print(f"another mcpi {doing} (pid {holder}), waiting", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        handle.seek(0)
        handle.truncate()
        handle.write(str(os.getpid()))
        handle.flush()
        yield
