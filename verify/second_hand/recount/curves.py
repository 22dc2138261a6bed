# SPDX-License-Identifier: BSD-2-Clause
"""Runs of a node of several processors (docs/explanation/osdi94.md), by curve and processors."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import raw

MACHINES = ("challenge-100", "challenge-150", "power-series-33", "dec3000-mp")
SIDES = {f"{stack}-{side}": f"{stack.upper()} {side}" for stack in ("udp", "tcp")
         for side in ("send", "receive")}  # fmt: skip
LOCKS, SUM = "locks", "sum"
COUNTS = range(1, 9)
FOLDER = re.compile(r"(?P<curve>.*)-(?P<cores>[1-8])-\d+(-shuffle-(?P<order>\d+))?")
TAKER = re.compile(r"lock_(\w+)_acquire")


@dataclass(frozen=True)
class One:
    """A run of one seed."""

    place: Path
    machine: str
    way: str
    order: int  # seed of its order of functions, 0: the sources' own

    @cached_property
    def content(self) -> dict:
        return json.loads((self.place / "counters.json").read_text())

    @property
    def ticks(self) -> int:
        return self.content["ticks"]

    @cached_property
    def packets(self) -> int:
        return sum(core["windows"]["probe"]["invocations"] for core in self.content["cores"])

    @property
    def mbps(self) -> float:
        """Mb/s of user data: packets have 4 KB, those of the ways ``1k`` 1 KB."""
        size = 1024 if self.way.split("-")[0] == "1k" else 4096
        us = self.ticks / raw.machine(self.machine)["clock"]["ticks_per_us"]
        return 8 * size * self.packets / us

    def window(self, name: str, what: str) -> int:
        """Sum over the processors."""
        return sum(core["windows"][name][what] for core in self.content["cores"])

    @property
    def instructions(self) -> int:
        return sum(core["all"]["instructions"] for core in self.content["cores"])

    @cached_property
    def owners(self) -> Counter:
        """Ticks of all processors by owner."""
        found: Counter = Counter()
        for core in self.content["cores"]:
            for name, ticks in core["all"].items():
                if name.startswith("owner."):
                    found[name.split(".")[1]] += ticks
        assert found.total() == self.ticks * len(self.content["cores"]), self.place
        return found

    @cached_property
    def causes(self) -> Counter:
        """Ticks that caches and the bus own, by cause."""
        found: Counter = Counter()
        for core in self.content["cores"]:
            for name, ticks in core["all"].items():
                if name.startswith("cause."):
                    found[name.split(".")[2]] += ticks
        return found

    @cached_property
    def at_work(self) -> Counter:
        """Ticks by owner, without those in which a processor waits for TCP's state."""
        found = Counter(self.owners)
        for core in self.content["cores"]:
            for name, ticks in core["windows"]["spin"].items():
                if name.startswith("owner."):
                    found[name.split(".")[1]] -= ticks
        return found

    @cached_property
    def said(self) -> dict[str, int]:
        lines = (self.place / "console.txt").read_text().splitlines()
        return {name: int(n) for name, _, n in (line.rpartition(" ") for line in lines)}

    @cached_property
    def sites(self) -> list[tuple[str, str, dict]]:
        """Asking function, taking function, and what was logged, of each place of a lock."""
        found = json.loads((self.place / "locks.json").read_text())
        assert not found["lost"], self.place
        functions = sorted(
            (s.at, s.name) for s in raw.symbols(self.place / "image.elf") if s.function and s.size
        )

        def name(address: int) -> str:
            found = (name for at, name in reversed(functions) if at <= address)
            return next(found, "?")

        return [(name(s["at"] - 4), name(s["function"]), s) for s in found["sites"]]


