#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Seconds of a processor, user and system, of the exact engine's first build, without ccache; by
unit, one after the other, then all as a first start builds it. Run it as ./mcpi's Python would.

PYTHONPATH=tools python3 bench/engine_build.py
"""

import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from mcpi.build import models, native

NAME = "mcpi-exact"


def spent() -> float:
    """Seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    os.environ["CCACHE_DISABLE"] = "1"
    for whole in (False, True):
        with tempfile.TemporaryDirectory() as name:
            models.PLACE = Path(name)
            (models.PLACE / "objects").mkdir()
            edges = models.edges(NAME)
            if whole:
                before, began = spent(), time.monotonic()
                native.make(models.PLACE, edges, os.cpu_count() or 1, NAME)
                took = time.monotonic() - began
                print(f"{spent() - before:5.1f} s in all, {took:.0f} s by the clock")
                continue
            for edge in edges:
                before = spent()
                subprocess.run([str(word) for word in edge.command], check=True)
                print(f"{spent() - before:5.1f} s  {edge.label}")


if __name__ == "__main__":
    main()
