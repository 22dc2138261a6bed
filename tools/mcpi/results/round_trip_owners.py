# SPDX-License-Identifier: BSD-2-Clause
"""The time line of a round trip over both machines: each tick has one owner, by the rules of
docs/reference/round-trip.md. Its files are ``spells.N.csv``, ``lance.N.csv`` and ``stamps.csv``.
"""

import bisect
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.results import measure
from mcpi.spec.numbers import CLIENT, SERVER, SIDES

LEGS = ("client_send", "request", "server", "reply", "client_receive")
HAND_OVER, INTERRUPT, OFF_PATH, BUS, WIRE = "hand_over", "interrupt", "off_path", "bus", "wire"
POLL, DESCRIPTOR, SET_UP, SILO, START, STATUS, RAISE = (
    f"controller.{name}"
    for name in ("poll", "descriptor", "set_up", "silo", "start", "status", "raise")
)
#: Owners besides the path's, in the order of a frame's way.
OWNERS = (OFF_PATH, HAND_OVER, POLL, DESCRIPTOR, SET_UP, SILO, START, BUS, WIRE, STATUS, RAISE)
OWNERS += (INTERRUPT,)
WORDS = ("read_word", "write_word")
IDLE = "idle"
Owned = Counter[str]


@dataclass(frozen=True)
class Spell:
    """Ticks ``start`` to ``end`` - 1 of a processor, between two markers."""

    start: int
    end: int
    on_path: bool
    owners: dict[str, int]


@dataclass(frozen=True)
class Step:
    """Ticks ``start`` to ``end`` - 1 of a controller; in ``moves`` to ``moved`` - 1 the bus works
    for it."""

    start: int
    end: int
    kind: str
    moves: int = 0
    moved: int = 0

    @property
    def owner(self) -> str:
        return DESCRIPTOR if self.kind in WORDS else SILO


class Node:
    """Everything that a machine did, in order."""

    def __init__(self, folder: Path, number: int) -> None:
        self._spells = list(_spells(folder / f"spells.{number}.csv"))
        self._starts = [spell.start for spell in self._spells]
        steps = list(_steps(folder / f"lance.{number}.csv"))
        self._ownerships = [step for step in steps if step.moved]
        self._ends = [step.end for step in self._ownerships]
        self._single = {
            kind: [step.start for step in steps if step.kind == kind]
            for kind in ("demand", "interrupt")
        }

    def spells(self, start: int, end: int) -> list[Spell]:
        """The spells from one marker to another. RunError if no marker is there."""
        first = bisect.bisect_left(self._starts, start)
        found = self._spells[first : bisect.bisect_left(self._starts, end)]
        if not found or (found[0].start, found[-1].end) != (start, end):
            raise RunError(f"spells: none begins at tick {start} or ends at {end}.")
        return found

    def ownerships(self, start: int, end: int) -> list[Step]:
        """Ownerships of the bus that have a tick from ``start`` to ``end`` - 1."""
        found = []
        for step in self._ownerships[bisect.bisect_right(self._ends, start) :]:
            if step.start >= end:
                break
            found.append(step)
        return found

    def first(self, kind: str, start: int, end: int) -> int | None:
        """The first tick from ``start`` to ``end`` - 1 with a step of that kind."""
        ticks = self._single[kind]
        at = bisect.bisect_left(ticks, start)
        return ticks[at] if at < len(ticks) and ticks[at] < end else None

    def last(self, kind: str, start: int, end: int) -> int | None:
        ticks = self._single[kind]
        at = bisect.bisect_left(ticks, end) - 1
        return ticks[at] if at >= 0 and ticks[at] >= start else None


def _spells(path: Path) -> Iterator[Spell]:
    opened = running = False
    with path.open(newline="") as stream:
        for row in csv.DictReader(stream):
            for mark in row["mark"].split():
                match mark:
                    case "window_open":
                        running = running if opened else True
                        opened = True
                    case "window_close":
                        opened = running = False
                    case "window_pause":
                        running = False
                    case "window_resume":
                        running = opened
            owners = dict(one.split("=") for one in row["owners"].split())
            yield Spell(
                int(row["from"]),
                int(row["until"]),
                running,
                {owner: int(ticks) for owner, ticks in owners.items()},
            )


def _steps(path: Path) -> Iterator[Step]:
    with path.open(newline="") as stream:
        for row in csv.DictReader(stream):
            moving = [int(row[key] or 0) for key in ("moves", "moved")]
            yield Step(int(row["from"]), int(row["until"]), row["step"], *moving)


@dataclass(frozen=True)
class Frames:
    """Ticks of the first bit of each frame at its sender, and of the last bit at its receiver."""

    sent: list[int]
    received: list[int]

    def between(self, start: int, end: int) -> tuple[int, int] | None:
        """The frame that passes from ``start`` to ``end`` - 1; None unless there is one."""
        sent, received = (
            ticks[bisect.bisect_left(ticks, start) : bisect.bisect_left(ticks, end)]
            for ticks in (self.sent, self.received)
        )
        whole = len(sent) == len(received) == 1 and sent[0] < received[0]
        return (sent[0], received[0]) if whole else None


