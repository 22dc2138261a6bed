# SPDX-License-Identifier: BSD-2-Clause
"""Start ``mcpi-sim`` as docs/contracts.md 8 says and follow its progress."""

import shlex
import subprocess
import threading
from pathlib import Path

from mcpi import watching
from mcpi.errors import RunError
from mcpi.progress import Update
from mcpi.record import Record

# A round trip is some 60,000 ticks; ten times that, plus a quarter of a second (at 175 MHz) for
# boot, handshake and close, means that a machine waits for something that never comes.
TICKS_PER_ROUND_TRIP = 600_000
BOOT_TICKS = 44_000_000
STACKS = {"tcp": 0, "rpc": 1}
SHOWN_LINES = 40  # a lock-step report is 33


class Stop:
    """Ends every simulator that runs, from another thread."""

    def __init__(self) -> None:
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def add(self, child: subprocess.Popen) -> None:
        with self.lock:
            self.running.add(child)
            if self.stopped:
                child.terminate()

    def now(self) -> None:
        with self.lock:
            self.stopped = True
            for child in self.running:
                child.terminate()


def command(
    program: Path, place: Path, folder: str, record: Record, phases: list[int], options: list[str]
) -> list[str]:
    """The words to start the simulator with; paths are relative to ``place``."""
    words = [str(program), "--out", folder, "--machine", f"{folder}/machine.json"]
    words += ["--node-json", "Node.json"]
    for node, phase in enumerate(phases):
        fields = {
            "stack": STACKS[record.stack],
            "round_trips": record.round_trips,
            "warmup": record.warmup,
            "seed": record.seed,
        }
        own = "peer.elf" if node and (place / "peer.elf").exists() else "image.elf"
        given = ["pal=pal.elf", f"image={own}", f"phase={phase}"]
        given += [f"boot.{name}={value}" for name, value in fields.items()]
        for item in given:
            words += ["--node", f"{node}:{item}"]
    most = watching.TICKS_OF_A_LOSS if record.wire else TICKS_PER_ROUND_TRIP
    limit = BOOT_TICKS + most * (record.warmup + record.round_trips)
    words += watching.faults(record)
    words += ["--lockstep" if record.lockstep else "--no-lockstep"]
    return [*words, "--max-ticks", str(limit), "--reproduce", record.command(), *options]


def simulate(
    program: Path,
    place: Path,
    folder: str,
    record: Record,
    phases: list[int],
    options: list[str],
    stop: Stop,
    update: Update,
) -> bool:
    """Run it to its end; its files land in ``place/folder``. RunError says why it failed; False if
    it was stopped before it had ended."""
    words = command(program, place, folder, record, phases, options)
    total = record.warmup + record.round_trips
    said = []
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
        for line in child.stderr:
            match line.split():
                case ["progress", trips, ticks] if trips.isdigit() and ticks.isdigit():
                    update(min(int(trips), total), total, f"{int(ticks) / 1e6:.1f} M ticks")
                case _:
                    said.append(line.rstrip())
    (place / folder / "stderr.txt").write_text("\n".join(said) + "\n")
    if child.returncode and not stop.stopped:
        tail = said[-SHOWN_LINES:] or [f"it ended with status {child.returncode} and said nothing"]
        raise RunError("\n  ".join([f"the simulation failed ({place / folder}):", *tail]))
    return not child.returncode
