# SPDX-License-Identifier: BSD-2-Clause
"""Plan of OSDI'94: sides of UDP and TCP, on machines, with switches, by processors."""

import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mcpi.batch.plan import RESULTS, Experiment, Extent, Wanted
from mcpi.firmware.parallel import SIDES
from mcpi.machine.profile import Machine, load
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.run_spec import EXACT

CHALLENGE, FASTER, POWER, ALPHA = "challenge-100", "challenge-150", "power-series-33", "dec3000-mp"
MACHINES = (CHALLENGE, FASTER, POWER, ALPHA)
STACKS = ("udp", "tcp")
COUNTS = tuple(range(1, 9))
START_TICKS = 20_000_000  # the end's too, or all counting under locks; no run has taken so many
COUNTED = 4  # by each processor under each kind of lock, for each ms that is measured
FEW = (1, 2, 4, 8)
LOCKS = "locks"  # in a stack's place: each processor counts under each kind of lock
SUM = "sum"  # likewise: each processor sums memory that no cache holds

# Runs of a point are of one seed: the sources' own order of functions, and random ones.
# ``samples``: orders of a point; ``shuffles``: of one that a claim reads; ``round_trips`` and
# ``warmup``: ms, in whole periods of the timer.
FULL = Extent({"udp": 3, "tcp": 3}, 20, 10, extras=True, warmup=10)
QUICK = Extent({"udp": 1, "tcp": 1}, 10, 0, extras=False, warmup=10, repeats=0)

SHORT = 1024
CLAIMS = Path(__file__).with_name("claims.csv")


@dataclass(frozen=True)
class Way:
    """Differences of a curve from the baseline: TCP-1, the machine's mutex, atomic counts, message
    caches, checksums, no tickets, packets of 4 KB. ``switches``: of firmware/xkernel/lock/mp.h;
    ``settings``: of the machine; ``few``: not for each number of processors."""

    switches: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict, hash=False)
    few: bool = False
    bytes: int = 4096  # of user data in a packet

    @property
    def defines(self) -> tuple[str, ...]:
        return (*self.switches, *([f"MPBENCH_BYTES={self.bytes}"] if self.bytes == SHORT else []))


_WAYS = tomllib.loads(Path(__file__).with_name("ways.toml").read_text())
WAYS = {name: Way(tuple(row.pop("switches", "").split()), **row) for name, row in _WAYS.items()}


@dataclass(frozen=True)
class Curve:
    """``way``: of ``WAYS``."""

    machine: str
    stack: str
    side: str = ""
    way: str = ""

    @property
    def key(self) -> str:
        return "-".join(filter(None, (self.machine, self.stack, self.side, self.way)))

    @property
    def most(self) -> int:
        """Processors that the paper's machine had."""
        return 4 if self.machine in (FASTER, POWER) else 8

    def counts(self, quick: bool = False) -> list[int]:
        """Processors with which it is measured."""
        few = quick or WAYS[self.way].few or self.stack == LOCKS
        return [n for n in (FEW if few else COUNTS) if n <= self.most]


@dataclass(frozen=True)
class Point:
    """A point of a curve."""

    curve: Curve
    cores: int

    @property
    def key(self) -> str:
        return f"{self.curve.key}-{self.cores}"


def _both(stack: str, *ways: str) -> list[Curve]:
    return [Curve(CHALLENGE, stack, side, way) for way in ways for side in SIDES]


def _receive(stack: str, *ways: str) -> list[Curve]:
    return [Curve(CHALLENGE, stack, "receive", way) for way in ways]


SWEEPS = ("miss-70", "miss-280", "line-32", "line-64")
YIELDS = ("nosum-yield-500", "nosum-yield-2000", "yield")
LESS = ("1k", "1k-nosum", "mcs-nosum", "spread", "each-nosum", "two-mutex", "two-nosum")
LESS += ("six-mutex", "six-nosum")


def curves(quick: bool = False) -> list[Curve]:
    """In the order of the paper's figures, then what is beyond the paper; ``quick``: the paper's
    main ones."""
    found = _both("udp", "", "nosum", "nomaplock", "locked", "uncached")
    found += _both("tcp", "", "nosum", "mcs", "each", "two", "six", "locked", "uncached")
    found += _receive("tcp", "assumed", "tickets", "tickets-mcs")
    for machine in (FASTER, POWER, ALPHA):
        ways = ("", "sync") if machine == POWER else ("",)
        found += [Curve(machine, s, side, w) for w in ways for s in STACKS for side in SIDES]
    found += [Curve(machine, LOCKS, "", "sync" * (machine == POWER)) for machine in MACHINES]
    found += [Curve(CHALLENGE, "udp", "send", "nosum-yield"), Curve(CHALLENGE, SUM)]
    if quick:
        return found
    found += [Curve(CHALLENGE, "udp", "send", way) for way in YIELDS]
    found += [Curve(CHALLENGE, "tcp", "send", "yield"), *_both("tcp", "backoff")]
    found += _receive("tcp", "mcs-maps")
    found += _both("udp", "1k", "1k-nosum") + _both("tcp", *LESS)
    found += _receive("tcp", "assumed-nosum", "unpadded", "with-sync", *SWEEPS)
    return found + _receive("udp", "unpadded", "with-sync", *SWEEPS)


