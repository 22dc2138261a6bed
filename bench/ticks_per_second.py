#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Virtual ticks per second of two nodes in TCP ping-pong; run it as ./mcpi's Python would.

PYTHONPATH=tools python3 bench/ticks_per_second.py [round trips]

Seconds are the process's own user time, so that other programs disturb less.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import two_nodes

REPEAT = 3  # the best counts: whatever else the computer does only makes it slower
PLAIN = ["--no-lockstep", "--no-oracle"]
CASES = {
    "idle ticks skipped": PLAIN,
    "every tick simulated": [*PLAIN, "--no-skip"],
    "lock-step": ["--no-oracle"],
    "lock-step, oracles": [],
    "slow backing": [*PLAIN, "--backing-latency", "1-60"],
}


def main() -> None:
    trips = sys.argv[1] if len(sys.argv) > 1 else "30"
    built = two_nodes.usual()
    with tempfile.TemporaryDirectory() as folder:
        words = two_nodes.words(built, Path(folder), built.pal, built.image, round_trips=trips)
        words += ["--out", folder]
        print(shlex.join(words))
        for name, options in CASES.items():
            best = 0.0
            for _ in range(REPEAT):
                before = os.times()
                subprocess.run([*words, *options], check=True, capture_output=True)
                seconds = os.times().children_user - before.children_user
                run = json.loads((Path(folder) / "run.json").read_text())
                best = max(best, run["ticks"] / seconds)
            share = sum(run["simulated_clocks"]) / (2 * run["ticks"])
            print(
                f"{name:20} {best:12,.0f} ticks/s  ({run['ticks']:,} ticks, {share:.0%} simulated)"
            )


if __name__ == "__main__":
    main()
