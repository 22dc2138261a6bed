# SPDX-License-Identifier: BSD-2-Clause
"""Owners of a whole round trip (docs/reference/round-trip.md), painted tick by tick."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import CLIENT, SERVER, Row

BURSTS = ("read_burst", "write_burst")
SIDES = {"client": CLIENT, "server": SERVER}


@dataclass(frozen=True)
class Machine:
    """Logs of one machine in a sample."""

    place: Path
    node: int

    @cached_property
    def spells(self) -> list[tuple[int, int, bool, dict[str, int]]]:
        """First tick, the tick after the last, if the path runs, ticks by owner."""
        found, inside, paused = [], False, False
        for row in raw.lines(self.place / f"spells.{self.node}.csv"):
            for mark in row["mark"].split():
                if mark == "window_open" and not inside:
                    inside, paused = True, False
                elif mark == "window_close":
                    inside = False
                elif mark in ("window_pause", "window_resume"):
                    paused = mark == "window_pause"
            owned = {k: int(n) for k, n in (pair.split("=") for pair in row["owners"].split())}
            found.append((int(row["from"]), int(row["until"]), inside and not paused, owned))
        return found

    @cached_property
    def steps(self) -> list[dict[str, str]]:
        return raw.lines(self.place / f"lance.{self.node}.csv")

    def within(self, start: int, end: int) -> list:
        found = [spell for spell in self.spells if start <= spell[0] < end]
        assert sum(spell[1] - spell[0] for spell in found) == end - start, (self.place, start)
        return found

    def ticks_of(self, step: str, start: int, end: int) -> list[int]:
        found = [int(row["from"]) for row in self.steps if row["step"] == step]
        return [tick for tick in found if start <= tick < end]

    def ownerships(self, start: int, end: int) -> list[tuple[int, int, int, int, str]]:
        """From, until, first and last tick of the bus's work, kind."""
        found = []
        for row in self.steps:
            if row["moved"] and int(row["from"]) < end and int(row["until"]) > start:
                ticks = [int(row[k]) for k in ("from", "until", "moves", "moved")]
                found.append((*ticks, row["step"]))
        return found

    def computing(self, start: int, end: int) -> Counter:
        found: Counter = Counter()
        for first, until, runs, owned in self.within(start, end):
            found.update(owned if runs else {"off_path": until - first})
        return found

    def idle(self, start: int, end: int) -> int:
        return sum(owned.get("idle", 0) for *_, owned in self.within(start, end))

    def noticed(self, start: int, end: int) -> int:
        """The first tick after the driver's word to the controller."""
        return min(self.ticks_of("demand", start, end), default=start - 1) + 1


class Way:
    """Owners of the ticks from ``start`` to ``end`` - 1."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.owners = start, [""] * (end - start)

    def paint(self, owner: str, start: int, end: int) -> None:
        low, high = (min(max(t - self.start, 0), len(self.owners)) for t in (start, end))
        self.owners[low:high] = [owner] * (high - low)

    def own(self, steps: list, low: int, high: int) -> None:
        """Ownerships that end at ``high`` at most: a controller's, in them the bus's."""
        for start, end, moves, moved, kind in steps:
            name = "controller.silo" if kind in BURSTS else "controller.descriptor"
            self.paint(name, max(start, low), min(end, high))
            self.paint("bus", max(moves, low), min(moved, end, high))


def _way(sender: Machine, receiver: Machine, start: int, end: int) -> Counter:
    """Owners of a frame's way, from the hand-over to the receiver's handler."""
    stamps = raw.stamps(sender.place)
    ends = {(node, name): t for t, node, name in stamps if start <= t < end}
    first = ends[sender.node, "tx_first_bit"]
    last = ends[receiver.node, "rx_last_bit"]
    way, noticed = Way(start, end), sender.noticed(start, first)
    # Gaps first: each lasts until the next step begins.
    now, before = noticed, None
    steps = sender.ownerships(noticed, first)
    for step in steps:
        burst = step[4] in BURSTS
        gap = "controller.silo" if burst else "controller.descriptor"
        if before is None:
            gap = "controller.poll"
        elif burst and not before:
            gap = "controller.set_up"
        way.paint(gap, now, step[0])
        now, before = step[1], burst
    way.paint("controller.start", now, first)
    way.own(steps, noticed, first)
    way.paint("hand_over", start, noticed)
    way.paint("wire", first, last)
    raised = max(receiver.ticks_of("interrupt", last, end))
    steps = receiver.ownerships(last, raised)
    writes = [n for n, step in enumerate(steps) if step[4] == "write_word" and step[1] <= raised]
    steps = steps[: writes[-1] + 1]
    now = last
    for step in steps:
        gap = "controller.silo" if step[4] in BURSTS else "controller.status"
        way.paint(gap, now, step[0])
        now = step[1]
    way.paint("controller.raise", now, raised)
    way.own(steps, last, raised)
    way.paint("interrupt", raised, end)
    return Counter(way.owners)


def rows(samples: list[Path]) -> dict[str, Row]:
    """Ticks by owner of all measured round trips, by leg; then what each machine did meanwhile."""
    legs = ("client_send", "request", "server", "reply", "client_receive")
    found: dict[str, Counter] = {leg: Counter() for leg in legs}
    meanwhile: dict[str, Counter] = {side: Counter() for side in SIDES}
    if not all((place / "spells.0.csv").is_file() for place in samples):
        return {}
    for place in samples:
        client, server = (Machine(place, node) for node in (CLIENT, SERVER))
        low, _, marks = raw.measured(place)
        mine, theirs = marks[CLIENT], marks[SERVER]
        latest = 0
        for start, end in zip([low, *mine.ended], mine.ended, strict=False):
            [sent] = [t for t in mine.handed if start <= t <= end]
            [answered] = [t for t in theirs.handed if start <= t <= end]
            arrived = min(t for t in theirs.interrupts if sent < t < answered)
            returned = max(t for t in mine.interrupts if answered < t <= end)
            found["client_send"].update(client.computing(start, sent))
            found["request"].update(_way(client, server, sent, arrived))
            found["server"].update(server.computing(arrived, answered))
            found["reply"].update(_way(server, client, answered, returned))
            found["client_receive"].update(client.computing(returned, end))
            waits = [("client", client, sent, returned)]
            waits += [("server", server, latest, arrived)] if latest else []
            for side, machine, since, until in waits:
                idle = machine.idle(since, until)
                busy = until - machine.noticed(since, until) - idle
                meanwhile[side].update({"times": 1, "busy": busy, "idle": idle})
            latest = answered
    return found | {f"meanwhile, {side}": n for side, n in meanwhile.items() if n}
