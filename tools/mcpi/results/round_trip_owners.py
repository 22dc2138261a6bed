# SPDX-License-Identifier: BSD-2-Clause
"""The time line of a round trip over both machines: each tick has one owner, by the rules of
docs/reference/round-trip.md. Its files are ``spells.N.csv``, ``lance.N.csv`` and ``stamps.csv``.
"""

import csv
import operator
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from mcpi.base.errors import RunError
from mcpi.results import files, measure
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


Legs = list[tuple[str, list[Stretch]]]


class Row(Protocol):
    start: int
    end: int


T = TypeVar("T", bound=Row)


class Held(Generic[T]):
    """Rows of a file of the ticks that are looked at; the file may be long."""

    def __init__(self, rows: Iterator[T]) -> None:
        self._left, self.rows = rows, []

    def move(self, start: int, end: int) -> None:
        """Have what begins before ``end``, and no more what ended before ``start``."""
        self.rows: list[T] = [row for row in self.rows if row.end >= start]
        while not self.rows or self.rows[-1].start < end:
            if (row := next(self._left, None)) is None:
                return
            if row.end >= start:
                self.rows.append(row)


class Node:
    """Everything that a machine did in the ticks that are held, in order."""

    def __init__(self, folder: Path, number: int) -> None:
        self._spells = Held(_spells(folder / f"spells.{number}.csv"))
        self._steps = Held(_steps(folder / f"lance.{number}.csv"))

    def move(self, start: int, end: int) -> None:
        self._spells.move(start, end)
        self._steps.move(start, end)

    def spells(self, start: int, end: int) -> list[Spell]:
        """The spells from one marker to another. RunError if no marker is there."""
        found = [spell for spell in self._spells.rows if start <= spell.start < end]
        if not found or (found[0].start, found[-1].end) != (start, end):
            raise RunError(f"spells: none begins at tick {start} or ends at {end}.")
        return found

    def ownerships(self, start: int, end: int) -> list[Step]:
        """Ownerships of the bus that have a tick from ``start`` to ``end`` - 1."""
        steps = (step for step in self._steps.rows if step.moved)
        return [step for step in steps if step.end > start and step.start < end]

    def ticks(self, kind: str, start: int, end: int) -> list[int]:
        """The ticks from ``start`` to ``end`` - 1 with a step of that kind."""
        steps = (step for step in self._steps.rows if step.kind == kind)
        return [step.start for step in steps if start <= step.start < end]


def _spells(path: Path) -> Iterator[Spell]:
    opened = running = False
    with files.text(path) as stream:
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
    with files.text(path) as stream:
        rows = csv.reader(stream)
        names = ("from", "until", "step", "moves", "moved")
        columns = operator.itemgetter(*map(next(rows).index, names))
        for start, end, kind, moves, moved in map(columns, rows):
            yield Step(int(start), int(end), kind, int(moves or 0), int(moved or 0))


class Bit(NamedTuple):
    """The tick of a frame's first bit at its sender, or of its last at the receiver."""

    start: int
    sender: int
    last: bool

    @property
    def end(self) -> int:
        return self.start + 1


def _bits(stamps: Path) -> Iterator[Bit]:
    for tick, node, stamp in measure.stamped(stamps):
        if stamp == "tx_first_bit":
            yield Bit(tick, node, False)
        elif stamp == "rx_last_bit":
            yield Bit(tick, 1 - node, True)


class Run:
    """Work of both machines and of the wire in the ticks that are held."""

    def __init__(self, folder: Path) -> None:
        self.nodes = {side: Node(folder, n) for side, n in SIDES.items()}
        self._bits = Held(_bits(folder / "stamps.csv"))

    def move(self, start: int, end: int) -> None:
        for one in (*self.nodes.values(), self._bits):
            one.move(start, end)

    def frame(self, sender: str, start: int, end: int) -> tuple[int, int] | None:
        """First and last bit of the frame that passes from ``start`` to ``end`` - 1; None unless
        there is one."""
        bits = [bit for bit in self._bits.rows if bit.sender == SIDES[sender]]
        bits = [bit for bit in bits if start <= bit.start < end]
        whole = [bit.last for bit in bits] == [False, True]
        return (bits[0].start, bits[1].start) if whole else None

    def way(self, sender: str, low: int, high: int) -> list[Stretch] | None:
        """A frame's way from the hand-over to the handler; None unless there is one."""
        frame = self.frame(sender, low, high)
        if not frame:
            return None
        receiver = next(side for side in SIDES if side != sender)
        return [
            *sending(self.nodes[sender], sender, low, frame[0]),
            _one(WIRE, WIRE, *frame),
            *receiving(self.nodes[receiver], receiver, frame[1], high),
        ]

    def legs(self, chain: list[int]) -> Legs | None:
        """The time line of an exchange whose ticks are held."""
        start, sent, arrived, answered, returned, end = chain
        client, server = self.nodes["client"], self.nodes["server"]
        parts = (
            list(processor(client, "client", start, sent)),
            self.way("client", sent, arrived),
            list(processor(server, "server", arrived, answered)),
            self.way("server", answered, returned),
            list(processor(client, "client", returned, end)),
        )
        return None if None in parts else list(zip(LEGS, parts, strict=True))


