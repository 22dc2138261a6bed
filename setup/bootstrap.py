# SPDX-License-Identifier: BSD-2-Clause
"""Makes the tool environment; started by ``./mcpi`` when what a command needs is not there yet.

Standard library only, Python 3.9 or later: nothing is installed when this runs. What a purpose
needs comes with the first command of the purpose. A group of further Python packages comes with the
first command that needs it, or by ``./mcpi setup --with GROUP``. Every step leaves a stamp when it
is complete, so that after an interruption only the missing steps run again.
"""

import errno
import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path

import steps
from debian import Refused
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


EXEC, RTL, TEST, ALL = "exec", "rtl", "test", "all"  # each with what the one before brings
FURTHER = {
    "drawing": 8,
    "page": 10,
    "analysis": 40,
    "notebook": 30,
    "trace": 5,
    "mill": 10,
    "caches": 3,
    "docs": 5,
    "parts": 12,
    "debug": 8,
    "c++": 8,
}  # with seconds
# Steps of the groups of Debian's packages, by group.
TOOLS = {"debug": "debugger", "c++": "compiler of C++"}
READY = {purpose: f"ready-{purpose}" for purpose in (EXEC, RTL, TEST, ALL)}  # files that say so
# Downloads of each purpose and its disk space beyond the one before, and what that is.
SIZES = {
    EXEC: (130, 0.5, "compilers for Alpha and for this machine, Python"),
    RTL: (230, 0.6, "Java, Scala, SpinalHDL, Verilator, clang"),
    TEST: (520, 2.2, "Yosys, nextpnr, cocotb, solvers, QEMU, tshark, Emscripten, Node"),
    ALL: (180, 0.7, "Chromium, Slurm"),
}


def plan(where: steps.Context) -> list:
    """The steps that are still to do. The package list comes first, if a package is missing."""
    first, pip, jars = "Python", "python packages", "compiler jars"
    packages = {EXEC: "compilers", RTL: "Java and clang", TEST: "test packages"}
    packages[ALL] = "packages of long tests"
    wanted = [
        Step(first, steps.packages("python"), 5, ("package list",), "debian-python"),
        Step(packages[EXEC], steps.packages(EXEC), 14, (first,), "debian-exec"),
        Step(pip, steps.python(EXEC), 6, (first,), "python-exec"),
    ]
    rtl = [
        Step(packages[RTL], steps.packages(RTL), 14, (packages[EXEC],), "debian-rtl"),
        Step("rtl python", steps.python(EXEC, RTL), 4, (pip,), "python-rtl"),
        Step("verilator", steps.verilator, 1, ("rtl python",), "verilator"),
        Step("certificates", steps.certificates, 1, (packages[RTL],), "certificates"),
        Step(jars, steps.jars("scala"), 11, ("certificates",), "scala"),
        Step("compile Scala", steps.scala, 20, (jars, pip)),
    ]
    test = [
        Step(packages[TEST], steps.packages(TEST), 20, (packages[RTL],), "debian-test"),
        Step("test python", steps.python(EXEC, RTL, TEST), 30, ("rtl python",), "python-test"),
        Step("node", steps.node, 1, ("test python",), "node"),
        Step("formatter jars", steps.scalafmt, 10, (jars,), "scalafmt"),
    ]
    long = [Step(packages[ALL], steps.packages(ALL), 40, (packages[TEST],), "debian-all")]
    wanted += {EXEC: [], RTL: rtl, TEST: rtl + test, ALL: rtl + test + long}[where.purpose]
    pips = [step.name for step in wanted if "python" in step.name]
    apts = [packages[where.purpose]]
    for group, usual in FURTHER.items():
        if group == "mill" and group in where.groups:
            wanted.append(Step("mill", steps.mill, usual, (jars,), where.stamp(group)))
        elif group in TOOLS and group in where.groups:  # one apt at a time
            step = Step(TOOLS[group], steps.tools(group), usual, (apts[-1],), where.stamp(group))
            wanted.append(step)
            apts.append(step.name)
        elif group in where.groups:  # one pip at a time: each waits for the one before
            name = f"{group} python"
            step = steps.parts if group == "parts" else steps.python(group)
            wanted.append(Step(name, step, usual, (pips[-1],), where.stamp(group)))
            pips.append(name)

    def is_done(step: Step) -> bool:
        if step.name == "compile Scala":
            return (where.env / READY[RTL]).exists()
        return not where.again and (where.env / "done" / step.stamp).exists()

    left = [step for step in wanted if not is_done(step)]
    if any(step.stamp.startswith("debian-") or step.name in TOOLS.values() for step in left):
        left.insert(0, Step("package list", steps.package_list, 3))
    return left


