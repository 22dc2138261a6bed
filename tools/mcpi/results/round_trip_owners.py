# SPDX-License-Identifier: BSD-2-Clause
"""The time line of a round trip over both machines: each tick has one owner, by the rules of
docs/reference/round-trip.md. Its files are ``spells.N.csv``, ``lance.N.csv`` and ``stamps.csv``.
"""

import bisect
import csv
import itertools
import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.results import measure
from mcpi.spec.numbers import SIDES

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


@dataclass(frozen=True)
class Stretch:
    """Ticks ``start`` to ``end`` - 1 of a time line, by owner. ``where``: client, server or
    wire."""

    start: int
    end: int
    where: str
    owners: dict[str, int]


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
        rows = csv.reader(stream)
        names = ("from", "until", "mark", "owners")
        columns = operator.itemgetter(*map(next(rows).index, names))
        for start, end, marks, owned in map(columns, rows):
            for mark in marks.split():
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
            pairs = (one.split("=") for one in owned.split())
            yield Spell(int(start), int(end), running, {name: int(n) for name, n in pairs})


def _steps(path: Path) -> Iterator[Step]:
    with path.open(newline="") as stream:
        rows = csv.reader(stream)
        names = ("from", "until", "step", "moves", "moved")
        columns = operator.itemgetter(*map(next(rows).index, names))
        for start, end, kind, moves, moved in map(columns, rows):
            yield Step(int(start), int(end), kind, int(moves or 0), int(moved or 0))


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
        rows = csv.reader(stream)
        columns = operator.itemgetter(*map(next(rows).index, ("node", "stamp", "tick")))
        for node, stamp, tick in map(columns, rows):
            if stamp == "tx_first_bit":
                found[int(node)].sent.append(int(tick))
            elif stamp == "rx_last_bit":
                found[1 - int(node)].received.append(int(tick))
    return found


def processor(node: Node, side: str, start: int, end: int) -> Iterator[Stretch]:
    """A processor's ticks from one marker to another."""
    for spell in node.spells(start, end):
        ticks = spell.end - spell.start
        owners = spell.owners if spell.on_path else {OFF_PATH: ticks}
        yield Stretch(spell.start, spell.end, side, owners)


def sending(node: Node, side: str, start: int, end: int) -> Iterator[Stretch]:
    """From the hand-over to the first bit on the wire."""
    demand = node.first("demand", start, end)
    now = start if demand is None else demand + 1
    yield _one(HAND_OVER, side, start, now)
    before = ""
    for step in node.ownerships(now, end):
        waits = POLL if not before else step.owner
        if before == DESCRIPTOR and step.owner == SILO:
            waits = SET_UP
        yield _one(waits, side, now, max(step.start, now))
        yield from _ownership(step, side, now, end)
        now, before = min(step.end, end), step.owner
    yield _one(START, side, now, end)


def receiving(node: Node, side: str, start: int, end: int) -> Iterator[Stretch]:
    """From the last bit on the wire to the first instruction of the handler."""
    rises = node.last("interrupt", start, end)
    raised = end if rises is None else rises
    steps = node.ownerships(start, raised)
    while steps and not (steps[-1].kind == "write_word" and steps[-1].end <= raised):
        steps.pop()  # the controller looks at the ring while it raises the line
    now = start
    for step in steps:
        yield _one(SILO if step.owner == SILO else STATUS, side, now, max(step.start, now))
        yield from _ownership(step, side, now, raised)
        now = min(step.end, raised)
    yield _one(RAISE if steps else STATUS, side, now, raised)
    yield _one(INTERRUPT, side, raised, end)


def _one(owner: str, side: str, start: int, end: int) -> Stretch:
    return Stretch(start, end, side, {owner: end - start})


def _ownership(step: Step, side: str, now: int, end: int) -> Iterator[Stretch]:
    """The ticks of an ownership from ``now`` to ``end`` - 1."""
    low, high = max(step.start, now), min(step.end, end)
    moves, moved = (min(max(tick, low), high) for tick in (step.moves, step.moved))
    yield _one(step.owner, side, low, moves)
    yield _one(BUS, side, moves, moved)
    yield _one(step.owner, side, moved, high)


Legs = list[tuple[str, list[Stretch]]]


def time_lines(folder: Path, window: list[measure.Event]) -> list[Legs] | None:
    """The time line of each measured round trip, leg by leg: stretches without a gap. None if a
    round trip is not one clean exchange, or the run has not logged its spells."""
    chains = measure.exchanges(window)
    if not chains or not (folder / "spells.0.csv").is_file():
        return None
    return _time_lines(chains, _nodes(folder), _frames(folder / "stamps.csv"))


def _time_lines(
    chains: list[tuple[int, ...]], nodes: dict[str, Node], frames: dict[int, Frames]
) -> list[Legs] | None:
    """The same of a run whose exchanges, machines and frames these are."""

    def way(sender: str, low: int, high: int) -> list[Stretch] | None:
        frame = frames[SIDES[sender]].between(low, high)
        if not frame:
            return None
        receiver = next(side for side in SIDES if side != sender)
        return [
            *sending(nodes[sender], sender, low, frame[0]),
            _one(WIRE, WIRE, *frame),
            *receiving(nodes[receiver], receiver, frame[1], high),
        ]

    found = []
    for start, sent, arrived, answered, returned, end in chains:
        client, server = nodes["client"], nodes["server"]
        parts = (
            list(processor(client, "client", start, sent)),
            way("client", sent, arrived),
            list(processor(server, "server", arrived, answered)),
            way("server", answered, returned),
            list(processor(client, "client", returned, end)),
        )
        if None in parts:
            return None
        found.append(list(zip(LEGS, parts, strict=True)))
    return found


def _nodes(folder: Path) -> dict[str, Node]:
    return {side: Node(folder, n) for side, n in SIDES.items()}


def of(folder: Path, window: list[measure.Event]) -> dict | None:
    """``time_line`` of a run's record: the ticks of all measured round trips by leg and owner, and
    what each machine did at the same time. None if there is no time line."""
    chains = measure.exchanges(window)
    if not chains or not (folder / "spells.0.csv").is_file():
        return None
    nodes = _nodes(folder)
    lines = _time_lines(chains, nodes, _frames(folder / "stamps.csv"))
    if not lines:
        return None
    legs: dict[str, Owned] = {leg: Counter() for leg in LEGS}
    for line in lines:
        for leg, stretches in line:
            for stretch in stretches:
                legs[leg].update(stretch.owners)
    waits = {"client": [(c[1], c[4]) for c in chains]}
    waits["server"] = [(a[3], b[2]) for a, b in itertools.pairwise(chains)]
    return {
        "round_trips": len(chains),
        "ticks": sum(end - start for start, *_, end in chains),
        "legs": {leg: _ordered(owned) for leg, owned in legs.items()},
        "meanwhile": {
            side: _meanwhile(nodes[side], spans) for side, spans in waits.items() if spans
        },
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
