# SPDX-License-Identifier: BSD-2-Clause
"""Times a command as the first one in new bare roots (setup/bare-root, which wants root)."""

import re
import shlex
import statistics
import subprocess

from mcpi.base.repo import ROOT

WHOLE = re.compile(r"^real (\d+) user (\d+) system (\d+)", re.M)
SET_UP = re.compile(r"set up in (\d+) s; (\d+) MB of packages came in (\d+) s")
NAMES = ("whole", "processor", "set-up", "megabytes", "fetching")


def first(command: str, suite: str = "bookworm") -> dict[str, int]:
    """Seconds, megabytes and seconds of a processor of one new root, by ``NAMES``. Packages are
    fetched from whatever mirror is at hand. The root is made before the clock starts."""
    timed = f"TIMEFORMAT='real %0R user %0U system %0S'; time {command}"
    words = [ROOT / "setup" / "bare-root", "--suite", suite, "--", f"bash -c {shlex.quote(timed)}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    whole, set_up = WHOLE.search(said), SET_UP.findall(said)
    if done.returncode or not whole or not set_up:
        raise SystemExit(said)
    parts = [sum(int(one[n]) for one in set_up) for n in range(3)]  # a command may set up twice
    processor = int(whole[2]) + int(whole[3])
    return dict(zip(NAMES, (int(whole[1]), processor, *parts), strict=True))


def show(command: str, roots: int) -> None:
    """Print the medians."""
    found = [first(command) for _ in range(roots)]
    median = {name: statistics.median(one[name] for one in found) for name in NAMES}
    each = ", ".join(str(one["whole"]) for one in found)
    print(f"{command}\n{median['whole']:.0f} s from nothing to the answer, median of {each}")
    print(f"of them {median['fetching']:.0f} s fetched {median['megabytes']:.0f} MB of packages;")
    print(f"set-up {median['set-up']:.0f} s; {median['processor']:.0f} s of a processor in all")
