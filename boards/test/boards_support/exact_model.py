# SPDX-License-Identifier: BSD-2-Clause
"""Executable model of exact time over a cable; docs/explanation/exact-time.md is its page.

``Endpoint`` is a board with its gateway. ``direct`` runs the same two nodes without a cable, in one
time, and is what every run over a cable must equal. Written from the page, not from the RTL.
"""

import heapq
import random
import struct
import zlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

KIND, HEAD = 0xE1, struct.Struct("<BHIIHIB")  # promise: low 16 bits, high 32
WINDOW, STORE = 240, 512  # bytes not yet acknowledged, bytes that wait for their tick
NEXT, FIRST, END = 0x00, 0x10, 0x20
PATIENCE = 30_000  # clocks without a tick


class CableError(Exception):
    """A run ends with it; its text is the error's name."""


@dataclass(frozen=True)
class Message:
    session: int
    acknowledged: int  # bytes of the other's stream that are here
    start: int  # place of the first byte in the sender's stream
    promise: int  # nothing arrives before this tick but what ends in `data`
    data: bytes

    def encode(self) -> bytes:
        promise = self.promise & 0xFFFF, self.promise >> 16
        head = (KIND, self.session, self.acknowledged, self.start, *promise, len(self.data))
        body = HEAD.pack(*head) + self.data
        return body + struct.pack("<I", zlib.crc32(body))


def decode(raw: bytes) -> Message | None:
    """The message, or None if it was damaged."""
    if len(raw) < HEAD.size + 4 or zlib.crc32(raw[:-4]) != struct.unpack("<I", raw[-4:])[0]:
        return None
    kind, session, acknowledged, start, low, high, count = HEAD.unpack(raw[: HEAD.size])
    data = raw[HEAD.size : -4]
    if kind != KIND or len(data) != count:
        return None
    return Message(session, acknowledged, start, high << 16 | low, data)


def frames(messages: Sequence[bytes]) -> list[tuple[int, bytes]]:
    """Frames in a sender's messages, each with the tick in which its first nibble arrives."""
    stream = bytearray()
    for raw in messages:
        message = decode(raw)
        assert message and message.start <= len(stream)
        stream += message.data[len(stream) - message.start :]
    found, at, nibbles = [], 0, []
    while stream:
        kind, value = stream[0] & 0xF0, stream[0] & 15
        if kind == FIRST:
            at, nibbles = int.from_bytes(stream[1:7], "little"), []
        if kind == END:
            body = nibbles[nibbles.index(13) + 1 :]
            found.append((at, bytes(a | b << 4 for a, b in zip(body[::2], body[1::2]))))
        nibbles.append(value)
        del stream[: 7 if kind == FIRST else 1]
    return found


@dataclass(frozen=True)
class Wire:
    """Times of the modelled wire in ticks, as sim/link/wire.h has them."""

    nibble: int = 70
    delay: int = 9
    phase: int = 0

    @property
    def lookahead(self) -> int:
        return self.nibble + self.delay

    def arrival(self, first: int) -> int:
        """Tick in which a frame's first nibble arrives that is sent in tick `first`."""
        at = first + self.lookahead
        return at + (self.phase - at) % self.nibble


