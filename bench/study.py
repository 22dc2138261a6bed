# SPDX-License-Identifier: BSD-2-Clause
"""Seconds of a study with an empty run store, and where they went.

PYTHONPATH=tools python3 bench/study.py [tr9304] [--quick]

The words are those of ./mcpi paper. Real time. The store is another folder meanwhile; the second
run knows from the first how fast runs are here.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcpi.base.repo import BUILD, ROOT

SPEED = "speed.json"
SAID = ("about", "repeated on the RTL", "where time went")


def main() -> None:
    command = ["./mcpi", "paper", *sys.argv[1:]]
    speed = b""
    for what in ("with whatever had to be built", "again, everything built"):
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="runs-") as name:
            store = Path(name)
            if speed:
                (store / SPEED).write_bytes(speed)
            env = os.environ | {"MCPI_KEPT": name, "COLUMNS": "160"}
            began = time.monotonic()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=env)
            seconds = time.monotonic() - began
            if done.returncode:
                raise SystemExit(done.stderr)
            speed = (store / SPEED).read_bytes()
        print(f"{' '.join(command)}: {seconds:.0f} s, {what}", flush=True)
    for line in done.stderr.splitlines():
        if any(words in line for words in SAID):
            print(line.strip())


if __name__ == "__main__":
    main()
