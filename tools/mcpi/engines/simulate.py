# SPDX-License-Identifier: BSD-2-Clause
"""Start ``mcpi-sim`` or ``mcpi-exact`` as contracts.md 8 says, and follow its progress."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop
from mcpi.base.progress import Update
from mcpi.spec import watching
from mcpi.spec.numbers import stack_number
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec

# A round trip is some 60,000 ticks; ten times that, plus a quarter of a second (at 175 MHz) for
# boot, handshake and close, means that a machine waits for something that never comes.
TICKS_PER_ROUND_TRIP = 600_000
BOOT_TICKS = 44_000_000
SHOWN_LINES = 40  # a lock-step report is 33


def command(
    program: Path,
    place: Path,
    folder: str,
    spec: RunSpec | ProgramSpec,
    phases: list[int],
    options: list[str],
    mode: str = "run",
    limit: int = 0,
) -> list[str]:
    """The words to start the simulator with; paths are relative to ``place``. ``limit``: ticks; 0:
    many more than so many round trips take."""
    words = [str(program), mode, "--out", folder, "--machine", f"{folder}/machine.json"]
    words += [] if spec.engine == EXACT else ["--node-json", "Node.json"]
    for node, phase in enumerate(phases):
        fields = {
            "stack": stack_number(spec.stack),
            "round_trips": spec.round_trips,
            "warmup": spec.warmup,
            "seed": spec.seed,
        }
        own = "peer.elf" if node and (place / "peer.elf").exists() else "image.elf"
        given = ["pal=pal.elf", f"image={own}", f"phase={phase}"]
        given += [f"boot.{name}={value}" for name, value in fields.items()]
        for item in given:
            words += ["--node", f"{node}:{item}"]
    limit = limit or longest(spec)
    words += watching.faults(spec)
    if spec.engine != EXACT:
        words += ["--lockstep" if spec.lockstep else "--no-lockstep"]
    return [*words, "--max-ticks", str(limit), "--reproduce", spec.command(), *options]


def longest(spec: RunSpec) -> int:
    """A run of this spec that has not ended by then, in ticks, has failed."""
    most = watching.TICKS_OF_A_LOSS if watching.is_faulty(spec) else TICKS_PER_ROUND_TRIP
    return BOOT_TICKS + most * (spec.warmup + spec.round_trips)


def simulate(
    program: Path,
    place: Path,
    folder: str,
    spec: RunSpec | ProgramSpec,
    phases: list[int],
    options: list[str],
    stop: Stop | None = None,
    update: Update = lambda *_: None,
    mode: str = "run",
    limit: int = 0,
    watch: Callable[[dict], None] | None = None,
) -> bool:
    """Run it to its end; its files land in ``place/folder``. RunError says why it failed; False if
    it was stopped before it had ended. An exception of ``update``, or ^C, ends it.

    ``watch`` is given both machines' counters now and then: tick, round_trips, frames, nodes."""
    options = [*options, "--live"] if watch else options
    words = command(program, place, folder, spec, phases, options, mode, limit)
    total = spec.warmup + spec.round_trips
    said, stop = [], stop or Stop()
    (place / folder / "command.txt").write_text(shlex.join(words) + "\n")
    with subprocess.Popen(
        words,
        cwd=place,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as child:
        stop.add(child)
        try:
            for line in child.stderr:
                match line.split():
                    case ["progress", trips, ticks] if trips.isdigit() and ticks.isdigit():
                        update(min(int(trips), total), total, f"{int(ticks) / 1e6:.1f} M ticks")
                    case ["live", *_] if watch:
                        watch(json.loads(line.partition(" ")[2]))
                    case _:
                        said.append(line.rstrip())
        except BaseException:
            child.terminate()
            raise
    (place / folder / "stderr.txt").write_text("\n".join(said) + "\n")
    if child.returncode and not stop.stopped:
        tail = said[-SHOWN_LINES:] or [f"it ended with status {child.returncode} and said nothing"]
        tail += _last_words(place / folder, tail)
        raise RunError("\n  ".join([f"the simulation failed ({place / folder}):", *tail]))
    return not child.returncode


def _last_words(place: Path, said: list[str]) -> list[str]:
    """The last line that each node with an exit code printed, which mostly says why."""
    found = []
    for node in dict.fromkeys(re.findall(r"node (\d) ended with exit code", "\n".join(said))):
        file = place / f"console.{node}.txt"
        printed = file.read_text(errors="replace").split("\n") if file.exists() else []
        if lines := [line.strip() for line in printed if line.strip()]:
            found.append(f"node {node} printed last: {lines[-1][:200]}")
    return found
