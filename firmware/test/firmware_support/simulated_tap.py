#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The simulated machine on a tap device; for linux_client.py the same as the program tap (tap.c).

usage: simulated_tap.py COMMAND.json DEVICE SPEED PERCENT SEED     (ends when standard input does)

The simulator is slower than the world, by 10 while the machine is idle and by some 200 while it
works; Linux sees a peer far away. It never runs ahead of the world. SPEED is not used.
"""

import fcntl
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 2, 0x1000
TICKS_PER_SECOND = 175_000_000
SLICE = 60_000  # ticks: a third of a millisecond
BOOT = 20_000_000


class Lane:
    """A direction: frames are lost, repeated, overtaken by the next."""

    def __init__(self, arrive, percent: int, source: random.Random) -> None:
        self.arrive, self.percent, self.random = arrive, percent, source
        self.held: bytes | None = None
        self.lost = 0

    def chance(self) -> bool:
        return self.random.randrange(100) < self.percent

    def carry(self, frame: bytes) -> None:
        if self.chance():
            self.lost += 1
            return
        if self.held is None and self.chance():
            self.held = frame
            return
        for one in [
            frame,
            *([frame] if self.chance() else []),
            *([self.held] if self.held else []),
        ]:
            self.arrive(one)
        self.held = None


class Simulated:
    def __init__(self, words: list[str]) -> None:
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
        self.now, self.exit_code = 0, -1

    def deliver(self, frame: bytes) -> None:
        self.child.stdin.write(f"d {frame.ljust(60, bytes(1)).hex()}\n")

    def run(self, until: int) -> list[bytes]:
        """Until then, or until it has sent something."""
        self.child.stdin.write(f"r {until}\n")
        self.child.stdin.flush()
        sent = []
        while (words := self.child.stdout.readline().split())[:1] == ["f"]:
            sent.append(bytes.fromhex(words[2]))
        self.now, self.exit_code = int(words[1]), int(words[2])
        return sent


def open_tap(name: str) -> int:
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def main() -> None:
    file, device, _, percent, seed = sys.argv[1:]
    tap = open_tap(device)
    with open(file) as stream:
        machine = Simulated(json.load(stream))
    source = random.Random(int(seed))

    def to_tap(frame: bytes) -> None:
        try:
            os.write(tap, frame)
        except OSError:
            out.lost += 1  # the device is down

    into = Lane(machine.deliver, int(percent), source)
    out = Lane(to_tap, int(percent), source)
    while machine.now < BOOT:
        machine.run(BOOT)
    print("ready", flush=True)
    began = time.monotonic() - machine.now / TICKS_PER_SECOND
    while machine.exit_code == -1:
        ahead = machine.now / TICKS_PER_SECOND - (time.monotonic() - began)
        ready, _, _ = select.select([tap, sys.stdin], [], [], max(0.0, ahead))
        if sys.stdin in ready and not os.read(0, 64):
            break
        if tap in ready:
            into.carry(os.read(tap, 2000))
            continue  # whatever else is there already
        for frame in machine.run(machine.now + SLICE):
            out.carry(frame)
    machine.child.stdin.close()
    status = machine.child.wait()
    ms = machine.now / TICKS_PER_SECOND * 1000
    print(f"lost {into.lost + out.lost}; {ms:.0f} ms of the machine's time", flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
