# SPDX-License-Identifier: BSD-2-Clause
"""A node by its images: one that receives what a script puts on its wire, or one of several cores
that runs alone. The studies of UDP receive and of the parallel x-kernel are made of such runs."""

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware import parallel
from mcpi.machine.profile import Machine, load
from mcpi.spec.numbers import CLIENT, SERVER
from mcpi.spec.run_spec import ENGINES, EXACT, one_of

SCRIPT = "messages.txt"  # in the run's folder
CALLED = "places.txt"


@dataclass(frozen=True)
class NodeImage:
    """``name``: ``hello``, ``udprecv-bsd``; of a node of several cores ``mpcount``,
    ``mpbench-tcp``, or the file of a program of one's own, ``….c``, which has ``main`` and
    ``processor_main``. ``switches``: NAME=VALUE."""

    name: str
    switches: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeSpec:
    """``images``: of the node that is measured, and of the one at the other end of its wire; only
    one: the node has several cores and runs alone. ``fields``: of the measured node's boot block
    besides its seed. ``phase``: the tick of its first timer interrupt, 0: the simulator's own.
    ``script``: a file of frames that the other node puts on the wire (segment.md). ``hang_ticks``:
    the node may retire nothing for so long, 0: as usual. ``name``: a title; else the image's.
    ``shuffle``: of a node alone, the seed of another order of its functions, None for that of the
    sources.

    Logs of the measured node: ``passages``, the number of a window, each passage of which has a
    row; ``calls``, functions whose entries have a row; ``evictions``, who had evicted what the
    window's passages miss; ``locks``, who waits for a lock how long.
    """

    machine: str
    images: tuple[NodeImage, ...]
    settings: dict[str, str] = field(default_factory=dict)
    engine: str = EXACT
    seed: int = 1
    fields: dict[str, int] = field(default_factory=dict)
    phase: int = 0
    script: str = ""
    max_ticks: int = 1_000_000_000
    hang_ticks: int = 0
    passages: int = 0
    calls: tuple[str, ...] = ()
    evictions: bool = False
    locks: bool = False
    tick_log: str = ""
    trace: str = ""
    name: str = ""
    shuffle: int | None = None
    recording = False
    steps = 1
    image = ""  # all images are built

    def check(self) -> Machine:
        one_of("engine", self.engine, ENGINES)
        machine = load(self.machine, self.settings)
        machine.check_acts(self.settings, engine=self.engine)
        if self.tick_log or self.trace:
            raise UserError("a node has neither a tick log nor a trace of a path; trace a span.")
        if self.shuffle is not None and not self.alone:
            raise UserError("shuffle: only a node that runs alone has other orders of functions.")
        if self.script and not Path(self.script).is_file():
            raise UserError(f"{self.script}: no file of frames.")
        return machine

    @property
    def alone(self) -> bool:
        """No other node is there."""
        return len(self.images) == 1

    @property
    def title(self) -> str:
        return self.name or Path(self.program).stem

    @property
    def program(self) -> str:
        return Path(self.images[0].name).name

    @property
    def defines(self) -> tuple[str, ...]:
        """Switches of the measured node's image."""
        return self.images[0].switches

    @property
    def nodes(self) -> tuple[int, ...]:
        return (CLIENT,) if self.alone else (CLIENT, SERVER)

    @property
    def longest(self) -> int:
        return self.max_ticks

    @property
    def is_faulty(self) -> bool:
        return bool(self.script)

    def boot(self) -> dict[str, int]:
        return {**self.fields, "seed": self.seed}

    def words(self) -> list[str]:
        words = ["--hang-ticks", str(self.hang_ticks)] if self.hang_ticks else []
        words += ["--wire", f"{SERVER}:script={SCRIPT}"] if self.script else []
        words += ["--passages", "--passages-of", str(self.passages)] if self.passages else []
        words += ["--evictions"] if self.evictions else []
        return words + (["--node", f"{CLIENT}:calls={CALLED}"] if self.calls else [])

    def command(self) -> str:
        text = f"from mcpi.api import NodeImage, NodeSpec, perform; perform({self!r})"
        return f"./mcpi python -c {shlex.quote(text)}"


def wanted(spec: NodeSpec) -> parallel.Wanted:
    """The program of a node of several cores; UserError for a name that there is not."""
    image = spec.images[0]
    if image.name.endswith(".c"):
        source = Path(image.name).resolve()
        if not source.is_file():
            raise UserError(f"{image.name}: no such file.")
        return parallel.Wanted("", switches=image.switches, sources=(source,), shuffle=spec.shuffle)
    application, _, stack = image.name.partition("-")
    one_of("application", application, parallel.APPLICATIONS)
    found = parallel.Wanted(application, switches=image.switches, shuffle=spec.shuffle)
    if stack:
        one_of("stack", stack, parallel.BENCHES)
        found = replace(found, stack=stack)
    return found
