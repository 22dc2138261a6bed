# SPDX-License-Identifier: BSD-2-Clause
"""The echo server against a peer that does not read: what it takes is bounded, and comes back."""

import random
import re

from firmware_support.solo_machine import KERNEL, US, Solo, ether
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from mcpi.base.repo import FIRMWARE

PORT, BUFFER, SEGMENT = 9000, 16384, 1460
MODULO = 1 << 32
HEADER = FIRMWARE / "apps" / "services" / "services.h"


class Peer:
    """A TCP connection to port 7, segment by segment; our window is what the test says."""

    def __init__(self, machine: Solo, port: int = PORT) -> None:
        self.machine, self.port = machine, port
        self.sent = 1  # relative to our SYN
        self.acked = self.window = self.received = 0
        self.data = b""
        (syn_ack,) = self.say("S", 0, options=[("MSS", SEGMENT)], sequence=0, ms=10)
        assert syn_ack.flags == "SA"
        self.theirs = (syn_ack.seq + 1) % MODULO
        self.say("A", 0)

    def say(self, flags: str, window: int, data: bytes = b"", ms: float = 300, **fields):
        """Sends one segment; what comes within so many milliseconds."""
        number = 1000 + fields.get("sequence", self.sent)
        ack = (self.theirs + self.received) % MODULO if "A" in flags else 0
        header = TCP(sport=self.port, dport=7, seq=number, ack=ack, flags=flags, window=window)
        header.options = fields.get("options", [])
        packet = IP(src=US, dst=KERNEL) / header / Raw(data)
        frames = self.machine.exchange(ether(packet), ms=ms)
        return [self.take(f) for f in frames if self.is_ours(f)]

    def is_ours(self, frame: bytes) -> bool:
        """Not ARP's, nor another connection's."""
        packet = Ether(frame)
        return TCP in packet and packet[TCP].dport == self.port

    def take(self, frame: bytes) -> TCP:
        packet = IP(frame[14:])
        segment = packet[TCP]
        self.acked, self.window = segment.ack - 1000, segment.window
        if "S" not in segment.flags:
            data = bytes(segment.payload)[: packet.len - 20 - segment.dataofs * 4]
            at = (segment.seq - self.theirs) % MODULO
            if at == self.received and data and self.open:
                self.data += data
                self.received += len(data)
        return segment

    open = 0

    def fill(self, source: bytes) -> int:
        """Sends all that it lets us; how many bytes it has taken then."""
        while room := self.acked + self.window - self.sent:
            piece = source[self.sent - 1 : self.sent - 1 + min(room, SEGMENT)]
            before = self.sent
            self.sent += len(piece)
            self.say("PA", 0, piece, sequence=before)
        return self.acked - 1

    def read(self, segments: int) -> None:
        """Opens the window for so many, one after the other, and takes what comes."""
        self.open, until = 1, len(self.data) + segments * SEGMENT
        while len(self.data) < until:
            before = len(self.data)
            self.say("A", SEGMENT)
            assert len(self.data) > before, "it does not go on"
        self.open = 0
        self.say("A", 0)


def test_what_waits_shrinks_the_window() -> None:
    """16 KB in TCP's queue, and 16 KB that wait or may still come: never more."""
    source = random.Random(1).randbytes(200_000)
    with Solo() as machine:
        peer = Peer(machine)
        read = 0
        assert peer.fill(source) >= 2 * BUFFER - SEGMENT, "and hardly less, at first"
        for _ in range(12):
            assert peer.fill(source) - read <= 2 * BUFFER
            peer.read(4)
            read += 4 * SEGMENT
        peer.read((peer.fill(source) - read) // SEGMENT)
        assert peer.data == source[: len(peer.data)]
        assert len(peer.data) >= 4 * BUFFER


PLACES = int(re.search(r"SERVICES_CONNECTIONS = (\d+)", HEADER.read_text())[1])
THREE_HOURS = 3 * 3600 * 1000  # ms; keep-alive takes 2 h and 10 min


def test_shut_windows_do_not_keep_a_place() -> None:
    """Three packets each, then silence, from as many as there is room for: after three hours a new
    client is served. Keep-alive does not take our probes for the peer's life."""
    with Solo() as machine:
        for n in range(PLACES):
            peer = Peer(machine, PORT + n)
            peer.say("PA", 0, b"x", ms=1)
        assert machine.counts("services", "apps")["accepted"] == PLACES
        machine.frames(THREE_HOURS)
        assert machine.counts("services", "apps")["ended"] == PLACES
        machine.knows_us()  # its ARP has forgotten us
        Peer(machine, PORT + PLACES).say("PA", SEGMENT, b"y")
        assert machine.counts("services", "apps") == {"accepted": PLACES + 1, "ended": PLACES}
