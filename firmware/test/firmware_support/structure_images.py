# SPDX-License-Identifier: BSD-2-Clause
"""Runs of a structure's image on the exact engine: one node sends TR 93-04's messages with a
program above its own sockets, the other receives them."""

from functools import cache
from pathlib import Path

from firmware_support import simulated
from firmware_support.host_build import OUT

from mcpi.firmware import images
from mcpi.machine import profile

MESSAGES, BYTES, FRAGMENTS = 3, 14792, 10
SWITCHES = {"xkernel": ("XK_FRAGMENTS=1", "XK_LINK_CHECK=1")}


def message(number: int) -> bytes:
    """A message as apps/udpsend fills it."""
    return bytes((i * 31 + (i >> 8) + number * 7) & 255 for i in range(BYTES))


def sum_of(messages: list[bytes]) -> int:
    """The sum as apps/udprecv prints it."""
    total = 0
    for data in messages:
        one = 0
        for byte in data:
            one = (one * 31 + byte) % 2**64
        total = (total * 31 + one) % 2**64
    return total


@cache
def run(structure: str, again: int = 0, probe: int = 0, more: str = "") -> Path:
    """``more``: another switch of the receiver."""
    machine = profile.load("dec3000-600")
    folder = OUT / "structure-images" / f"{structure}-{again}-{probe}-{more}"
    switches = (f"PROBE={probe}", *SWITCHES.get(structure, ()), *([more] if more else []))
    sender = images.build(images.plan(machine, "std", "udpsend-bsd"))
    receiver = images.build(images.plan(machine, "std", f"udprecv-{structure}", switches))
    boot = {"round_trips": MESSAGES, "role": 0}
    simulated.run(machine, (sender, receiver), folder, "--max-ticks", 100_000_000, **boot)
    return folder


def said(folder: Path) -> dict[str, int]:
    """The receiver's counters, and its sum."""
    first, *counts = (folder / "console.1.txt").read_text().splitlines()
    expected = f"udprecv: {MESSAGES} datagrams, {MESSAGES * BYTES} bytes, sum "
    assert first.startswith(expected), first
    table = {name: int(value) for name, _, value in (c.rpartition(" ") for c in counts)}
    return table | {"sum": int(first.removeprefix(expected))}
