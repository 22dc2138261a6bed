#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Instructions per second of the instruction-set model on a compiled C program.

PYTHONPATH=tools python3 bench/model_speed.py

`run` is mcpi-isa as it is; `step` makes the record of every instruction that lock-step compares.
Seconds are the process's own (user and system), so that other programs disturb less.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.firmware import commands, images, recipes
from mcpi.machine import profile

REPEAT = 3  # the best counts
ENTRY = 0xFFFFFC0000100000


def image(folder: Path) -> Path:
    """The C program as an image that PALcode starts."""
    out = folder / "image.elf"
    words = [f"{commands.PREFIX}gcc", *recipes.recipe("std")["compile"]["common"], "-O2"]
    words += ["-nostdlib", "-static", f"-Wl,-N,--no-relax,--build-id=none,-Ttext={ENTRY:#x}"]
    words += ["-Wl,--no-warn-rwx-segments", "-Wl,-e,_start", "-fno-toplevel-reorder"]
    words += [str(ROOT / "bench" / "model_speed.c"), "-o", str(out)]
    subprocess.run(words, check=True)
    return out


def main() -> None:
    resolved = profile.load("dec3000-600")
    pal = images.build(images.plan(resolved, "std", "hello")).pal
    isa = models.build("mcpi-isa")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        description = folder / "machine.json"
        description.write_text(resolved.to_json())
        words = [isa, "--machine", description, "--pal", pal]
        for mode, options in (("run", []), ("step", ["--step"])):
            best, count = 0.0, 0
            for _ in range(REPEAT):
                command = [str(w) for w in [*words, *options, image(folder)]]
                before = os.times()
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                after = os.times()
                seconds = after.children_user - before.children_user
                seconds += after.children_system - before.children_system
                count = int(re.search(r"exit 0 after (\d+)", done.stderr)[1])
                best = max(best, count / seconds)
            print(f"{mode:5} {best / 1e6:7.1f} M instructions/s  ({count:,} instructions)")


if __name__ == "__main__":
    main()