def processor(node: Node, side: str, start: int, end: int) -> Iterator[Stretch]:
    """A processor's ticks from one marker to another."""
    for spell in node.spells(start, end):
        ticks = spell.end - spell.start
        owners = spell.owners if spell.on_path else {OFF_PATH: ticks}
        yield Stretch(spell.start, spell.end, side, owners)


def sending(node: Node, side: str, start: int, end: int) -> Iterator[Stretch]:
    """From the hand-over to the first bit on the wire."""
    demands = node.ticks("demand", start, end)
    now = demands[0] + 1 if demands else start
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
    raised = (node.ticks("interrupt", start, end) or [end])[-1]
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


@dataclass(frozen=True)
class Exchange:
    """``answered``: the server's hand-over in the round trip before, if there was one."""

    chain: list[int]
    legs: Legs
    answered: int | None
    nodes: dict[str, Node]


def _exchanges(folder: Path, window: Iterable[measure.Event]) -> Iterator[Exchange | None]:
    """Each measured round trip; None for one without a time line. None at all if the run has not
    logged its spells."""
    if not files.place(folder / "spells.0.csv").is_file():
        return
    run, answered = Run(folder), None
    for chain in measure.exchanges(window):
        if chain:
            run.move(chain[0] if answered is None else answered, chain[-1])
        legs = run.legs(chain) if chain else None
        yield Exchange(chain, legs, answered, run.nodes) if legs else None
        answered = chain and chain[3]


def time_lines(folder: Path, window: Iterable[measure.Event]) -> list[Legs] | None:
    """The time line of each measured round trip, leg by leg: stretches without a gap. None if a
    round trip is not one clean exchange, or the run has not logged its spells."""
    found = list(_exchanges(folder, window))
    return [one.legs for one in found] if found and None not in found else None


def of(folder: Path, window: Iterable[measure.Event]) -> dict | None:
    """``time_line`` of a run's record: the ticks of all measured round trips by leg and owner, and
    what each machine did at the same time. None if there is no time line."""
    legs: dict[str, Owned] = {leg: Counter() for leg in LEGS}
    meanwhile: dict[str, Owned] = {side: Counter() for side in SIDES}
    count = ticks = 0
    for one in _exchanges(folder, window):
        if not one:
            return None
        count += 1
        for leg, stretches in one.legs:
            for stretch in stretches:
                legs[leg].update(stretch.owners)
        start, sent, arrived, _, returned, end = one.chain
        ticks += end - start
        waits = {"client": (sent, returned)}
        if one.answered is not None:
            waits["server"] = (one.answered, arrived)
        for side, span in waits.items():
            meanwhile[side].update(_meanwhile(one.nodes[side], *span))
    if not count:
        return None
    return {
        "round_trips": count,
        "ticks": ticks,
        "legs": {leg: _ordered(owned) for leg, owned in legs.items()},
        "meanwhile": {side: dict(spent) for side, spent in meanwhile.items() if spent},
    }


def _meanwhile(node: Node, start: int, end: int) -> dict[str, int]:
    """Busy and idle ticks of a processor while its frame and the answer are under way: after the
    hand-over has reached the controller, up to the next handler."""
    demands = node.ticks("demand", start, end)
    idle = sum(spell.owners.get(IDLE, 0) for spell in node.spells(start, end))
    busy = end - (demands[0] + 1 if demands else start) - idle
    return {"times": 1, "busy": busy, "idle": idle}


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
