# SPDX-License-Identifier: BSD-2-Clause
"""Spec of ``./mcpi exec``: a program of one's own, on one machine or at both ends of the wire."""

import dataclasses
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware import elf
from mcpi.firmware.floating.sources import has_floats, refused
from mcpi.firmware.inputs.given import Given
from mcpi.firmware.languages import cplusplus
from mcpi.firmware.languages.text import COMPILED, CPLUSPLUS
from mcpi.firmware.program import ASSEMBLY, LEVELS, has_sockets
from mcpi.machine.profile import Machine, load
from mcpi.spec.numbers import CLIENT, SERVER, SIDES
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

ENGINES = (EXACT, RTL)
SOURCES = (*COMPILED, *ASSEMBLY)
MEMORY = "memory"  # what can be checked
COUNT = "core.count"
# Options of ``command`` whose values are words.
NAMED = (
    "machine",
    "cores",
    "core",
    "engine",
    "optimise",
    "repeat",
    "seed",
    "max_ticks",
    "tick_log",
)
LIMITS = {"repeat": (1, 1000), "seed": (0, 2**64 - 1), "max_ticks": (1, 10**12)}
_DEFINE = re.compile(r"[A-Za-z_]\w*(=.*)?")


@dataclass(frozen=True)
class ProgramSpec:
    """``sources``: C and assembly files, or one ELF file; ``peer``: those of the other machine.
    ``measure``: functions, in place of what the source marks; ``defines``, ``optimise``: how the
    sources are compiled. ``repeat``: so many runs, each but the first with its functions in another
    order and with other phases. ``cold``: of each region its first passage from empty caches, too.
    ``pal``: PALcode of its own, assembly or an ELF file: the sources are all of the image.
    ``arguments``, ``stdin``, ``files``: what main gets, and files of the host that the first
    machine's program reads. ``max_ticks``: a run that has not ended by then has failed.
    ``cores``: of a machine that has several, so many, 0: all; ``core``: the core whose measured
    places are the result's, and whose ticks are logged.
    ``checks``: memory, if the run ends where the program uses memory that nobody has written.
    ``tick_log``, ``trace``: client or server, of whose regions each tick or each instruction is
    written down. ``recording``: with ``tick_log``, all that reports are made of (profile.md)."""

    sources: tuple[str, ...]
    peer: tuple[str, ...] = ()
    machine: str = RunSpec.machine
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    engine: str = EXACT
    measure: tuple[str, ...] = ()
    pal: str = ""
    cores: int = 0
    core: int = 0
    arguments: tuple[str, ...] = ()
    stdin: str = ""
    files: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    optimise: str = "2"
    repeat: int = 1
    cold: bool = False
    seed: int = 1
    max_ticks: int = 250_000_000  # about ten seconds of a host
    checks: str = ""
    tick_log: str = ""
    recording: bool = False
    trace: str = ""
    steps = 1
    is_faulty = False

    def __post_init__(self) -> None:
        """``cores`` is a setting of the machine."""
        if not self.cores:
            return
        count = str(self.cores)
        if self.settings.get(COUNT, count) != count:
            other = f"--set {COUNT}={self.settings[COUNT]}"
            raise UserError(f"--cores {count}: {other} says another number.")
        object.__setattr__(self, "settings", {**self.settings, COUNT: count})

    def check(self) -> Machine:
        """Refuse what does not exist, saying what does; returns the resolved machine."""
        if not self.sources:
            raise UserError("which program? ./mcpi exec hello.c")
        if self.engine not in ENGINES:
            raise UserError(f"--engine {self.engine}: {' or '.join(ENGINES)} is wanted.")
        if self.optimise not in LEVELS:
            raise UserError(f"--optimise {self.optimise}: one of {', '.join(LEVELS)} is wanted.")
        for name, (low, high) in LIMITS.items():
            if not low <= getattr(self, name) <= high:
                option = name.replace("_", "-")
                raise UserError(f"--{option} {getattr(self, name)}: outside {low} to {high}.")
        for option, side in (("tick-log", self.tick_log), ("trace", self.trace)):
            if side and side not in (SIDES if self.peer else ("client",)):
                there = " or ".join(SIDES) if self.peer else "client"
                raise UserError(f"--{option} {side}: {there} is wanted.")
        if self.checks not in ("", MEMORY):
            raise UserError(f"--check {self.checks}: {MEMORY} is wanted.")
        if self.checks and (self.peer or self.engine != EXACT):
            other = "--peer" if self.peer else f"--engine {self.engine}"
            raise UserError(
                f"--check {MEMORY} is of one machine on engine exact: leave {other} out."
            )
        if self.checks and load(self.machine, self.settings).translates:
            raise UserError(
                f"--check {MEMORY}: it follows addresses that no TLB translates; leave it out, or "
                "take a machine without TLBs, as dec3000-600."
            )
        for define in self.defines:
            if not _DEFINE.fullmatch(define):
                raise UserError(f"--define {define}: NAME or NAME=VALUE is wanted.")
        self._check_cores()
        machine = load(self.machine, self.settings)
        if machine.coherent:
            self._check_coherent(machine)
        elif self.core:
            raise UserError(f"--core {self.core}: machine {machine.name} has one core, core 0.")
        compiled = all(Path(source).suffix in COMPILED for source in (*self.sources, *self.peer))
        mapped = machine.translates and not self.pal
        code = {"code": "mapped" if mapped else "kseg"} if compiled else {}
        machine.check_acts(self.settings, engine=self.engine, **code)
        _check_files(self.sources, machine)
        _check_files(self.peer, machine)
        if not self.peer and any(has_sockets(Path(source)) for source in self.sources):
            raise UserError(
                f"{self.sources[0]}: it includes a header of sockets, and nobody is at the other "
                "end: --peer FILE says what the other machine runs, the same file if it is both."
            )
        if self.is_elf and (self.defines or self.optimise != ProgramSpec.optimise):
            option = "--define" if self.defines else "--optimise"
            raise UserError(f"{option} has no effect: {self.sources[0]} is compiled already.")
        if self.is_elf and self.given:
            raise UserError(
                f"{self.sources[0]}: an ELF file takes no arguments and no files; give its sources."
            )
        _check_given(self.given)
        if self.pal:
            self._check_bare(machine)
        return machine

    def _check_cores(self) -> None:
        """UserError for a machine with fewer cores."""
        if not self.cores:
            return
        own = {key: value for key, value in self.settings.items() if key != COUNT}
        machine = load(self.machine, own)
        if not machine.coherent:
            raise UserError(
                f"--cores {self.cores}: machine {machine.name} has one core. Take a machine with "
                "several, as challenge-100 or dec3000-mp."
            )
        if not 1 <= self.cores <= (count := machine.parameters[COUNT]):
            raise UserError(
                f"--cores {self.cores}: machine {machine.name} has {count} cores; 1 to {count} is "
                "wanted."
            )

    def _check_coherent(self, machine: Machine) -> None:
        """Refuse what a node of several cores has not."""
        count = machine.parameters[COUNT]
        if not 0 <= self.core < count:
            raise UserError(f"--core {self.core}: the run has cores 0 to {count - 1}.")
        given = {"--peer": self.peer, "--cold": self.cold, "--pal": self.pal}
        given |= {f"--check {self.checks}": self.checks, "--repeat": self.repeat > 1}
        if found := next((option for option, value in given.items() if value), ""):
            raise UserError(
                f"{found}: machine {machine.name} runs alone, from reset to the program's end, and "
                f"has no {found}; leave it out, or take a machine of one core, as dec3000-600."
            )
        if self.recording or self.trace:
            raise UserError(
                f"machine {machine.name}: a program on several cores has a log of ticks "
                "(./mcpi profile without --report, --data, --heap), and no recording."
            )

    def _check_bare(self, machine: Machine) -> None:
        """Refuse what only the runtime has."""
        path = Path(self.pal)
        if not path.is_file():
            raise UserError(f"--pal {self.pal}: is no file.")
        if path.suffix not in ASSEMBLY:
            elf.read(path, machine, "pal")
        if self.peer or self.given or self.checks:
            raise UserError(
                "--pal: a bare guest has no peer, no arguments, no files and no --check memory; "
                "leave them out."
            )
        for source in self.sources:
            if cplusplus.is_cplusplus(Path(source)) or has_floats(Path(source)):
                kind = "C++" if cplusplus.is_cplusplus(Path(source)) else "floating point"
                raise UserError(f"{source}: {kind} wants the runtime, which --pal leaves out.")

    @property
    def given(self) -> Given:
        return Given(self.arguments, self.stdin, self.files)

    @property
    def is_elf(self) -> bool:
        return is_elf(self.sources[0])

    @property
    def title(self) -> str:
        return Path(self.sources[0]).stem

    @property
    def program(self) -> str:
        """Its name in a record: its first source."""
        return Path(self.sources[0]).name

    @property
    def nodes(self) -> tuple[int, ...]:
        return (CLIENT, SERVER) if self.peer else (CLIENT,)

    @property
    def alone(self) -> bool:
        """The machine has private b-caches, and no wire to another one."""
        return load(self.machine, self.settings).coherent

    @property
    def longest(self) -> int:
        return self.max_ticks

    def boot(self) -> dict[str, int]:
        return {"stack": 0, "round_trips": 1, "warmup": 0, "seed": self.seed}

    def words(self) -> list[str]:
        return [] if self.engine == EXACT else ["--lockstep"]

    def command(self) -> str:
        """The command line that repeats this run."""
        words = [shlex.quote(source) for source in self.sources]
        words += [f"--peer {shlex.quote(source)}" for source in self.peer]
        words += [f"--measure {name}" for name in self.measure]
        words += [f"--define {shlex.quote(define)}" for define in self.defines]
        for name in NAMED:
            value = getattr(self, name)
            if value != getattr(ProgramSpec, name):
                words.append(f"--{name.replace('_', '-')} {shlex.quote(str(value))}")
        own = {k: v for k, v in self.settings.items() if not (self.cores and k == COUNT)}
        words += [f"--set {shlex.quote(f'{k}={v}')}" for k, v in own.items()]
        words += ["--cold"] if self.cold else []
        words += [f"--check {self.checks}"] if self.checks else []
        words += [f"--pal {shlex.quote(self.pal)}"] if self.pal else []
        words += [f"--stdin {shlex.quote(self.stdin)}"] if self.stdin else []
        words += [f"--file {shlex.quote(name)}" for name in self.files]
        words += ["--", *map(shlex.quote, self.arguments)] if self.arguments else []
        return "./mcpi exec " + " ".join(words)


