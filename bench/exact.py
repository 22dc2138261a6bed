#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Instructions and ticks per second of the exact engine; run it as ./mcpi's Python would.

PYTHONPATH=tools python3 bench/exact.py [--against PROGRAM] [--repeat N] [--only WORD]

Each case is a whole run of mcpi-exact, its start too; seconds are the process's own user time, so
that other programs disturb less. All cases run one after the other, N times over: the median
counts, and its range is printed. `--against`: another mcpi-exact, which runs each case right before
this one; the factor is that of the medians. `mcpi-isa` executes the C program without any timing.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import model_speed

from mcpi.build import graph, models
from mcpi.firmware import images, parallel
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec

TICKS = 60_000_000  # of the C program
TRIPS, PACKETS = 1000, 40


def seconds(command: list[object], folder: Path, system: bool = False) -> float:
    """Seconds of the process; one that gives up at --max-ticks is as good as another. ``system``:
    the system's seconds for it too."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + system * usage.ru_stime

    before = spent()
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode and "gave up at tick" not in done.stderr:
        raise SystemExit(done.stderr)
    (folder / "said").write_text(done.stdout + done.stderr)
    return spent() - before


def tcp(folder: Path) -> list[object]:
    """Two nodes that play ping-pong."""
    spec = RunSpec()
    built = graph.build(spec)
    (folder / "machine.json").write_text(spec.check().to_json())
    items = [f"pal={built.pal}", f"image={built.image}", f"boot.round_trips={TRIPS}"]
    nodes = [word for n in (0, 1) for item in items for word in ("--node", f"{n}:{item}")]
    roles = [word for n in (0, 1) for word in ("--node", f"{n}:boot.role={n}")]
    return ["run", "--machine", "machine.json", *nodes, *roles, "--out", "."]


def c_program(folder: Path, name: str) -> list[object]:
    """A machine with a program that never sleeps."""
    resolved = profile.load(name)
    (folder / "machine.json").write_text(resolved.to_json())
    pal = images.build(images.plan(resolved, "std", "hello")).pal
    words = ["--machine", "machine.json", "--pal", pal, "--image", model_speed.image(folder)]
    return [*words, "--max-ticks", TICKS]


def cores(folder: Path, count: int, lock: str) -> list[object]:
    """A multiprocessor that sends packets in TCP."""
    machine = profile.load("challenge-100", {"core.count": str(count)})
    (folder / "machine.json").write_text(machine.to_json())
    switches = ("XK_MP_LOCK=LOCK_MCS",) if lock == "MCS" else ()
    made = images.build(parallel.plan(machine, parallel.Wanted("mpbench", "tcp", switches)))
    words = ["--machine", "machine.json", "--pal", made.pal, "--image", made.image, "--out", "."]
    boot = ("role=0", "warmup=8", f"round_trips={PACKETS}")
    return [*words, "--max-ticks", 10**9, *(word for b in boot for word in ("--boot", b))]


CASES = {
    "C program": lambda folder: c_program(folder, "dec3000-600"),
    "C program, TLBs": lambda folder: c_program(folder, "dec3000-tlb"),
    "TCP, two nodes": tcp,
    **{
        f"TCP send, {lock}, {n} core{'s' * (n > 1)}": lambda folder, n=n, lock=lock: cores(
            folder, n, lock
        )
        for n, lock in ((1, "MCS"), (4, "MCS"), (8, "MCS"), (8, "mutex"))
    },
}


def work(folder: Path, isa: float) -> tuple[int, int]:
    """Instructions and ticks of the run; the C program's instructions are ``isa`` a tick."""
    if not (folder / "run.json").exists():
        return round(TICKS * isa), TICKS
    record = json.loads((folder / "run.json").read_text())
    return sum(record["instructions"]), record["ticks"]


def per_tick(folder: Path, exact: Path) -> float:
    """Instructions a tick of the C program, counted in the log of a short run."""
    log, ticks = folder / "ticks.csv", 1_000_000
    command = [exact, *CASES["C program"](folder), "--max-ticks", ticks, "--tick-log", log]
    del command[command.index("--max-ticks") : command.index("--max-ticks") + 2]
    seconds(command, folder)
    return sum(",issue," in line for line in log.open()) / ticks


def start(program: Path, folder: Path, repeat: int) -> str:
    """How long a run of one tick takes, start and end of the process too."""
    command = [program, *CASES["C program"](folder)]
    command[-1] = 1
    times = [1000 * seconds(command, folder, system=True) for _ in range(repeat)]
    return f"{statistics.median(times):.1f} ms ({min(times):.1f} to {max(times):.1f})"


def copied(folder: Path) -> str:
    """The words of ``unit_copy`` on the copies of a node."""
    spec = RunSpec()
    built = graph.build(spec)
    (folder / "machine.json").write_text(spec.check().to_json())
    command = [models.build("unit_copy"), folder / "machine.json", built.pal, built.image]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    exact, isa = models.build("mcpi-exact"), models.build("mcpi-isa")
    programs = {"A": options.against.resolve()} if options.against else {}
    programs["B"] = exact
    times: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folders = {
            case: Path(name) / str(n) for n, case in enumerate(CASES) if options.only in case
        }
        commands = {}
        for case, folder in folders.items():
            folder.mkdir()
            commands[case] = CASES[case](folder)
        short = Path(name) / "short"
        short.mkdir()
        issues = per_tick(short, exact)
        plain = [isa, *CASES["C program"](short)]
        del plain[-2:]
        plain.remove("--image")
        model = []
        for _ in range(options.repeat):
            model.append(seconds(plain, short))
            for case, command in commands.items():
                for letter, program in programs.items():
                    taken = seconds([program, *command], folders[case])
                    times.setdefault((case, letter), []).append(taken)
        executed = int(re.search(r"exit 0 after (\d+)", (short / "said").read_text())[1])
        rate = executed / statistics.median(model)
        print(f"mcpi-isa {rate / 1e6:.0f} M instructions/s; {os.cpu_count()} processors")
        print(f"{'':24} M instr/s  M ticks/s  of mcpi-isa    s (range)")
        for case, folder in folders.items():
            instructions, ticks = work(folder, issues)
            own = times[case, "B"]
            median = statistics.median(own)
            said = f"{case:24} {instructions / median / 1e6:9.1f}  {ticks / median / 1e6:9.1f}"
            said += f"  {instructions / median / rate:10.1%}"
            said += f"    {median:.2f} ({min(own):.2f} to {max(own):.2f})"
            if "A" in programs:
                said += f"  {statistics.median(times[case, 'A']) / median:.2f} times as fast"
            print(said)
        for program in programs.values():
            print(f"start, one tick: {start(program, short, 4 * options.repeat)}")
        print(f"copies of a node: {copied(short)}")


if __name__ == "__main__":
    main()