@dataclass
class Node:
    """A machine with a controller: frames of its own, and an answer to each frame, `quick` ticks
    after its end at the earliest. What it sends follows from what arrived and when, to the tick.

    `steps`: lower bounds of the time to the first bit, of a controller's states, longest first; the
    last state knows the time. `own`: share of idle ticks in which it decides by itself to send.
    Half of its frames arrive as early as a promise allows.
    """

    source: random.Random
    wire: Wire
    steps: Sequence[int] = (2278, 1840, 964, 176)
    own: float = 1e-4
    lengths: int = 150  # of its frames, from 18 nibbles on
    log: list[tuple[int, int]] = field(default_factory=list)  # arrivals: tick; nibble, or -1: end
    sent: list[tuple[int, int]] = field(default_factory=list)  # likewise of its own strobes
    now: int = 0
    asked: bool = False  # a frame came that has no answer yet
    _frame: deque = field(default_factory=deque)
    _next: int = 0  # tick of the next strobe
    _due: int | None = None  # first tick of a frame that is decided
    _digest: int = 0

    def soonest(self) -> int:
        """Ticks from this one on without a first bit; zero within a frame."""
        if self._frame:
            return 0
        to_go = self.steps[0] if self._due is None else self._due - self.now
        return next((step for step in self.steps if step <= to_go), to_go)

    def tick(self, arrives: int | None) -> int | None:
        """Pass a tick; the nibble of its strobe, -1 at a frame's end, or None."""
        if arrives is not None:
            self.log.append((self.now, arrives))
            self._digest = zlib.crc32(struct.pack("<qb", self.now, arrives), self._digest)
        self.asked |= arrives == -1
        if (
            self._due is None
            and not self._frame
            and (self.asked or self.source.random() < self.own)
        ):
            pause = self._digest % 3 * 140 if self.asked else self.source.randrange(3) * 150
            gap = self._next + 24 * self.wire.nibble if self.sent else 0
            self._due = max(self.now + self.steps[0] + pause, gap)
            if self.source.random() < 0.5:
                self._due = self.wire.arrival(self._due) - self.wire.lookahead
            self.asked = False
        strobe = None
        if self._due == self.now:
            length = 18 + self._digest % self.lengths
            self._frame.extend((5 * n + self._digest) % 16 for n in range(length))
            self._frame.append(-1)
            self._next, self._due = self.now, None
        if self._frame and self._next == self.now:
            strobe = self._frame.popleft()
            self._next += self.wire.nibble
            self.sent.append((self.now, strobe))
        self.now += 1
        return strobe


class Endpoint:
    """A node behind its gateway. Mistakes override one method each (test_exact_model.py)."""

    def __init__(self, node: Node, session: int) -> None:
        self.node, self.session = node, session
        self.stream, self.acknowledged = bytearray(), 0  # all that was sent; taken by the other
        self.store, self.taken, self.read = bytearray(), 0, 0  # of the other's stream
        self.limit = 0  # ticks below may pass
        self.in_frame = False
        self.next_arrival = 0  # of the strobe after the last one sent, at the other
        self.expected: int | None = None  # arrival of the next nibble of the frame that comes in
        self.waited = self.heard = 0
        self.waits = 0  # clocks in all without a tick

    # ---- out
    def arrival(self, first: int) -> int:
        return self.node.wire.arrival(first)

    def push(self, strobe: int) -> None:
        """Append a strobe of the tick before this one to the stream."""
        wire = self.node.wire
        if strobe < 0:
            self.stream.append(END)
            self.in_frame = False
        elif self.in_frame:
            self.stream.append(NEXT | strobe)
            self.next_arrival += wire.nibble
        else:
            at = self.arrival(self.node.now - 1)
            self.stream += bytes([FIRST | strobe]) + at.to_bytes(6, "little")
            self.in_frame, self.next_arrival = True, at + wire.nibble

    def promise(self) -> int:
        if self.in_frame:
            return self.next_arrival
        return self.node.now + self.node.soonest() + self.node.wire.lookahead

    def message(self) -> Message:
        """Everything that the other has not acknowledged, every time."""
        data = bytes(self.stream[self.acknowledged : self.acknowledged + 255])
        return Message(self.session, self.taken, self.acknowledged, self.promise(), data)

    def full(self) -> bool:
        return len(self.stream) - self.acknowledged > WINDOW

    # ---- in
    def ours(self, message: Message) -> bool:
        return message.session == self.session

    def check(self, raw: bytes) -> Message | None:
        return decode(raw)

    def fresh(self, message: Message) -> bytes:
        """Bytes that are not here yet."""
        return message.data[self.taken - message.start :]

    def room(self, count: int) -> bool:
        return len(self.store) + count - self.read <= STORE

    def take(self, raw: bytes) -> None:
        """Take a message whole, or not at all."""
        message = self.check(raw)
        if message is None or not self.ours(message):
            return
        self.heard += 1
        self.acknowledged = max(self.acknowledged, message.acknowledged)
        fresh = self.fresh(message)
        if message.start > self.taken or not self.room(len(fresh)):
            return
        self.store += fresh
        self.taken += len(fresh)
        self.limit = max(self.limit, message.promise)

    def arriving(self) -> int | None:
        """Return the strobe that the node gets in this tick: a nibble, -1 for the end, or None."""
        kind = self.store[self.read] & 0xF0 if self.read < len(self.store) else None
        if kind == FIRST and self.expected is None:
            at = int.from_bytes(self.store[self.read + 1 : self.read + 7], "little")
        else:
            at = self.expected
        if kind is None or at is None or at > self.node.now:
            if self.expected == self.node.now:
                raise CableError("promise broken: a nibble is missing in its tick")
            return None
        if at < self.node.now:
            raise CableError("promise broken: a frame came after its tick")
        value = self.store[self.read] & 15
        self.read += 7 if kind == FIRST else 1
        self.expected = None if kind == END else at + self.node.wire.nibble
        return -1 if kind == END else value

    # ---- a clock
    def clock(self) -> None:
        if self.node.now >= self.limit or self.full():
            self.waits += 1
            self.waited += 1
            if self.waited > PATIENCE:
                raise CableError("cable stalled" if self.heard else "cable silent")
            return
        self.waited = self.heard = 0
        strobe = self.node.tick(self.arriving())
        if strobe is not None:
            self.push(strobe)