def _frames(stamps: Path) -> dict[int, Frames]:
    """Frames by sender."""
    found = {n: Frames([], []) for n in SIDES.values()}
    with stamps.open(newline="") as stream:
        for row in csv.DictReader(stream):
            node = int(row["node"])
            if row["stamp"] == "tx_first_bit":
                found[node].sent.append(int(row["tick"]))
            elif row["stamp"] == "rx_last_bit":
                found[1 - node].received.append(int(row["tick"]))
    return found


def processor(node: Node, start: int, end: int) -> Owned:
    """Owners of a processor's ticks from one marker to another."""
    owned: Owned = Counter()
    for spell in node.spells(start, end):
        if spell.on_path:
            owned.update(spell.owners)
        else:
            owned[OFF_PATH] += spell.end - spell.start
    return owned


def sending(node: Node, start: int, end: int) -> Owned:
    """Owners from the hand-over to the first bit on the wire."""
    owned: Owned = Counter()
    demand = node.first("demand", start, end)
    now = start if demand is None else demand + 1
    owned[HAND_OVER] = now - start
    before = ""
    for step in node.ownerships(now, end):
        waits = POLL if not before else step.owner
        if before == DESCRIPTOR and step.owner == SILO:
            waits = SET_UP
        owned[waits] += max(step.start - now, 0)
        now = _ownership(owned, step, now, end)
        before = step.owner
    owned[START] += end - now
    return owned


def receiving(node: Node, start: int, end: int) -> Owned:
    """Owners from the last bit on the wire to the first instruction of the handler."""
    owned: Owned = Counter()
    rises = node.last("interrupt", start, end)
    raised = end if rises is None else rises
    steps = node.ownerships(start, raised)
    while steps and not (steps[-1].kind == "write_word" and steps[-1].end <= raised):
        steps.pop()  # the controller looks at the ring while it raises the line
    now = start
    for step in steps:
        owned[SILO if step.owner == SILO else STATUS] += max(step.start - now, 0)
        now = _ownership(owned, step, now, raised)
    owned[RAISE if steps else STATUS] += raised - now
    owned[INTERRUPT] = end - raised
    return owned


def _ownership(owned: Owned, step: Step, now: int, end: int) -> int:
    """Add the ticks of an ownership from ``now`` to ``end`` - 1; return the tick after them."""
    low, high = max(step.start, now), min(step.end, end)
    bus = max(min(step.moved, high) - max(step.moves, low), 0)
    owned[BUS] += bus
    owned[step.owner] += high - low - bus
    return high


def of(folder: Path, window: list[measure.Event]) -> dict | None:
    """The time line of a run: the ticks of all measured round trips by leg and owner, and what each
    machine did at the same time. None if a round trip is not one clean exchange."""
    chains = measure.exchanges(window)
    if not chains or not (folder / "spells.0.csv").is_file():
        return None
    nodes = [Node(folder, n) for n in SIDES.values()]
    frames = _frames(folder / "stamps.csv")
    legs = {leg: Counter() for leg in LEGS}
    client, server = nodes[CLIENT], nodes[SERVER]
    for start, sent, arrived, answered, returned, end in chains:
        legs["client_send"] += processor(client, start, sent)
        legs["server"] += processor(server, arrived, answered)
        legs["client_receive"] += processor(client, returned, end)
        ways = (("request", CLIENT, sent, arrived), ("reply", SERVER, answered, returned))
        for leg, sender, low, high in ways:
            frame = frames[sender].between(low, high)
            if not frame:
                return None
            legs[leg] += sending(nodes[sender], low, frame[0])
            legs[leg][WIRE] += frame[1] - frame[0]
            legs[leg] += receiving(nodes[1 - sender], frame[1], high)
    found = {
        "round_trips": len(chains),
        "ticks": sum(end - start for start, *_, end in chains),
        "legs": {leg: _ordered(owned) for leg, owned in legs.items()},
    }
    waits = {"client": [(c[1], c[4]) for c in chains]}
    waits["server"] = [(a[3], b[2]) for a, b in zip(chains, chains[1:])]
    return found | {
        "meanwhile": {
            side: _meanwhile(nodes[n], waits[side]) for side, n in SIDES.items() if waits[side]
        }
    }


def _meanwhile(node: Node, spans: list[tuple[int, int]]) -> dict:
    """Busy and idle ticks of a processor while its frame and the answer are under way: after the
    hand-over has reached the controller, up to the next handler."""
    idle = busy = 0
    for start, end in spans:
        demand = node.first("demand", start, end)
        waits = sum(spell.owners.get(IDLE, 0) for spell in node.spells(start, end))
        idle += waits
        busy += end - (start if demand is None else demand + 1) - waits
    return {"times": len(spans), "busy": busy, "idle": idle}


def _ordered(owned: Owned) -> dict[str, int]:
    """Owners that own anything: the path's in the order of their names, then a frame's way."""
    names = [*sorted(owned.keys() - set(OWNERS)), *OWNERS]
    return {name: owned[name] for name in names if owned[name]}


def together(lines: list[dict | None]) -> dict | None:
    """The sum of time lines; None if there is none of a sample."""
    if not lines or None in lines:
        return None
    return _sum(lines)


def _sum(values: list) -> dict | int:
    if isinstance(values[0], int):
        return sum(values)
    keys = dict.fromkeys(key for value in values for key in value)
    return {key: _sum([value[key] for value in values if key in value]) for key in keys}
