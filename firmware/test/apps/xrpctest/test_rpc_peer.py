# SPDX-License-Identifier: BSD-2-Clause
"""The RPC stack against the one in Python (rpc_model.py), both ways, over a wire with losses."""

import heapq
import random
import subprocess
from functools import cache
from pathlib import Path

import pytest
from firmware_support.host_build import HOST, OUT, PROGRAMS, graph_table, libraries, program
from firmware_support.rpc_model import MS, Peer
from firmware_support.serving_machine import command

from mcpi.firmware import images
from mcpi.machine import profile

DELAY = MS // 10
LIMIT = 3600 * 1000 * MS


@cache
def echo_machine() -> Path:
    folder = OUT / "echo"
    table = graph_table(folder, HOST / "rpc.graph")
    return libraries(folder, [PROGRAMS / "echo_user.c"], table)[0]


class Wire:
    """Between the machine (solo.c, or what speaks like it) and the peer: frames are lost, repeated,
    overtaken."""

    def __init__(self, role: int, calls: int, seed: int, percent: int, simulated=False) -> None:
        words = [program("solo"), echo_machine(), str(role), "1", str(calls), str(seed)]
        if simulated:
            plan = images.plan(profile.load("dec3000-600"), "std", "rpc")
            words = command(
                images.build(plan), "rpc", role=role, round_trips=calls, warmup=0, seed=seed
            )
        pipe = subprocess.PIPE
        self.solo = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.random, self.percent = random.Random(seed), percent
        self.flying: list[tuple[int, int, bytes, bool]] = []  # due, number, frame, to the kernel
        self.now = self.number = self.lost = 0
        self.exit_code = -1
        self.peer = Peer(lambda frame: self.put(frame, True), 0x70790000 + seed)

    def chance(self) -> bool:
        return self.random.randrange(100) < self.percent

    def put(self, frame: bytes, to_kernel: bool) -> None:
        for copy in range(1 + self.chance()):
            if not copy and self.chance():
                self.lost += 1
                continue
            late = self.random.randrange(30 * MS) if copy or self.chance() else 0
            self.number += 1
            due = max(self.now, self.peer.now) + DELAY + late
            heapq.heappush(self.flying, (due, self.number, frame, to_kernel))

    def step(self) -> None:
        """To the next thing that happens."""
        due = [self.flying[0][0]] if self.flying else []
        due += [t] if (t := self.peer.next_timer()) is not None else []
        until = max(self.now, min(due, default=self.now + 1000 * MS))
        self.solo.stdin.write(f"r {until}\n")
        self.solo.stdin.flush()
        for line in self.solo.stdout:
            kind, time, value, *_ = line.split()
            self.now = int(time)
            if kind == "t":
                self.exit_code = int(value)
                break
            self.put(bytes.fromhex(value), False)
        else:
            raise AssertionError(self.solo.stderr.read())
        self.peer.advance(self.now)
        while self.flying and self.flying[0][0] <= self.now:
            _, _, frame, to_kernel = heapq.heappop(self.flying)
            if to_kernel:
                self.solo.stdin.write(f"d {frame.hex()}\n")
            else:
                self.peer.frame(frame)

    def end(self) -> None:
        self.solo.stdin.close()
        assert self.solo.wait() == 0, self.solo.stderr.read()


@pytest.mark.parametrize(("percent", "seed"), [(0, 1), (5, 2), (15, 3)])
def test_kernel_calls(percent: int, seed: int) -> None:
    """Sizes from 0 to the largest, 64 fragments; each is executed once."""
    calls = 60
    wire = Wire(0, calls, seed, percent)
    while wire.exit_code < 0 and wire.now < LIMIT:
        wire.step()
    wire.end()
    assert wire.exit_code == 0, f"seed {seed}: the kernel's client failed at {wire.now / MS} ms"
    assert wire.peer.executed == calls
    assert (wire.lost > 0) == (percent > 0)


@pytest.mark.parametrize(("percent", "seed"), [(0, 1), (5, 2), (15, 3)])
def test_kernel_serves(percent: int, seed: int) -> None:
    sizes = [0, 1, 3, 1419, 1420, 1421, 2877, 10_000, 64 * 1456 - 36, 5, 60_001]
    wire = Wire(1, 0, seed, percent)
    wire.peer.ask()
    for number, size in enumerate(sizes):
        data = bytes((i * 13 + number) & 0xFF for i in range(size))
        wire.peer.call(data)
        while wire.peer.waiting and wire.now < LIMIT:
            wire.step()
        assert not wire.peer.waiting, f"seed {seed}: {size} bytes were never answered"
        assert wire.peer.reply == data
    wire.end()


@pytest.mark.parametrize(("percent", "seed"), [(0, 1), (5, 24)])
def test_simulated_kernel_calls(percent: int, seed: int) -> None:
    """The measured image, STD, on the Verilog: every call without data is executed once. With this
    seed one frame is lost (each costs 5 s of the machine's time), two come twice, two late."""
    calls = 12
    wire = Wire(0, calls, seed, percent, simulated=True)
    while wire.exit_code < 0 and wire.now < LIMIT:
        wire.step()
    wire.end()
    assert wire.exit_code == 0, f"seed {seed}: the kernel's client failed at {wire.now / MS} ms"
    assert wire.peer.executed == calls + 1  # one more, to cool down
    assert (wire.lost > 0) == (percent > 0)


def test_simulated_kernel_serves() -> None:
    wire = Wire(1, 10, 1, 0, simulated=True)  # it ends after one more
    wire.peer.ask()
    for _ in range(10):
        wire.peer.call(b"")
        while wire.peer.waiting and wire.now < LIMIT:
            wire.step()
        assert not wire.peer.waiting and wire.peer.reply == b""
    wire.end()
