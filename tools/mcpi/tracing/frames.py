# SPDX-License-Identifier: BSD-2-Clause
"""The frames of a run with all their ticks, from ``stamps.csv`` and ``wire.pcap``."""

import csv
from dataclasses import dataclass
from pathlib import Path

from mcpi.results import files, pcap
from mcpi.spec.numbers import SIDES

TYPES = {0x0800: "IP", 0x0806: "ARP"}
PROTOCOLS = {1: "ICMP", 6: "TCP", 17: "UDP", 101: "BLAST", 205: "BIDCTL"}  # numbers.table
ENDS = ("tx_first_bit", "tx_last_bit", "rx_first_bit", "rx_last_bit")


@dataclass(frozen=True)
class Frame:
    """``sender``: its machine. Ticks of the first and last bit where it was sent and received; a
    frame that was lost, or not whole when the run ended, was not received."""

    sender: str
    sent: tuple[int, int]
    received: tuple[int, int] | None
    name: str


def read(folder: Path, ticks_per_us: int, faults: bool) -> list[Frame]:
    """Frames of a run, in the order in which they were sent. With ``faults`` the wire loses or
    reorders frames, so none has a time of reception."""
    stamps: dict[tuple[int, str], list[int]] = {}
    with files.text(folder / "stamps.csv") as stream:
        for row in csv.DictReader(stream):
            if row["stamp"] in ENDS:
                stamps.setdefault((int(row["node"]), row["stamp"]), []).append(int(row["tick"]))
    names = {time: _name(data) for time, data in pcap.stamped(folder / "wire.pcap")}
    found = []
    for side, node in SIDES.items():
        first, last = (stamps.get((node, end), []) for end in ENDS[:2])
        came = [stamps.get((1 - node, end), []) for end in ENDS[2:]]
        known = not faults and len(came[0]) == len(came[1]) <= len(first)
        for n, sent in enumerate(zip(first, last, strict=True)):
            received = (came[0][n], came[1][n]) if known and n < len(came[0]) else None
            name = names.get(sent[0] * 1000 // ticks_per_us, "frame")
            found.append(Frame(side, sent, received, name))
    return sorted(found, key=lambda frame: frame.sent)


def _name(data: bytes) -> str:
    kind = int.from_bytes(data[12:14], "big")
    name = TYPES.get(kind, f"type {kind:04x}")
    if name == "IP" and len(data) > 23:
        name = PROTOCOLS.get(data[23], f"IP {data[23]}")
    return f"{name}, {len(data)} bytes"