def is_elf(path: str) -> bool:
    with Path(path).open("rb") as stream:
        return stream.read(4) == b"\x7fELF"


def _check_given(given: Given) -> None:
    for path in given.paths:
        if not path.is_file():
            raise UserError(f"{path}: --stdin and --file want a file that is there.")
        if any(letter in str(path) for letter in "|\n"):
            raise UserError(f"{str(path)!r}: ninja takes no path with a | or a line break.")
    if len(set(given.files)) < len(given.files):
        raise UserError("--file: a file is named twice; name each once.")
    if any("\0" in word for word in given.arguments):
        raise UserError("an argument of the program has a zero byte.")


def _check_files(paths: tuple[str, ...], machine: Machine) -> None:
    for path in paths:
        if any(letter in str(Path(path).resolve()) for letter in "|\n"):
            raise UserError(f"{path!r}: ninja takes no path with a | or a line break; rename it.")
        try:
            ready = is_elf(path)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}.") from None
        if ready and len(paths) > 1:
            raise UserError(f"{path}: is an ELF file, and stands alone; leave the others out.")
        if ready:
            elf.read(Path(path), machine)
        elif Path(path).suffix not in SOURCES:
            kinds = f"neither C (.c), C++ ({', '.join(CPLUSPLUS)}) nor assembly (.S)"
            raise UserError(f"{path}: {kinds} nor an ELF file of Alpha's.")
        if not ready and (kind := refused(Path(path))):
            raise UserError(f"{path}: {kind} is not emulated; float and double are.")
        if not ready and (words := cplusplus.refused(Path(path))):
            raise UserError(f"{path}: {words}")
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise UserError(f"{paths[0]}: a file is named twice.")
