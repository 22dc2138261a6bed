# SPDX-License-Identifier: BSD-2-Clause
"""A simulator run that is not run twice: what has ended is kept by content (``run_store``)."""

from pathlib import Path

from mcpi.base import run_store
from mcpi.base.process import Stop
from mcpi.base.progress import Update
from mcpi.engines import simulate
from mcpi.spec.spec import Spec


def once(
    program: Path,
    place: Path,
    folder: str,
    spec: Spec,
    phases: list[int],
    options: list[str],
    stop: Stop | None = None,
    update: Update = lambda *_: None,
) -> bool:
    """Have the files of the run in ``place/folder``; True if it ran, False if it was kept.
    KeyboardInterrupt if it was stopped."""
    words = program, place, folder, spec, phases, options

    def start() -> None:
        if not simulate.simulate(*words, stop, update):
            raise KeyboardInterrupt

    return run_store.once(simulate.command(*words), place, folder, start)
