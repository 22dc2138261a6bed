# SPDX-License-Identifier: BSD-2-Clause
"""Seconds from nothing to README's first table, in new roots of Debian 12; wants root.

PYTHONPATH=tools python3 bench/first_table.py [roots]

Each root is made before the clock starts (setup/bare-root); downloads count, from whatever mirror
is at hand. Prints the medians: the whole, set-up, and the steps of set-up that fetch packages.
"""

import re
import shlex
import statistics
import subprocess
import sys

from mcpi.base.repo import ROOT
from mcpi.docgen import transcript

FETCHES = ("package lists", "other packages", "packages", "python packages", "compiler jars")
STEP = re.compile(r"step \d+ of \d+, ([a-z A-Z]+): (\d+) s$", re.M)
WHOLE, SET_UP = re.compile(r"^real (\d+)", re.M), re.compile(r"set up in (?:(\d+) min )?(\d+) s")


def seconds(command: str) -> dict[str, int]:
    """Of one new root: ``whole``, ``set-up``, and its steps."""
    timed = f"TIMEFORMAT='real %0R'; time {command}"
    done = subprocess.run(
        [ROOT / "setup" / "bare-root", "--", f"bash -c {shlex.quote(timed)}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    if done.returncode or not (whole := WHOLE.search(said)) or not (set_up := SET_UP.search(said)):
        raise SystemExit(said)
    minutes, rest = set_up.groups(default=0)
    steps = {name: int(n) for name, n in STEP.findall(said)}
    return {"whole": int(whole[1]), "set-up": 60 * int(minutes) + int(rest)} | steps


def main() -> None:
    roots = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    command = next(iter(transcript.commands((ROOT / "README.md").read_text())))
    found = [seconds(command) for _ in range(roots)]
    median = {name: statistics.median(one[name] for one in found) for name in found[0]}
    whole, set_up = median.pop("whole"), median.pop("set-up")
    each = ", ".join(str(one["whole"]) for one in found)
    print(f"{command}\n{whole:.0f} s from nothing to the table, median of {each}")
    fetched = [f"{name} {median[name]:.0f} s" for name in FETCHES if name in median]
    print(f"of them set-up {set_up:.0f} s, some steps side by side; what fetches: ", end="")
    print(", ".join(fetched))


if __name__ == "__main__":
    main()
