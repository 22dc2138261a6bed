# SPDX-License-Identifier: BSD-2-Clause
"""Start a simulator as contracts.md 8 says, and follow its progress: ``mcpi-sim`` or ``mcpi-exact``
with two nodes, ``mcpi-cores`` or ``mcpi-exact`` with one node of several cores."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from mcpi.base import run_store
from mcpi.base.errors import RunError
from mcpi.base.process import Stop
from mcpi.base.progress import Update
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.spec.spec import Spec

How = tuple[Path, Path, str, Spec, list[int], list[str]]  # the arguments of a run of ``command``
PEER_PAL = "peer-pal.elf"  # if it is another one
LONG = 10_000  # round trips: the files of a run of more are compressed
SHOWN_LINES = 40  # a lock-step report is 33


def command(
    program: Path,
    place: Path,
    folder: str,
    spec: Spec,
    phases: list[int],
    options: list[str],
    mode: str = "run",
) -> list[str]:
    """The words to start the simulator with; paths are relative to ``place``. ``phases``: the tick
    of each node's first timer interrupt; 0: the simulator's own."""
    common = ["--out", folder, "--machine", f"{folder}/machine.json"]
    common += [] if spec.engine == EXACT else ["--node-json", "Node.json"]
    limit = ["--max-ticks", str(spec.longest)]
    if not isinstance(spec, RunSpec) and spec.alone:
        words = [str(program), *common, "--pal", "pal.elf", "--image", "image.elf", *limit]
        words += [word for k, v in spec.boot().items() for word in ("--boot", f"{k}={v}")]
        return [*words, "--seed", str(spec.seed), *options]
    words = [str(program), mode, *common]
    for node, phase in enumerate(phases):
        own = "peer.elf" if node and (place / "peer.elf").exists() else "image.elf"
        pal = PEER_PAL if node and (place / PEER_PAL).exists() else "pal.elf"
        given = [f"pal={pal}", f"image={own}", *([f"phase={phase}"] if phase else [])]
        if not (node and isinstance(spec, NodeSpec)):  # whose other node has no fields
            given += [f"boot.{name}={value}" for name, value in spec.boot().items()]
        for item in given:
            words += ["--node", f"{node}:{item}"]
    if isinstance(spec, RunSpec) and spec.steps > LONG:
        words += ["--compress"]
    return [*words, *spec.words(), *limit, "--reproduce", spec.command(), *options]


def simulate(
    program: Path,
    place: Path,
    folder: str,
    spec: Spec,
    phases: list[int],
    options: list[str],
    stop: Stop | None = None,
    update: Update = lambda *_: None,
    mode: str = "run",
    watch: Callable[[dict], None] | None = None,
    steps: int = 0,
) -> bool:
    """Run it to its end; its files land in ``place/folder``. RunError says why it failed; False if
    it was stopped before it had ended. An exception of ``update``, or ^C, ends it.

    ``watch`` is given both machines' counters now and then: tick, round_trips, frames, nodes.
    ``steps``: what the progress counts, if not the steps of the spec."""
    options = [*options, "--live"] if watch else options
    words = command(program, place, folder, spec, phases, options, mode)
    total = steps or spec.steps

    def progress(trips: int, ticks: int) -> None:
        update(min(trips, total), total, f"{ticks / 1e6:.1f} M ticks")

    return follow(words, place, folder, progress, stop or Stop(), watch)


def follow(
    words: list[str],
    place: Path,
    folder: str,
    progress: Callable[[int, int], None],
    stop: Stop,
    watch: Callable[[dict], None] | None = None,
) -> bool:
    """Start a simulator with these words in ``place`` and follow it to its end, as ``simulate``.
    ``progress`` is given round trips and ticks."""
    said = []
    for name in run_store.PACKED:  # of an earlier run
        (place / folder / name).unlink(missing_ok=True)
    (place / folder / "command.txt").write_text(shlex.join(words) + "\n")
    with subprocess.Popen(
        words,
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as child:
        stop.add(child)
        try:
            for line in child.stderr:
                match line.split():
                    case ["progress", trips, ticks] if trips.isdigit() and ticks.isdigit():
                        progress(int(trips), int(ticks))
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


def once(how: How, stop: Stop | None = None, update: Update = lambda *_: None) -> bool:
    """Have the files of the run in ``place/folder``; True if it ran, False if it was kept by its
    content (``run_store``). KeyboardInterrupt if it was stopped."""

    def start() -> None:
        if not simulate(*how, stop, update):
            raise KeyboardInterrupt

    return run_store.once(command(*how), how[1], how[2], start)


def _last_words(place: Path, said: list[str]) -> list[str]:
    """The last line that each node with an exit code printed, which mostly says why."""
    found = []
    for node in dict.fromkeys(re.findall(r"node (\d) ended with exit code", "\n".join(said))):
        file = place / f"console.{node}.txt"
        printed = file.read_text(errors="replace").split("\n") if file.exists() else []
        if lines := [line.strip() for line in printed if line.strip()]:
            found.append(f"node {node} printed last: {lines[-1][:200]}")
    return found