def sizes(where: steps.Context) -> str:
    """Contents and megabytes of what is not there yet for the purpose; nothing if all is."""
    missing = [
        SIZES[purpose]
        for purpose in purposes(where.purpose)
        if not (where.env / READY[purpose]).exists()
    ]
    if not missing:
        return ""
    fetched, disk = (sum(column) for column in list(zip(*missing))[:2])
    what = ", ".join(text for _, _, text in missing)
    return f"{what}: about {fetched} MB to fetch, {disk:.1f} GB on disk"


def purposes(purpose: str) -> tuple:
    """``purpose``, after those that it brings."""
    return tuple(READY)[: tuple(READY).index(purpose) + 1]


def refuse(text: str) -> int:
    print(f"mcpi: {text}", file=sys.stderr)
    return 2


def main() -> int:
    purpose = os.environ.get("MCPI_PURPOSE", TEST)
    if purpose not in READY:
        return refuse(f"no purpose {purpose}. There are: {', '.join(READY)}")
    env = Path(os.environ["MCPI_ENV"])
    try:
        held = lock(env.with_suffix(".lock"))
    except OSError as error:
        return refuse(f"{env.parent}: {error.strerror}. Set MCPI_HOME to a folder.")
    with held:
        return set_up(env, purpose)


def set_up(env: Path, purpose: str) -> int:
    """Bring the parts that are missing for ``purpose``; return the exit status."""
    again = "setup" in sys.argv[1:2]
    where = steps.Context(ROOT, env, purpose, again, os.environ.get("MCPI_GROUPS", ""))
    purpose = where.purpose
    if unknown := [group for group in where.groups if group not in steps.GROUPS]:
        return refuse(f"no group {unknown[0]}. There are: {', '.join(steps.GROUPS)}")
    there = all((env / "done" / where.stamp(group)).exists() for group in where.groups)
    if (env / READY[purpose]).exists() and there and not again:
        return 0  # the one we waited for has done it
    started, command = time.monotonic(), (sys.argv[1:2] or [purpose])[0]
    try:
        todo = plan(where)
        if any(step.name == "package list" for step in todo):
            where.apt.prepare()
        said = [f"setting up for ./mcpi {command}: {len(todo)} steps, some side by side, once."]
        said += [text for text in (sizes(where),) if text]
        said.append(f"all of it goes to {env.parent}, nothing into the system; logs: {env / 'log'}")
        print("mcpi: " + "\n  ".join(said), file=sys.stderr, flush=True)
        seconds = Runner(todo, env).run(where)
    except Refused as refusal:
        return refuse(str(refusal))
    except OSError as error:  # of the environment's own files; a step's are a Failed
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "Make room there, or set" if full else "Set"
        return refuse(f"{error.filename or env}: {error.strerror}. {advice} MCPI_HOME to a folder.")
    except Failed as failure:
        print(f"mcpi: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nmcpi: set-up interrupted; the next start goes on from here.", file=sys.stderr)
        return 130
    where.apt.tidy()
    for done in purposes(purpose):
        stage = env / "ready.new"
        stage.write_text(json.dumps(seconds, indent=1))
        stage.rename(env / READY[done])
    fetched = f"{where.apt.megabytes:.0f} MB of packages came in {where.apt.seconds:.0f} s"
    print(f"mcpi: set up in {time.monotonic() - started:.0f} s; {fetched}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what runs, as ^C does
    sys.exit(main())
