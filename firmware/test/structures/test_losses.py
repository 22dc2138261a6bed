# SPDX-License-Identifier: BSD-2-Clause
"""Losses on the simulated machine of TR 93-04, in address spaces: fragments that never come, until
they are put out or time out, and a socket that is full. Each is counted. More buffers are lost in
them than there are, and then whole messages arrive as before: so none leaks. Frames that come
faster than the driver takes them fill the controller's ring."""

import itertools
from collections.abc import Callable

import pytest
from firmware_support import simulated
from firmware_support.changed_plan import changed
from firmware_support.faults import Fault
from firmware_support.host_build import FIRMWARE, OUT, write
from firmware_support.structure_images import SWITCHES

from mcpi.firmware import images, structures
from mcpi.machine import profile
from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.plan import FIRST_TICK

CLUSTERS = 512  # structures/bsdnet/buffers.h
LOST = 4  # the frame of a message that is not sent
LIFE_MS = 60_000  # of a datagram that is not whole, at most
LAST = 5  # messages that must arrive at the end
BURST = 3000  # frames
SHORT = CLUSTERS // (frames.FRAMES - 1) + 4  # messages that together want more clusters than that


class Wire:
    """A script of messages, one after the other."""

    def __init__(self, **settings: str) -> None:
        self.machine = profile.load("hp720", {k.replace("__", "."): v for k, v in settings.items()})
        self.per_ms = self.machine.parameters["clock.ticks_per_us"] * 1000
        self.at, self.ident, self.lines = FIRST_TICK, 0, []

    def message(self, *lost: int, data: bytes = bytes(frames.DATA)) -> None:
        self.ident += 1
        for n, frame in enumerate(frames.frames(data, self.ident, False)):
            if n not in lost:
                self.lines.append(f"inject {self.at} {frame.hex()}")
        self.at += frames.message_ticks(self.machine)

    def frame(self, frame: bytes) -> None:
        """Right behind the one before."""
        self.lines.append(f"inject {self.at} {frame.hex()}")

    def pause(self, ms: int) -> None:
        self.at += ms * self.per_ms


def received(
    structure: str, wire: Wire, *switches: str, fault: Fault | None = None
) -> tuple[int, dict[str, int]]:
    """Messages, and what the console counts."""
    wire.pause(100)
    wire.message(data=b"")  # the last one
    folder = OUT / "losses" / "-".join((structure, str(len(wire.lines)), *switches))
    messages = folder / "messages"
    write(messages, "\n".join(wire.lines) + "\n")
    own = ("EMPTY_ENDS=1", "UDP_CHECKSUM=0", "READER_SUMS=0", "XK_LONGWORDS=1")
    defines = (*own, *switches, *SWITCHES.get(structure, ()))
    plan = images.plan(wire.machine, "std", f"udprecv-{structure}", defines)
    made = images.build(changed(plan, fault) if fault else plan)
    options = ["--max-ticks", wire.at + 50_000_000, "--hang-ticks", LIFE_MS * 2 * wire.per_ms]
    options += ["--wire", f"1:script={messages}"]
    options += ["--node", "0:boot.role=0", "--node", "0:boot.round_trips=0"]
    simulated.run(wire.machine, (made, simulated.silent(wire.machine)), folder, *options)
    first, *counts = (folder / "console.0.txt").read_text().splitlines()
    found = {name: int(n) for name, _, n in (line.rpartition(" ") for line in counts)}
    return int(first.split()[1]), found


def never_come(structure: str, **more) -> None:
    """The oldest datagrams are put out by new ones."""
    wire = Wire()
    for _ in range(SHORT):
        wire.message(LOST)
    for _ in range(LAST):
        wire.message()
    messages, counts = received(structure, wire, **more)
    assert messages == LAST
    assert counts["ip: fragments"] == SHORT * (frames.FRAMES - 1) + LAST * frames.FRAMES


def come_too_late(structure: str) -> None:
    wire = Wire()
    for _ in range(3):
        wire.message(LOST)
    wire.pause(LIFE_MS + 1000)
    for _ in range(LAST):
        wire.message()
    messages, counts = received(structure, wire)
    assert (messages, counts["ip: timed out"]) == (LAST, 3)


def full_socket(structure: str, **more) -> None:
    """Its reader is slow. What it did not get is counted, and at its own pace it gets all."""
    wire = Wire()
    for _ in range(SHORT + 20):
        wire.message()
    for _ in range(LAST):
        wire.pause(200)
        wire.message()
    offered = SHORT + 20 + LAST
    messages, counts = received(structure, wire, "QUEUE_BYTES=16384", "LOAD_BYTES=600", **more)
    if structure == "library":  # while it computes, frames wait in its port alone
        frames_lost = counts.get("ports: full", 0) + counts.get("kernel: no buffer", 0)
        assert LAST <= messages < offered <= messages + frames_lost
        return
    full = counts.get("socket: full by bytes", counts.get("socket: full"))
    assert messages + full == offered and full * frames.FRAMES > CLUSTERS
    assert messages >= LAST


def full_ring(structure: str) -> None:
    """Short frames at 100 Mb/s, for a port that nobody has, faster than the driver: the chip finds
    no free buffer. All others are counted. xkernel's driver drops faster than frames come."""
    wire = Wire(link__mbps="100", lance__profile="ideal")
    [frame] = frames.frames(bytes(2), 1, False)
    port = 14 + 20 + 2
    frame = frame[:port] + bytes(2) + frame[port + 2 :]
    for _ in range(BURST):
        wire.frame(frame)
    for _ in range(LAST):
        wire.pause(100)
        wire.message()
    messages, counts = received(structure, wire)
    taken = sum(counts.get(name, 0) for name in TAKEN) - (LAST * frames.FRAMES + 1)
    assert messages == LAST and BURST - counts["udp: no port"] > CLUSTERS
    assert taken == BURST if structure == "xkernel" else taken < BURST


TAKEN = ("driver: copied", "driver: into clusters", "driver: received", "kernel: frames")
TAKEN += ("driver: no buffer", "driver: no shepherd", "kernel: no buffer")  # at the driver's door


LOSSES = {  # usual with these structures
    never_come: structures.names(),
    come_too_late: structures.names(),
    full_socket: ("bsd", "xkernel"),
    full_ring: structures.names(),
}
USUAL = {(what, structure) for what, names in LOSSES.items() for structure in names}
CASES = [
    pytest.param(
        *one, id=f"{one[1]}-{one[0].__name__}", marks=[pytest.mark.long] * (one not in USUAL)
    )
    for one in itertools.product(LOSSES, structures.names())
]


@pytest.mark.parametrize(("what", "structure"), CASES)
def test_losses(what: Callable, structure: str) -> None:
    what(structure)


FULL, PUT_OUT = "\t\tsocket_counts.full_bytes++;\n", "\t\tp = next;\n"
LEAKS = {
    full_socket: ("full_socket_leaks", "socket/socket_buffer.c", f"{FULL}\t\tm_freem(m);\n", FULL),
    never_come: (
        "evicted_pieces_leak",
        "inet/reassembly.c",
        f"\t\tm_freem(p);\n{PUT_OUT}",
        PUT_OUT,
    ),
}


@pytest.mark.parametrize("what", LEAKS)
def test_a_leak_is_noticed(what: Callable) -> None:
    name, file, old, new = LEAKS[what]
    with pytest.raises(AssertionError):
        what("bsd", fault=Fault(name, FIRMWARE / "bsdnet" / file, old, new))
