# SPDX-License-Identifier: BSD-2-Clause
"""Runs linux_client.py in a namespace of its own."""

import os
import sys

from firmware_support.host_build import SUPPORT, program, services_machine

from mcpi.base.process import heard


def linux(
    task: str, percent: int = 0, seed: int = 1, machine: tuple | None = None, arp: bool = True
) -> str:
    """Run a task of linux_client.py; what it said. ``machine``: else the host build of the
    x-kernel. ``arp``: the machine has that; else Linux is given its station."""
    words = ["unshare", "-n", sys.executable, SUPPORT / "linux_client.py"]
    words += machine or [program("tap"), services_machine()]
    words = [str(w) for w in [*words, percent, seed, task, *(() if arp else ("without-arp",))]]
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = heard(words, timeout=900, env=environment)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr[-3000:]}"
    print(done.stdout)
    return done.stdout