@dataclass(frozen=True)
class Cable:
    """Latency in clocks, at random up to `latency`; shares of messages lost, repeated, damaged."""

    latency: int = 900
    lose: float = 0.01
    repeat: float = 0.01
    damage: float = 0.01
    ppm: float = 100
    dead_after: float = float("inf")


def over(
    pair: Sequence[Endpoint], ticks: int, cable: Cable, seed: int, stale: Sequence[bytes] = ()
) -> int:
    """Run both to `ticks` over a cable; returns the clocks that it took. `stale`: messages of an
    earlier run that the cable still holds for each."""
    source, order = random.Random(seed), iter(range(10**12))
    events: list[tuple[float, int, str, int, bytes]] = []

    def add(at: float, what: str, side: int, raw: bytes = b"") -> None:
        heapq.heappush(events, (at, next(order), what, side, raw))

    periods = [1 + source.uniform(-1e-6, 1e-6) * cable.ppm for _ in pair]
    for side in (0, 1):
        add(source.random() * 500, "clock", side)
        add(source.random() * 500, "send", side)
        for raw in stale:
            add(source.random() * cable.latency, "come", side, raw)
    while any(one.node.now < ticks for one in pair):
        at, _, what, side, raw = heapq.heappop(events)
        if what == "clock":
            if pair[side].node.now < ticks:
                pair[side].clock()
            add(at + periods[side], "clock", side)
        elif what == "come":
            pair[side].take(raw)
        else:
            raw = pair[side].message().encode()
            sent = at + 8 * (8 + len(raw) + 12)  # clocks: preamble and gap too, at 100 Mb/s
            add(sent, "send", side)
            if source.random() < cable.lose or at > cable.dead_after:
                continue
            for _ in range(1 + (source.random() < cable.repeat)):
                here = bytearray(raw)
                if source.random() < cable.damage:
                    here[source.randrange(len(here))] ^= 1 << source.randrange(8)
                add(sent + source.random() * cable.latency, "come", 1 - side, bytes(here))
    return round(at)


def direct(pair: Sequence[Node], ticks: int) -> None:
    """Run both in one time, each the other's wire."""
    due: list[dict[int, int]] = [{}, {}]
    base: list[int | None] = [None, None]
    for now in range(ticks):
        for side, node in enumerate(pair):
            strobe = node.tick(due[side].pop(now, None))
            if strobe is None:
                continue
            at = base[side]
            at = node.wire.arrival(now) if at is None else at + node.wire.nibble
            base[side] = None if strobe < 0 else at
            due[1 - side][at] = strobe
