# SPDX-License-Identifier: BSD-2-Clause
"""The small spec that describes a run completely; the same spec gives the same results."""

import dataclasses
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.firmware import elf, protocol_graph, recipes, structures, switches
from mcpi.firmware.clone import layout as layouts
from mcpi.firmware.clone.layout import LAYOUTS, POSITIONS
from mcpi.machine.profile import Machine, load
from mcpi.spec import watching
from mcpi.spec.numbers import BOARD, EXACT, RTL, SIDES, stack_number

STACKS = tuple(sorted(protocol_graph.stacks(), reverse=True))
ENGINES = (RTL, EXACT, BOARD)
ORDER = r"shuffle-([0-9]{1,9})"
LAYOUT = re.compile(rf"default|{ORDER}|({'|'.join(LAYOUTS)})(?:-{ORDER})?")
LIMITS = {"seed": (0, 2**64 - 1), "warmup": (0, 10**6), "round_trips": (1, 10**6)}
LIMITS |= {"samples": (1, 10**4)}
# A round trip is some 60,000 ticks; ten times that, plus a quarter of a second (at 175 MHz) for
# boot, handshake and close, means that a machine waits for something that never comes.
TICKS_PER_ROUND_TRIP = 600_000
BOOT_TICKS = 44_000_000


@dataclass(frozen=True)
class RunSpec:
    """Spec of ``./mcpi run``.

    ``stack``: one of ``STACKS``, or the file of a protocol graph, ``….graph``.
    ``settings``: machine parameters laid over the profile. ``image``: an ELF file to run on both
    machines in the place of the one that is built from stack and variant. ``lockstep``: every
    instruction is checked against the model. ``cold``: also measure one invocation of the client's
    path from empty caches. ``peer_variant``: the server's, if it is not the stack's usual one.
    ``layout``: ``default``; ``shuffle-N``: the N-th random link order; or how the copies of a
    variant that clones lie, ``linear`` and so on, or a file of positions, ``….csv`` (cloning.md);
    or both, ``linear-shuffle-N``.
    ``path``: a folder of paths that ``./mcpi path find`` has found, for variants that inline one.
    ``defines``: firmware switches, NAME or NAME=VALUE, on top of the variant's. ``ports``: of
    engine board, the serial ports of client and server; ``baud``: theirs, 0 for the usual.
    ``tick_log``, ``trace``: client or server, of whose path every tick or every instruction is
    written down; ``recording``: with ``tick_log``, all that reports are made of (profile.md).
    ``loss`` to ``delay``: of the frames of both sides, what share (0 to 1) suffers that, a delay of
    up to ``delay_us``; ``wire``: faults of one side, SIDE:KEY=VALUE.
    """

    machine: str = "dec3000-600"
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    stack: str = "tcp"
    variant: str = "std"
    layout: str = "default"
    engine: str = EXACT
    round_trips: int = 100
    warmup: int = 20
    samples: int = 1
    seed: int = 1
    image: str = ""
    cold: bool = False
    lockstep: bool = True
    peer_variant: str = ""
    defines: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    baud: int = 0
    tick_log: str = ""
    recording: bool = False
    trace: str = ""
    loss: float = 0.0
    corruption: float = 0.0
    duplication: float = 0.0
    reordering: float = 0.0
    delay: float = 0.0
    delay_us: int = watching.DELAY_US
    wire: tuple[str, ...] = ()
    path: str = ""
    program = ""
    nodes = tuple(SIDES.values())

    def check(self) -> Machine:
        """Refuse what does not exist, saying what does; returns the resolved machine."""
        if protocol_graph.is_own(self.stack):
            self._check_graph()
        else:
            self._check_stack()
        one_of("variant", self.variant, recipes.variants())
        one_of("variant", self.peer, recipes.variants())
        if self.path:
            self._check_path()
        if not self.image and (self.path or not protocol_graph.is_own(self.stack)):
            self._check_buildable()
        one_of("engine", self.engine, ENGINES)
        if self.layout.endswith(POSITIONS):
            layouts.positions(Path(self.layout))
            layouts.sections(Path(self.layout))
        elif not LAYOUT.fullmatch(self.layout):
            raise UserError(
                f"no layout '{self.layout}'. There are: default, shuffle-N (a number), for "
                f"variants that clone {', '.join(LAYOUTS)}, or a file of positions, ….csv, and "
                "both: linear-shuffle-N."
            )
        if self.copies and not clones(self.variant):
            raise UserError(f"layout {self.layout}: variant {self.variant} does not clone.")
        for name, (low, high) in LIMITS.items():
            if not low <= getattr(self, name) <= high:
                option = name.replace("_", "-")
                raise UserError(f"--{option} {getattr(self, name)}: outside {low} to {high}.")
        self._check_defines()
        machine = load(self.machine, self.settings)
        code = {} if self.image else {"code": "kseg"}
        machine.check_acts(self.settings, engine=self.engine, **code)
        watching.check(self, machine)
        if self.image:
            elf.read(Path(self.image), machine)
        return machine

    def _check_stack(self) -> None:
        structure = self.stack.rpartition("-")[2]  # of an image's name, udprecv-bsd, too
        if self.stack not in STACKS and structure in structures.names():
            raise UserError(
                f"no stack '{self.stack}': {structure} is a structure of UDP receive, whose "
                "messages have no round trip. ./mcpi paper tr9304 measures it "
                "(docs/explanation/udp-receive.md)."
            )
        one_of("stack", self.stack, STACKS)

    def _check_buildable(self) -> None:
        from mcpi.firmware import images as firmware

        for variant, role in zip((self.variant, self.peer), SIDES, strict=True):
            if reason := firmware.lacks(variant, self.stack, self.path, role):
                raise UserError(f"--variant {variant} of stack {self.stack}: {reason}.")

    def _check_path(self) -> None:
        """UserError for a folder of paths that changes nothing."""
        rules = recipes.recipe(self.variant)
        if not rules.get("path", {}).get("inline"):
            raise UserError(f"--path: variant {self.variant} inlines no path. One that does: pin.")
        if clones(self.variant):
            raise UserError(
                f"--path: variant {self.variant} copies functions in an order that was traced of "
                "the path by hand. One that does not: pin."
            )
        if not Path(self.path).is_dir():
            raise UserError(f"--path {self.path}: no such folder. ./mcpi path find makes one.")

    def _check_graph(self) -> None:
        """UserError for a user's own graph that cannot be built in this variant."""
        from mcpi.firmware import sources

        sources.of(self.stack, Path())
        order = recipes.recipe(self.variant).get("clone", {}).get("order", self.variant)
        if order not in recipes.variants():
            raise UserError(
                f"--variant {self.variant}: it copies functions of the fast path, in an order "
                f"that was traced of it. A variant for {self.stack}: fast."
            )
        if recipes.recipe(self.variant).get("path", {}).get("inline") and not self.path:
            raise UserError(
                f"--variant {self.variant}: it makes one function of a path that firmware/paths/ "
                f"describes, and {self.stack} has none there. ./mcpi path find --stack "
                f"{self.stack} finds one, for --path. A variant without: clo."
            )

    def _check_defines(self) -> None:
        """A switch that changes nothing is refused: the run would be the plain one."""
        from mcpi.firmware import images as firmware

        switches.check(self.defines)
        images = {self.variant} | ({self.peer} if self.stack != "rpc" else set())
        if self.defines:
            rules = recipes.recipe(self.variant)
            defines = switches.over(rules["compile"]["defines"], self.defines)
            switches.check_together(defines, "own" in rules.get("clone", {}))
        for define in self.defines:
            if not any(firmware.depends(define, v, self.stack) for v in images):
                raise UserError(
                    f"--define {define}: no source of stack {self.stack}, variant "
                    f"{self.variant}, depends on it; leave it out."
                )

    @property
    def peer(self) -> str:
        """The server's variant. As in the paper: TCP/IP has the same at both ends, RPC's server is
        always ALL (the client's own, as long as there is no ``all``)."""
        usual = "all" if self.stack == "rpc" and "all" in recipes.variants() else self.variant
        return self.peer_variant or usual

    @property
    def title(self) -> str:
        return f"{protocol_graph.name_of(self.stack)}-{self.variant}"

    @property
    def steps(self) -> int:
        return self.warmup + self.round_trips

    @property
    def longest(self) -> int:
        most = watching.TICKS_OF_A_LOSS if self.is_faulty else TICKS_PER_ROUND_TRIP
        return BOOT_TICKS + most * self.steps

    @property
    def is_faulty(self) -> bool:
        return bool(self.wire or any(getattr(self, name) for name in watching.BOTH))

    def boot(self) -> dict[str, int]:
        trips = {"round_trips": self.round_trips, "warmup": self.warmup}
        return {"stack": stack_number(self.stack), **trips, "seed": self.seed}

    def words(self) -> list[str]:
        lockstep = ["--lockstep" if self.lockstep else "--no-lockstep"]
        return watching.faults(self) + ([] if self.engine == EXACT else lockstep)

    @property
    def shuffle(self) -> int | None:
        """The seed of the link order; None: the recipe's."""
        known = LAYOUT.fullmatch(self.layout)
        seed = known and (known[1] or known[3])
        return int(seed) if seed else None

    @property
    def copies(self) -> str | None:
        """The layout of the copies, or a file of their positions; None: the recipe's."""
        known = LAYOUT.fullmatch(self.layout)
        return self.layout if self.layout.endswith(POSITIONS) else known and known[2]

    def command(self) -> str:
        """The command line that repeats this run."""
        words = [f"--stack {shlex.quote(self.stack)}"]
        words += [] if self.image else [f"--variant {self.variant}"]
        words += [f"--machine {shlex.quote(self.machine)}"]
        words += [f"--peer-variant {self.peer_variant}"] if self.peer_variant else []
        words += [f"--set {shlex.quote(f'{k}={v}')}" for k, v in self.settings.items()]
        words += [f"--define {define}" for define in self.defines]
        words += [f"--round-trips {self.round_trips}"]
        words += [f"--seed {self.seed}"]
        plain = ("layout", "engine", "warmup", "samples", "image", "tick_log", "trace", "path")
        for name in (*plain, *watching.BOTH, "delay_us"):
            if (value := getattr(self, name)) != getattr(RunSpec, name):
                words.append(f"--{name.replace('_', '-')} {shlex.quote(str(value))}")
        if not self.lockstep:
            words.append("--no-lockstep")
        words += ["--cold"] if self.cold else []
        words += [f"--wire {shlex.quote(fault)}" for fault in self.wire]
        words += [f"--port {shlex.quote(port)}" for port in self.ports]
        words += [f"--baud {self.baud}"] if self.baud else []
        return "./mcpi run " + " ".join(words)


def clones(variant: str) -> bool:
    """Return true if a recipe copies functions at boot."""
    return "clone" in recipes.recipe(variant)


def settings(texts: list[str]) -> dict[str, str]:
    """``key=value`` texts as a dictionary."""
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise UserError(
                f"--set {text}: write it as --set key=value, e.g. --set icache.size=16KB"
            )
        if key.strip() in pairs:
            raise UserError(f"--set {key.strip()} is given twice; give it once.")
        pairs[key.strip()] = value.strip()
    return pairs


def one_of(what: str, given: str, there: tuple[str, ...]) -> None:
    """UserError for a name that there is not, with the nearest."""
    if given not in there:
        names = ", ".join(there) or "none yet"
        raise UserError(f"no {what} '{given}'. There are: {names}.{nearest(given, there)}")