@dataclass(frozen=True)
class Point:
    """All seeds of a curve with so many processors."""

    cores: int
    runs: list[One]

    @property
    def rates(self) -> list[float]:
        return [run.mbps for run in self.runs]

    @property
    def rate(self) -> float:
        return sum(self.rates) / len(self.rates)

    @property
    def packets(self) -> int:
        return sum(run.packets for run in self.runs)

    def per_packet(self, part: str) -> dict[str, float]:
        """Ticks of all processors for a packet, by owner or cause (``part``)."""
        sums: Counter = Counter()
        for run in self.runs:
            sums.update(getattr(run, part))
        return {name: ticks / self.packets for name, ticks in sums.items()}

    def waiting(self, what: str) -> float:
        """Per cent of ticks, or of instructions, that wait for TCP's state."""
        shares = []
        for run in self.runs:
            whole = run.ticks * self.cores if what == "ticks" else run.instructions
            shares.append(100 * run.window("spin", what) / whole)
        return sum(shares) / len(shares)

    @property
    def held(self) -> float:
        """Per cent of the time in which TCP's state is held."""
        shares = [100 * run.window("hold", "ticks") / run.ticks for run in self.runs]
        return sum(shares) / len(shares)

    @property
    def disorder(self) -> float:
        """Per cent of data segments that are not the one expected."""
        sums = [sum(run.said[k] for run in self.runs) for k in ("disordered", "data")]
        return 100 * sums[0] / sums[1]


def in_order(curves: "dict[str, Curve]", order: int) -> "dict[str, Curve]":
    """The curves with the runs of one order of functions."""
    found: dict[str, Curve] = {}
    for key, curve in curves.items():
        for n, point in curve.points.items():
            if runs := [run for run in point.runs if run.order == order]:
                found.setdefault(key, Curve(key)).points[n] = Point(n, runs)
    return found


class Curve:
    """``key``: of the folders, without processors and seed."""

    def __init__(self, key: str) -> None:
        self.key, self.points = key, {}
        self.machine = next(m for m in MACHINES if key.startswith(m))
        rest = key.removeprefix(f"{self.machine}-")
        self.side = next(s for s in (*SIDES, LOCKS, SUM) if rest.startswith(s))
        self.way = rest.removeprefix(self.side).removeprefix("-")

    @property
    def is_locks(self) -> bool:
        return self.side == LOCKS

    @property
    def labels(self) -> tuple[str, str, str]:
        return self.machine, SIDES.get(self.side, self.side), WAYS[self.way]


def read(root: Path) -> dict[str, Curve]:
    """The curves of all folders below ``root``."""
    found: dict[str, Curve] = {}
    for place in sorted(root.glob("*")):
        if match := FOLDER.fullmatch(place.name):
            curve = found.setdefault(match["curve"], Curve(match["curve"]))
            cores = int(match["cores"])
            point = curve.points.setdefault(cores, Point(cores, []))
            order = int(match["order"] or 0)
            point.runs.append(One(place, curve.machine, curve.way, order))
            point.runs.sort(key=lambda run: run.order)
    return found


WAYS = {
    "": "baseline",
    "nosum": "no checksum",
    "yield": "a yield of 10 µs a packet",
    "nosum-yield": "no checksum, a yield of 10 µs",
    "nosum-yield-500": "no checksum, a yield of 5 µs",
    "nosum-yield-2000": "no checksum, a yield of 20 µs",
    "mcs-maps": "MCS locks, maps' too",
    "backoff": "back-off for the state",
    "1k": "packets of 1 KB",
    "1k-nosum": "1 KB, no checksum",
    "nomaplock": "maps unlocked",
    "mcs": "MCS locks",
    "mcs-nosum": "MCS, no checksum",
    "assumed": "assumed in order",
    "assumed-nosum": "assumed in order, no checksum",
    "tickets": "ordered for the application",
    "tickets-mcs": "MCS, ordered for the application",
    "each": "MCS, a connection each",
    "each-nosum": "MCS, a connection each, no checksum",
    "spread": "MCS, packets of as many connections",
    "two": "MCS, two locks",
    "two-mutex": "two locks",
    "two-nosum": "MCS, two locks, no checksum",
    "six": "MCS, six locks",
    "six-mutex": "six locks",
    "six-nosum": "MCS, six locks, no checksum",
    "locked": "counts under locks",
    "uncached": "no message caches",
    "unpadded": "locks beside their data",
    "sync": "mutex on the sync bus",
    "with-sync": "a sync bus, mutex there",
    "miss-70": "misses of 70 ticks",
    "miss-280": "misses of 280 ticks",
    "line-32": "blocks of 32 bytes",
    "line-64": "blocks of 64 bytes",
}
