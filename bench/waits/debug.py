#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Seconds of a processor that a command of ./mcpi debug takes in GDB and its target, which a user
waits on an idle machine; memory of the target.

PYTHONPATH=tools python3 bench/waits/debug.py [round trips]

Both machines of STD TCP run to the end once. Then GDB goes to ticks drawn by a seed. A second
session ends 100 round trips, and goes back over all of them to the last write of a variable that
is written before the first round trip. Marks: docs/how-to/debug.md.
"""

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from mcpi.base.progress import Silent
from mcpi.engines import debugging
from mcpi.spec.run_spec import RunSpec

TRIPS, BACK = 10_000, 100
SEED, TICKS = 55, 40
TIMED = """
python
import os, random, time
def spent():
    with open("/proc/TARGET/stat") as stat:
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return time.process_time() + (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
def timed(command):
    began = spent()
    answer = gdb.execute(command, to_string=True)
    print("seconds", spent() - began)
    return answer
def tick():
    return int(gdb.execute("monitor tick", to_string=True).split()[1].rstrip(","))
def memory():
    with open("/proc/TARGET/status") as status:
        print("kB", next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
ANYWHERE = f"""{TIMED}
timed("continue")
last = tick()
print("ticks", last)
draw = random.Random({SEED})
for _ in range({TICKS}):
    wanted = draw.randrange(last)
    timed(f"goto {{wanted}}")
    assert tick() == wanted
memory()
end
"""
WATCHED = f"""{TIMED}
timed("continue")
last = tick()
gdb.execute("watch -location boot_block")
timed("reverse-continue")
print("ticks", last - tick())
memory()
end
"""


def session(spec: RunSpec, script: str) -> tuple[list[float], int, float]:
    """Seconds of each timed command, the printed ticks, MB of the target at its largest."""
    with tempfile.TemporaryDirectory() as folder:
        run = debugging.prepare(spec, Path(folder) / "run", Silent())
        commands = run.place / "timed.gdb"
        with debugging.served(run) as target:
            commands.write_text(script.replace("TARGET", str(target.pid)))
            words = [debugging.GDB, "-q", "-batch", "-x", run.place / debugging.SETTINGS]
            done = subprocess.run([*words, "-x", commands], capture_output=True, text=True)
    seconds = [float(one) for one in re.findall(r"^seconds (\S+)$", done.stdout, re.M)]
    ticks, memory = (re.search(rf"^{name} (\d+)$", done.stdout, re.M) for name in ("ticks", "kB"))
    if not memory:
        raise SystemExit(done.stdout + done.stderr)
    return seconds, int(ticks[1]), int(memory[1]) / 1024


def main() -> None:
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else TRIPS
    (first, *seconds), ticks, memory = session(RunSpec(round_trips=trips), ANYWHERE)
    print(f"{trips:,} round trips, {ticks:,} ticks: {first:.1f} s to the end, the first time")
    print(
        f"to one of {len(seconds)} ticks: median {statistics.median(seconds):.2f} s, "
        f"longest {max(seconds):.2f} s; the target's memory {memory:.0f} MB",
        flush=True,
    )
    (_, back), ticks, memory = session(RunSpec(round_trips=BACK), WATCHED)
    print(f"back to a watchpoint over {BACK} round trips, {ticks:,} ticks: {back:.2f} s")


if __name__ == "__main__":
    main()
