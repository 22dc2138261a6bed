# SPDX-License-Identifier: BSD-2-Clause
"""The protocol of exact time over a cable, as a model: what two nodes do over any cable is what
they do without one, or the run ends with an error's name; and each of twelve mistakes shows.
"""

import dataclasses
import random
from collections.abc import Callable

import pytest
from boards_support import exact_model
from boards_support.exact_model import NEXT, Cable, CableError, Endpoint, Message, Node, Wire

from verify.long_tests import sampled

TICKS, SEEDS = 80_000, 100


def nodes(seed: int) -> list[Node]:
    source = random.Random(seed)
    made = [
        Node(random.Random(f"{seed} {side}"), Wire(phase=source.randrange(70))) for side in (0, 1)
    ]
    if seed % 5 == 4:  # a controller without times of its own: lance.profile = ideal
        for node in made:
            node.steps = (31, 11)
    return made


def result(pair: list[Node]) -> list:
    return [(node.log, node.sent) for node in pair]


def runs(seed: int, kind: type[Endpoint] = Endpoint, cable: Cable | None = None, **more) -> bool:
    """True if a run over a cable is the same as without one."""
    wanted, found = nodes(seed), nodes(seed)
    exact_model.direct(wanted, TICKS)
    assert sum(len(node.log) for node in wanted) > 400, "too little is sent to show anything"
    source = random.Random(f"cable {seed}")
    cable = cable or Cable(latency=source.choice((0, 75, 900, 7500)))
    pair = [kind(node, session=7) for node in found]
    exact_model.over(pair, TICKS, cable, seed, **more)
    return result(found) == result(wanted)


@pytest.mark.parametrize("seed", sampled(range(SEEDS), lambda seed: seed < 2))
def test_any_cable_is_no_cable(seed):
    assert runs(seed, stale=[Message(6, 90, 0, 10**6, b"\x10" * 40).encode()])


def test_a_bad_cable_is_only_slow():
    assert runs(1, cable=Cable(latency=3000, lose=0.3, repeat=0.3, damage=0.3))


def test_a_dead_cable_ends_the_run():
    """Both wait, and each says so."""
    with pytest.raises(CableError, match="cable silent"):
        runs(1, cable=Cable(dead_after=20_000))


def test_a_node_waits_for_the_other_to_begin():
    found = nodes(1)
    one = Endpoint(found[0], session=7)
    for _ in range(1000):
        one.clock()
    assert one.node.now == 0


def test_the_wait_is_short():
    """With the am7990's times, a short cable and ping-pong, a pair has 0.8 of a board's ticks."""
    found = nodes(1)
    for node in found:
        node.own = 0
    found[0].asked = True
    pair = [Endpoint(node, session=7) for node in found]
    clocks = exact_model.over(pair, TICKS, Cable(latency=20, lose=0, repeat=0, damage=0), 1)
    print(f"{TICKS / clocks:.3f} ticks a clock; waits {[one.waits for one in pair]}")
    assert TICKS / clocks > 0.8


class PromiseOneTooLarge(Endpoint):
    def promise(self):
        return super().promise() + 1


class PromiseOfIdleInAFrame(Endpoint):
    def promise(self):
        node = self.node
        return node.now + max(node.soonest(), 176) + node.wire.lookahead


class PromiseAfterItsBytes(Endpoint):
    """The promise is newer than the bytes that go with it."""

    def __init__(self, node, session):
        super().__init__(node, session)
        self.older = (0, b"")

    def message(self):
        made = super().message()
        (start, data), self.older = self.older, (made.start, made.data)
        return Message(made.session, made.acknowledged, start, made.promise, data)


class SentOnce(Endpoint):
    def __init__(self, node, session):
        super().__init__(node, session)
        self.out = 0

    def message(self):
        data, start = bytes(self.stream[self.out :]), self.out
        self.out += len(data)
        return Message(self.session, self.taken, start, self.promise(), data)


class PlaceNotLookedAt(Endpoint):
    def fresh(self, message):
        return message.data


class GapNotSeen(SentOnce):
    """Bytes after a gap count as the ones that are missing."""

    def take(self, raw):
        message = self.check(raw)
        if message and message.start > self.taken:
            message = dataclasses.replace(message, start=self.taken)
        super().take(message.encode() if message else raw)


class AcknowledgesWhatIsSent(Endpoint):
    """The damaged, too."""

    def take(self, raw):
        before = self.taken
        super().take(raw)
        if self.taken == before and len(raw) > 30:
            self.taken += 1
            self.store.append(NEXT)


class DamageNotSeen(Endpoint):
    def check(self, raw):
        head = exact_model.HEAD.unpack(raw[: exact_model.HEAD.size])
        _, session, acknowledged, start, low, high, _ = head
        return Message(session, acknowledged, start, high << 16 | low, raw[len(head) + 11 : -4])


class SessionNotLookedAt(Endpoint):
    def ours(self, message):
        return True


class BytesOneLate(Endpoint):
    """The limit moves a message before the bytes that belong to it."""

    def __init__(self, node, session):
        super().__init__(node, session)
        self.before = b""

    def take(self, raw):
        message = self.check(raw)
        super().take(self.before)
        self.before = raw
        if message and self.ours(message):
            self.limit = max(self.limit, message.promise)


class GridBeforeTheDelay(Endpoint):
    def arrival(self, first):
        wire = self.node.wire
        at = first + (wire.phase - first) % wire.nibble + wire.lookahead
        return at


class BeginsAlone(Endpoint):
    def __init__(self, node, session):
        super().__init__(node, session)
        self.limit = 20_000


MISTAKES: list[type[Endpoint]] = [
    PromiseOneTooLarge,
    PromiseOfIdleInAFrame,
    PromiseAfterItsBytes,
    SentOnce,
    PlaceNotLookedAt,
    GapNotSeen,
    AcknowledgesWhatIsSent,
    DamageNotSeen,
    SessionNotLookedAt,
    BytesOneLate,
    GridBeforeTheDelay,
    BeginsAlone,
]


def outcome(run: Callable[[], bool]) -> str:
    try:
        return "" if run() else "files differ"
    except CableError as error:
        return str(error)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.__name__)
def test_a_mistake_shows(mistake):
    """In one of a few seeds: files differ, or the run ends with an error."""
    stale = [Message(6, 0, 0, 50_000, b"\x11" + bytes(6) + b"\x02" * 20).encode()]
    found = (outcome(lambda seed=seed: runs(seed, mistake, stale=stale)) for seed in range(4))
    said = next((one for one in found if one), "")
    print(f"{mistake.__name__}: {said}")
    assert said
