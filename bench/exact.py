#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine's ticks per second next to the RTL's; run it as ./mcpi's Python would.

PYTHONPATH=tools python3 bench/exact.py [round trips]

Both run the same two nodes in TCP ping-pong, one after the other, in each round; the RTL without
lock-step and oracle, with idle ticks skipped. `busy` is one node with a C program that never
sleeps. `copy` is a node in the middle of a talk. Seconds are the process's own user time, so that
other programs disturb less.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import model_speed
import ticks_per_second
import two_nodes

from mcpi.build import models

REPEAT = 3  # the best counts: whatever else the computer does only makes it slower
BUSY = 30_000_000  # ticks
START = 100  # ticks of a run that only starts


def seconds(command: list[object], system: bool = False) -> float:
    """Seconds of the process; one that gives up at --max-ticks is as good as another."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode and "gave up at tick" not in done.stderr:
        raise SystemExit(done.stderr)
    more = after.ru_stime - before.ru_stime if system else 0
    return after.ru_utime - before.ru_utime + more


def main() -> None:
    trips = sys.argv[1] if len(sys.argv) > 1 else "100"
    built = two_nodes.usual()
    exact, copies = models.build("mcpi-exact"), models.build("unit_copy")
    best = dict.fromkeys(("rtl", "exact", "busy", "start"), 1e9)
    copy = 1e9
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = two_nodes.words(built, folder, built.pal, built.image, round_trips=trips)
        image = model_speed.image(folder)
        alone = ["--machine", folder / "machine.json", "--pal", built.pal, "--image", image]
        out = ["--out", folder / "out"]
        commands = {
            "rtl": [*words, *out, *ticks_per_second.PLAIN],
            "exact": [exact, *words[1:], *out],
            "busy": [exact, *alone, "--max-ticks", BUSY],
            "start": [exact, *words[1:], *out, "--max-ticks", START],
        }
        for _ in range(REPEAT):
            for case, command in commands.items():
                best[case] = min(best[case], seconds(command, system=case == "start"))
                if case == "rtl":
                    ticks = json.loads((folder / "out" / "run.json").read_text())["ticks"]
            content = [copies, folder / "machine.json", built.pal, built.image]
            said = subprocess.run(content, capture_output=True, text=True, check=True).stdout
            copy = min(copy, float(re.search(r"([\d.]+) ms", said)[1]))
    rtl, fast = ticks / best["rtl"], ticks / best["exact"]
    print(f"RTL    {rtl / 1e6:7.2f} M ticks/s  ({ticks:,} ticks of two nodes)")
    print(f"exact  {fast / 1e6:7.2f} M ticks/s  {fast / rtl:.1f} times as fast")
    print(f"busy   {BUSY / best['busy'] / 1e6:7.2f} M core-ticks/s")
    print(f"start  {best['start'] * 1000:7.1f} ms of two nodes")
    print(f"copy   {copy:7.1f} ms of a node")


if __name__ == "__main__":
    main()
