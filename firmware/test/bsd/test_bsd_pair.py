# SPDX-License-Identifier: BSD-2-Clause
"""Ping-pong of the production stack with itself and with the x-kernel's TCP, both ways, over a wire
with losses; and the frames of both stacks, one by one.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
from firmware_support.host_build import bsd_machines, machines, program, run

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.results import pcap

SIDES = ["bsd", "xkernel"]
PAIRS = [("bsd", "bsd"), ("bsd", "xkernel"), ("xkernel", "bsd")]  # test_host.py has the fourth
FIN, SYN, PSH, ACK = 1, 2, 8, 16
# Offsets in a frame: IP's checksum; TCP's window and checksum.
OPEN_TO_CHANGE = ((24, 26), (48, 52))


@dataclass(frozen=True)
class Frame:
    ticks: int
    sender: int
    raw: bytes
    lost: bool

    @property
    def flags(self) -> int:
        return self.raw[47]

    @property
    def text(self) -> bytes:
        total = struct.unpack_from(">H", self.raw, 16)[0]
        return self.raw[34 + (self.raw[46] >> 4) * 4 : 14 + total]

    @property
    def is_ack_alone(self) -> bool:
        return not self.text and not self.flags & (SYN | FIN)


def machine(stack: str, number: int):
    return (bsd_machines() if stack == "bsd" else machines("tcp"))[number]


def pingpong(client: str, server: str, trips: int, seed: int, lose: int = 0) -> list[Frame]:
    """The frames of ``trips`` round trips; both machines must end well."""
    words = [machine(client, 0), machine(server, 1), 1, trips, seed, lose]
    lines = run([program("pingpong"), *words]).stdout.splitlines()
    for line in lines[-2:]:
        assert f" {trips + 2} exchanges, connection closed" in line, line
    rows = [line.split() for line in lines if line[0].isdigit()]
    return [Frame(int(t), int(n), bytes.fromhex(raw), bool(rest)) for t, n, raw, *rest in rows]


def masked(frame: Frame) -> tuple[int, bytes]:
    """Sender and bytes, without what may differ: the window, and what follows from it and from the
    number of frames before."""
    raw = bytearray(frame.raw)
    raw[18:20] = bytes(2)
    for first, end in OPEN_TO_CHANGE:
        raw[first:end] = bytes(end - first)
    return frame.sender, bytes(raw)


def test_the_frames_are_the_x_kernels() -> None:
    """But for windows, identifiers and when an ACK goes: each byte of each frame is the same."""
    both = [pingpong(stack, stack, 100, seed=7) for stack in SIDES]
    ours, theirs = ([masked(f) for f in found if not f.is_ack_alone] for found in both)
    assert ours == theirs and len(ours) == 2 + 2 * 102 + 2
    # The handshake's ACK, and one for the last FIN; here another for the first one.
    assert [sum(f.is_ack_alone for f in found) for found in both] == [3, 2]
    assert [f.raw[48:50] for f in both[0]][3:-4] == [f.raw[48:50] for f in both[1]][3:-3]


def wired(stack: str, place: Path) -> list[Frame]:
    """The frames of a run of the measured images."""
    words = ["./mcpi", "run", "--stack", stack, "--round-trips", "8", "--out", str(place)]
    done = heard(words, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-4000:]
    found = [(time, frame[:-4]) for time, frame in pcap.stamped(place / "wire.pcap")]
    return [Frame(time, raw[11], raw, False) for time, raw in found]


def test_images_send_the_x_kernels_frames(tmp_path: Path) -> None:
    """The same of a run's wire.pcap."""
    both = [wired(stack, tmp_path / stack) for stack in ("bsd", "tcp")]
    ours, theirs = ([masked(f) for f in found if not f.is_ack_alone] for found in both)
    assert ours == theirs and len(ours) > 2 + 2 * 8 + 2
    alone = [sum(f.is_ack_alone for f in found) for found in both]
    print(f"{len(ours)} frames alike; ACKs alone: {alone[0]}, the x-kernel {alone[1]}")


def test_it_is_deterministic() -> None:
    assert pingpong("bsd", "bsd", 20, 1) == pingpong("bsd", "bsd", 20, 1)
    assert pingpong("bsd", "bsd", 20, 1) != pingpong("bsd", "bsd", 20, 2)


@pytest.mark.parametrize("lose", [0, 5, 10])
@pytest.mark.parametrize(("client", "server"), PAIRS)
def test_they_understand_each_other(client: str, server: str, lose: int) -> None:
    frames = pingpong(client, server, 100, seed=3, lose=lose)
    assert any(f.lost for f in frames) == bool(lose)
    print(f"{len(frames)} frames, {sum(f.lost for f in frames)} lost")
