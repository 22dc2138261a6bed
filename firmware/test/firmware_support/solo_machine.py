# SPDX-License-Identifier: BSD-2-Clause
"""A machine as 10.0.0.1 (solo.c), for tests that play 10.0.0.2 with frames made by scapy."""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

from firmware_support.host_build import FIRMWARE, program, services_machine
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet

US, KERNEL = "10.0.0.2", "10.0.0.1"
MACS = {US: "08:00:2b:00:00:02", KERNEL: "08:00:2b:00:00:01"}
EVERYBODY = "ff:ff:ff:ff:ff:ff"
TICKS_PER_MS = 175_000


@cache
def counter_names(header: str) -> list[str]:
    """The fields of the one ``struct ..._counts`` in a header of the firmware."""
    text = re.sub(r"/\*.*?\*/", "", (FIRMWARE / header).read_text(), flags=re.S)
    body = re.search(r"struct \w+_counts \{(.*?)\}", text, re.S).group(1)
    return [n for line in body.split(";") for n in re.findall(r"\w+", line) if n != "uint64_t"]


class Solo:
    """A machine, else the one with services; time passes only in ``frames``. ``known``: ARP has
    found us."""

    def __init__(
        self,
        known: bool = True,
        machine: Path | None = None,
        role: int = 1,
        round_trips: int = 0,
        stack: int = 0,
    ) -> None:
        words = [program("solo"), machine or services_machine(), role, stack, round_trips, 1]
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(
            [str(w) for w in words],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        )
        self.now = 0
        self.exit_code = -1
        self.early: list[bytes] = []  # what it sent while more was still arriving
        self.announced = self.frames(0)
        if known:
            self.knows_us()

    def __enter__(self) -> "Solo":
        return self

    def __exit__(self, kind, *_) -> None:
        self.child.stdin.close()
        status = self.child.wait()
        said = self.child.stderr.read()
        if kind is None:
            assert status == 0, said
            assert self.exit_code == -1, "the machine has stopped"
        elif said:
            print(said[-3000:])

    def say(self, line: str) -> None:
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def answer(self) -> list[str]:
        line = self.child.stdout.readline()
        assert line, f"the machine died:\n{self.child.stderr.read()[-6000:]}"
        return line.split()

    def send(self, *frames: Packet | bytes) -> None:
        """Arrive now, short ones padded; after every 16 (there are 32 shepherds) 10 us pass."""
        for number, frame in enumerate(frames, 1):
            self.say(f"d {bytes(frame).ljust(60, bytes(1)).hex()}")
            if number % 16 == 0:
                self.early = self.frames(0.01)

    def frames(self, ms: float) -> list[bytes]:
        """Frames that the machine sends in the next ``ms`` milliseconds."""
        until = self.now + int(ms * TICKS_PER_MS)
        sent, self.early = self.early, []
        while True:
            self.say(f"r {until}")
            before = len(sent)
            while (words := self.answer())[0] == "f":
                sent.append(bytes.fromhex(words[2]))
            self.now, self.exit_code = int(words[1]), int(words[2])
            if (self.now >= until and len(sent) == before) or self.exit_code != -1:
                return sent

    def exchange(self, *frames: Packet | bytes, ms: float = 100) -> list[bytes]:
        self.send(*frames)
        return self.frames(ms)

    def counts(self, protocol: str, room: str = "protocols") -> dict[str, int]:
        """``<protocol>_counts`` by name; what is zero is left out."""
        names = counter_names(f"{room}/{protocol}/{protocol}.h")
        values = self.variable(f"{protocol}_counts", len(names))
        return {n: v for n, v in zip(names, values, strict=True) if v}

    def blocks(self) -> int:
        self.say("b")
        return int(self.answer()[1])

    def console(self) -> str:
        self.say("o")
        words = self.answer()
        return bytes.fromhex(words[1]).decode() if len(words) > 1 else ""

    def variable(self, name: str, quadwords: int) -> list[int]:
        self.say(f"c {name} {quadwords}")
        return [int(w) for w in self.answer()[1:]]

    def fail_allocations(self, skip: int, count: int) -> None:
        self.say(f"a {skip} {count}")

    def knows_us(self) -> None:
        """It is asked for its station address, and remembers who asked."""
        self.exchange(arp("who-has", US, KERNEL))


def ether(payload: Packet, to: str = MACS[KERNEL], source: str = MACS[US]) -> Packet:
    return Ether(src=source, dst=to) / payload


def arp(
    op: str | int, sender: str, target: str, mac: str = MACS[US], to: str = EVERYBODY
) -> Packet:
    return ether(ARP(op=op, hwsrc=mac, psrc=sender, pdst=target, hwdst=EVERYBODY), to, mac)
