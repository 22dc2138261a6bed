# SPDX-License-Identifier: BSD-2-Clause
"""Which runs the study is made of (docs/paper.md)."""

import dataclasses
from dataclasses import dataclass, replace

from mcpi import run, switches
from mcpi.errors import UserError
from mcpi.paper.published import STACKS, TECHNIQUES
from mcpi.record import MODEL, MODELLED, Record, variants

# As the paper lists them, slowest first, and before them what Table 2 calls original.
ORDER = ("original", "bad", "std", "out", "clo", "pin", "all")
BASE, BEST = "std", "all"
# Columns of Table 1 and 2 are TCP/IP's alone.
STUDIED = {"tcp": ORDER, "rpc": ORDER[1:]}
WARMUP = 20  # as for a cold run: caches, window and timers have settled
TICKS_PER_ROUND_TRIP = 63_000  # about; for the budget only
TICKS_PER_START = 1_200_000  # boot, handshake, close: likewise


# Of a shuffled link order: the connection has settled after 16, and eight give T_e
# to 0.25 % and T_p to 0.41 % of the mean of fifty (docs/paper.md, Time).
SHORT_WARMUP, SHORT = 16, 8
# Other places for the copies of what is cloned (SIGCOMM'96 3.2); the recipes' own is bipartite.
CLONED, LAYOUTS = ("clo", "all"), ("linear", "micro")
INLINED, GUARD = "pin", "PIN_GUARD=1"


@dataclass(frozen=True)
class Extent:
    """How much is measured. ``beside``: also other layouts, and the guard of a path.
    ``short_cold``: the cold run is the sample's own up to its cold invocation."""

    samples: dict[str, int]
    round_trips: int
    shuffles: int
    switches: bool = True
    beside: bool = True
    warmup: int = WARMUP
    short_cold: bool = False

    def of_engine(self, engine: str) -> "Extent":
        """What that engine does of it."""
        if engine != MODEL:
            return self
        one = dict.fromkeys(self.samples, MODELLED["samples"])
        trips, warmup = MODELLED["round_trips"], MODELLED["warmup"]
        return replace(self, samples=one, round_trips=trips, warmup=warmup)


FULL = Extent({"tcp": 10, "rpc": 5}, 50, 30)
QUICK = Extent({"tcp": 1, "rpc": 1}, SHORT, 0, beside=False, warmup=SHORT_WARMUP, short_cold=True)


@dataclass(frozen=True)
class Experiment:
    """A configuration and what is run of it; ``name`` is also its folder's."""

    name: str
    record: Record
    jobs: tuple[run.Job, ...]

    @property
    def ticks(self) -> int:
        """About how many ticks all its runs take together."""
        return sum(ticks_of(self.record, job) for job in self.jobs)


def ticks_of(record: Record, job: run.Job) -> int:
    wanted = run.record_of(record, job)
    return TICKS_PER_START + TICKS_PER_ROUND_TRIP * (wanted.warmup + wanted.round_trips + 1)


@dataclass(frozen=True)
class Wanted:
    """What a user asked for; empty stands for everything."""

    machine: str = "dec3000-600"
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    engine: str = "rtl"
    seed: int = 1
    stacks: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()  # of engine board
    baud: int = 0


def absent(there: tuple[str, ...]) -> dict[str, str]:
    """Variants of the paper that cannot be measured, with the reason."""
    missing = (name for name in ORDER if name not in there)
    return {name: f"firmware/variants/{name}.toml is not there yet" for name in missing}


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments, those of most variants first; UserError for what there is not."""
    there = variants()
    for stack in wanted.stacks:
        if stack not in STACKS:
            raise UserError(f"no stack '{stack}'. There are: {', '.join(STACKS)}.")
    for name in wanted.variants:
        if name not in there:
            raise UserError(f"no variant '{name}'. There are: {', '.join(there)}.")
        if not any(name in STUDIED[stack] for stack in wanted.stacks or STUDIED):
            stacks = " and ".join(wanted.stacks or STUDIED)
            raise UserError(f"--variant {name}: the study has none of {stacks}; leave it out.")
    # Before a list of a million runs is made.
    replace(_usual(wanted, extent, "tcp", BASE), samples=max(extent.samples.values())).check()
    stacks = tuple(dict.fromkeys(wanted.stacks)) or tuple(STUDIED)
    chosen = [v for v in ORDER if v in (wanted.variants or there) and v in there]
    found = [
        experiment
        for stack in stacks
        for variant in chosen
        if variant in STUDIED[stack]
        for experiment in _of_variant(wanted, extent, stack, variant)
    ]
    if extent.switches and "tcp" in stacks and BASE in chosen:
        found += _of_switches(wanted, extent)
    return found


def _record(wanted: Wanted, extent: Extent, stack: str, variant: str, **more) -> Record:
    return dataclasses.replace(_usual(wanted, extent, stack, variant), **more)


def _usual(wanted: Wanted, extent: Extent, stack: str, variant: str) -> Record:
    return Record(
        machine=wanted.machine,
        settings=wanted.settings,
        stack=stack,
        variant=variant,
        engine=wanted.engine,
        round_trips=extent.round_trips,
        warmup=extent.warmup,
        seed=wanted.seed,
        ports=wanted.ports,
        baud=wanted.baud,
    )


def _of_variant(wanted: Wanted, extent: Extent, stack: str, variant: str) -> list[Experiment]:
    samples = extent.samples[stack]
    whole = _record(wanted, extent, stack, variant, samples=samples, cold=True)
    jobs = [
        dataclasses.replace(job, short=extent.short_cold and job.memory == run.COLD)
        for job in run.jobs(whole)
    ]
    found = [Experiment(f"{stack}-{variant}", whole, tuple(jobs))]
    short = {"warmup": SHORT_WARMUP, "round_trips": min(SHORT, extent.round_trips)}
    for n in range(1, extent.shuffles + 1):
        shuffled = _record(wanted, extent, stack, variant, layout=f"shuffle-{n}", **short)
        found.append(_once(f"{stack}-{variant}-shuffle-{n}", shuffled))
    if extent.beside and variant in CLONED:
        for layout in LAYOUTS:
            other = _record(wanted, extent, stack, variant, layout=layout)
            found.append(_once(f"{stack}-{variant}-{layout}", other))
    if extent.beside and variant == INLINED:
        guarded = _record(wanted, extent, stack, variant, defines=(GUARD,))
        found.append(_once(f"{stack}-{variant}-guard", guarded))
    return found


def _once(name: str, record: Record) -> Experiment:
    """A single run, without ideal memory or cold caches."""
    return Experiment(name, record, (run.Job(1, run.REAL),))


def _of_switches(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Table 1: the base with one technique taken back."""
    known, found = switches.there(), []
    for switch in TECHNIQUES:
        if switch in known:
            record = _record(wanted, extent, "tcp", BASE, defines=(f"{switch}=0",))
            found.append(_once(f"tcp-{BASE}-{switch}", record))
    return found
