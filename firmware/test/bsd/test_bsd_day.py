# SPDX-License-Identifier: BSD-2-Clause
"""A day of traffic on the production stack, over a wire with losses: when all is over its pools are
as before.

Clients of echo talk, vanish, open by half, reset, shut their window for a while, send rubbish. Each
mbuf is a block of the heap, so that the count of blocks is that of all pools.
"""

import random

import pytest
from firmware_support.host_build import bsd_machines
from firmware_support.solo_machine import KERNEL, US, Solo, ether
from scapy.layers.inet import IP, TCP
from scapy.packet import Raw

MINUTE = 60_000  # ms
QUIET = 3 * 60 * MINUTE  # keep-alive takes 2 h and 10 min
AN_HOUR = 24  # conversations
LOST, TRIES, MODULO = 0.05, 40, 1 << 32
KINDS = (
    "talks",
    "talks long",
    "vanishes",
    "opens by half",
    "resets",
    "shuts its window",
    "rubbish",
)


class Client:
    """A connection to port 7 from one of ours. What gets lost is sent again, by both."""

    def __init__(self, machine: Solo, rng: random.Random, port: int) -> None:
        self.machine, self.rng, self.port = machine, rng, port
        self.first = self.next = rng.randrange(MODULO)
        self.theirs = self.acked = 0  # what we expect, what it has acknowledged
        self.window, self.ended, self.heard = 8192, False, 0

    def say(self, flags: str, data: bytes = b"", back: int = 0, ms: float = 50) -> None:
        """A segment that begins ``back`` before ``next``; then time passes."""
        sequence = (self.next - back) % MODULO
        header = TCP(sport=self.port, dport=7, seq=sequence, flags=flags, window=self.window)
        header.ack = self.theirs if "A" in flags else 0
        if self.rng.random() >= LOST:
            self.machine.send(ether(IP(src=US, dst=KERNEL) / header / Raw(data)))
        for frame in self.machine.frames(ms):
            if self.rng.random() >= LOST:
                self.hear(frame)

    def hear(self, frame: bytes) -> None:
        packet = IP(frame[14:])
        segment = packet[TCP]
        if segment.dport != self.port:
            return
        self.heard += 1
        self.acked = segment.ack
        if "S" in segment.flags:
            self.theirs = (segment.seq + 1) % MODULO
            return
        bytes_ = packet.len - 20 - segment.dataofs * 4
        if segment.seq == self.theirs and bytes_ <= self.window:
            self.ended |= "F" in segment.flags
            self.theirs = (self.theirs + bytes_ + ("F" in segment.flags)) % MODULO

    def until(self, done, flags: str, data: bytes = b"", counts: int = 0) -> None:
        """Says it again until it has had its effect."""
        self.next = (self.next + counts) % MODULO
        for _ in range(TRIES):
            self.say(flags, data, back=counts)
            if done():
                return
            self.machine.frames(self.rng.choice([0, 300, 2000]))
        raise AssertionError(f"{flags} of {len(data)} bytes has no effect")

    def is_acked(self) -> bool:
        return self.acked == self.next

    def connect(self) -> None:
        self.until(self.is_acked, "S", counts=1)
        self.say("A")

    def talk(self, bytes_: int) -> None:
        """Sends it, and takes its echo."""
        goal = (self.theirs + bytes_) % MODULO
        self.until(self.is_acked, "PA", self.rng.randbytes(bytes_), counts=bytes_)
        self.until(lambda: self.theirs == goal, "A")

    def close(self) -> None:
        self.until(lambda: self.ended and self.is_acked(), "FA", counts=1)
        self.say("A")


def converse(machine: Solo, rng: random.Random, port: int, kind: str) -> None:
    c = Client(machine, rng, port)
    if kind == "rubbish":
        frame = bytearray(bytes(ether(IP(src=US, dst=KERNEL) / TCP(dport=7) / Raw(bytes(30)))))
        for _ in range(rng.randrange(1, 8)):
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        machine.exchange(bytes(frame), ms=50)
        return
    if kind == "opens by half":
        c.say("S")
        return
    c.connect()
    for _ in range(20 if kind == "talks long" else rng.randrange(1, 6)):
        c.talk(rng.choice([1, 50, 100, 500, 536]))
    if kind == "resets":
        c.say("R")
    elif kind == "shuts its window":
        c.window = 0
        c.until(c.is_acked, "PA", bytes(400), counts=400)
        machine.frames(10 * MINUTE)
        c.window, goal = 8192, (c.theirs + 400) % MODULO
        c.until(lambda: c.theirs == goal, "A")
    elif kind == "vanishes":
        c.say("PA", bytes(300))
        return
    if kind != "resets":
        c.close()


def hours(machine: Solo, rng: random.Random, count: int, port: int) -> int:
    """So many hours of conversations of all kinds; the next port."""
    end = machine.now + count * 60 * MINUTE * 175_000
    while machine.now < end:
        converse(machine, rng, port, KINDS[port % len(KINDS)])
        machine.frames(rng.uniform(0, 2 * 60 * MINUTE / AN_HOUR))
        port += 1
    machine.frames(QUIET)
    return port


@pytest.mark.parametrize("day", [2, pytest.param(24, marks=pytest.mark.long)])
def test_pools_are_whole_after_hours_of_traffic(day: int) -> None:
    rng = random.Random(53)
    with Solo(known=False, machine=bsd_machines("services")[0]) as machine:
        port = hours(machine, rng, 1, 5000)
        before = machine.blocks()
        last = hours(machine, rng, day, port)
        assert machine.blocks() == before
        assert machine.variable("mbuf_lists", 4)[2:] == [0, 0]  # mbufs, clusters in use
        served = machine.counts("services", "apps")
        assert served["accepted"] == served["ended"] > (last - 5000) / 2
        days = machine.now / 175_000 / MINUTE / 60 / 24
        print(f"{days:.2f} days, {last - 5000} conversations, {before} blocks before and after")
