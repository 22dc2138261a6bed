# SPDX-License-Identifier: BSD-2-Clause
"""Seconds of the first study with an empty run store; programs and images are built before.

PYTHONPATH=tools python3 bench/study.py [--quick]

What the store has is put aside meanwhile and put back at the end. Real time.
"""

import shutil
import subprocess
import sys
import time

from mcpi.base.repo import ROOT
from mcpi.base.run_store import KEPT

ASIDE = KEPT.with_name("runs.aside")


def main() -> None:
    command = ["./mcpi", "paper", *sys.argv[1:]]
    if KEPT.exists():
        KEPT.rename(ASIDE)
    try:
        for what in ("with whatever had to be built", "again, everything built"):
            began = time.monotonic()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            seconds = time.monotonic() - began
            if done.returncode:
                raise SystemExit(done.stderr)
            shutil.rmtree(KEPT)
            print(f"{' '.join(command)}: {seconds:.0f} s, {what}", flush=True)
        content = done.stdout + done.stderr
        print(next(line.strip() for line in content.splitlines() if "repeated on the RTL" in line))
    finally:
        if ASIDE.exists():
            shutil.rmtree(KEPT, ignore_errors=True)
            ASIDE.rename(KEPT)


if __name__ == "__main__":
    main()