def points(extent: Extent) -> list[Point]:
    quick = not extent.extras
    return [Point(curve, n) for curve in curves(quick) for n in curve.counts(quick)]


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Every point in as many orders as it wants."""
    wanted.check_nodes(MACHINES, "sides")
    read = read_by_claims()
    return [
        experiment(wanted, extent, point, n)
        for point in points(extent)
        for n in range(_orders(extent, point, read))
    ]


def _orders(extent: Extent, point: Point, read: set[str]) -> int:
    stack = point.curve.stack
    usual = 1 if stack == LOCKS else extent.samples["udp" if stack == SUM else stack]
    return max(usual, extent.shuffles) if point.key in read else usual


# Figures of a claim that read its curves with these numbers of processors alone, and with others.
BY_COUNT = ("ratio", "against", "waiting", "repaired", "disorder", "misordered", "disorder_ratio")
BY_COUNT += ("scaling", "extra", "dearer", "megabytes", "each", "fed")
ALSO = {"scaling": ("1",), "each": ("1",), "extra": ("1", "2"), "dearer": ("1",)}


def read_by_claims() -> set[str]:
    """The keys of the points that a claim's figure reads; of a figure that goes through a curve,
    all of the curve."""
    found = set()
    with CLAIMS.open(newline="") as stream:
        for claim in csv.DictReader(stream):
            figure, words = claim["figure"], claim["versions"].split()
            named = [word for word in words if word.isdigit()]
            counts = (*named, *ALSO.get(figure, ())) if figure in BY_COUNT else map(str, COUNTS)
            keys = [word for word in words if not word.isdigit()]
            if figure == "dearer":
                keys = [c.key for c in curves() if (c.machine, c.stack) == (keys[0], LOCKS)]
            found |= {f"{key}-{n}" for n in counts for key in keys}
    return found


def experiment(wanted: Wanted, extent: Extent, point: Point, number: int = 0) -> Experiment:
    """A point in the order ``number``, 0 for that of the sources: a node whose processors send or
    receive packets."""
    curve, way = point.curve, WAYS[point.curve.way]
    seed = wanted.usual.seed
    fields = {"round_trips": extent.round_trips, "warmup": extent.warmup}
    fields |= {"role": SIDES.index(curve.side)} if curve.side else {}
    image = NodeImage(f"mpbench-{curve.stack}", way.defines)
    if curve.stack == LOCKS:
        image = NodeImage("mpcount", way.switches)
        fields["round_trips"] = COUNTED * extent.round_trips
    name = f"{point.key}-{seed}" + (f"-shuffle-{number}" if number else "")
    settings = way.settings | {"core.count": str(point.cores)}
    spec = NodeSpec(
        machine=curve.machine,
        images=(image,),
        settings=settings,
        engine=wanted.usual.engine,
        seed=seed,
        fields=fields,
        max_ticks=START_TICKS + _ticks(load(curve.machine, settings), extent),
        locks=wanted.usual.engine == EXACT,
        name=name,
        shuffle=number or None,
    )
    return Experiment.of(name, spec, (RESULTS, point.key))


def _ticks(machine: Machine, extent: Extent) -> int:
    """Ticks of warm-up and measurement at most."""
    period = machine.ticks_per_us * 1_000_000 // machine.parameters["timer.hz"]
    ms = machine.ticks_per_us * 1000
    return (extent.warmup + extent.round_trips) * ms + 3 * period


# On the RTL too: each number of processors, each side and stack, each structure of TCP's locks,
# the sync bus.
PART = [Point(Curve(CHALLENGE, "tcp", "receive"), n) for n in COUNTS]
PART += [
    Point(Curve(CHALLENGE, "udp", "send"), 2),
    Point(Curve(CHALLENGE, "udp", "receive"), 4),
    Point(Curve(CHALLENGE, "tcp", "send", "mcs"), 8),
    Point(Curve(CHALLENGE, "tcp", "receive", "two"), 4),
    Point(Curve(CHALLENGE, "tcp", "receive", "six"), 8),
    Point(Curve(CHALLENGE, LOCKS), 8),
    Point(Curve(POWER, "tcp", "receive", "sync"), 4),
]


def pairs(wanted: Wanted, extent: Extent, part: Sequence[Point] = PART) -> list[Experiment]:
    """Short runs of ``part`` that both engines make, of a period of the timer after another: every
    counter of every processor must be the same."""
    if not extent.repeats:
        return []
    short = replace(extent, round_trips=1, warmup=1)
    found = [experiment(wanted, short, point) for point in part]
    return [replace(e, spec=replace(e.spec, locks=False)) for e in found]
