#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How much of the wire TCP and BLAST fill on the simulated machine.

PYTHONPATH=tools python3 bench/throughput.py [--kilobytes N] [--only WORD] [--frames N]

Bulk transfers between two STD machines (firmware/apps/tcpbulk, rpcbulk); the stack below is the
measured one. Counted on the wire: bytes of the user's in frames that carry any, from the first bit
of the first of them to the last bit of the last; beside it what the headers leave of 10 Mb/s; the
longest silence within it, and the speed behind that. --frames prints a transfer's first ones.
"""

import argparse
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

import two_nodes

from mcpi.base.repo import ROOT
from mcpi.build import graph
from mcpi.firmware import images, protocol_graph
from mcpi.results.pcap import stamped
from mcpi.spec.numbers import STACKS
from mcpi.spec.run_spec import RunSpec

BITS_PER_US = 10
ETHERNET, IP, TCP, BLAST = 14, 20, 20, 24
OVERHEAD = 8 + ETHERNET + 4 + 12  # preamble, header, check sequence, gap
SEGMENT, FRAGMENT = 1460, 1456
ABOVE_BLAST = 12 + 16 + 8  # headers of BID, CHAN, MSELECT, once a message
MESSAGES = (1420, 16384, 64 * FRAGMENT - ABOVE_BLAST)
BUFFERS = (4096, 16384)


@dataclass(frozen=True)
class Transfer:
    """``payload``: of the user's in a frame."""

    stack: str
    title: str
    define: str
    round_trips: int
    limit: float  # Mb/s that the headers leave

    def payload(self, frame: bytes) -> tuple[bytes, int]:
        """Key that a frame sent twice shares, and the bytes in it."""
        length = int.from_bytes(frame[16:18], "big") - IP
        body = frame[ETHERNET + IP : ETHERNET + IP + length]
        if self.stack == "tcp":
            return body[4:8], length - (body[12] >> 4) * 4
        if frame[23] != 101 or body[14] not in (1, 3):  # BLAST's data
            return b"", 0
        call = body[24:52] if body[4:8] == bytes(4) else b""  # short ones: BID's and CHAN's headers
        return body[4:8] + body[16:24] + call, int.from_bytes(body[8:12], "big")


def transfers(kilobytes: int) -> list[Transfer]:
    made = []
    segments = kilobytes * 1024 // SEGMENT
    limit = BITS_PER_US * SEGMENT / (SEGMENT + TCP + IP + OVERHEAD)
    for size in BUFFERS:
        made.append(
            Transfer("tcp", f"TCP, buffers of {size}", f"BULK_BUFFER={size}", segments, limit)
        )
    for size in MESSAGES:
        calls = max(1, kilobytes * 1024 // size)
        whole = size + ABOVE_BLAST
        frames = -(-whole // FRAGMENT)
        limit = BITS_PER_US * whole / (whole + frames * (BLAST + IP + OVERHEAD))
        made.append(Transfer("rpc", f"BLAST, calls of {size}", f"BULK_BYTES={size}", calls, limit))
    return made


@dataclass(frozen=True)
class Frame:
    """``ns``: of its first bit. ``key`` tells one sent twice; ``payload`` is the user's."""

    ns: int
    sender: int
    key: bytes
    payload: int
    data: bytes

    @property
    def end(self) -> float:
        return self.ns + 1000 * 8 * (len(self.data) + 8) / BITS_PER_US


def speed(frames: list[Frame]) -> float:
    """Mb/s from the first bit of the first of them that has any payload to the last of the last."""
    full = [f for f in frames if f.payload]
    each = {f.key: f.payload for f in full}
    return 8 * sum(each.values()) / ((full[-1].end - full[0].ns) / 1000)


def silence(frames: list[Frame]) -> tuple[float, int]:
    """Milliseconds in which nobody sends, between payload; and how many frames come before it."""
    last = max(n for n, f in enumerate(frames) if f.payload)
    first = min(n for n, f in enumerate(frames) if f.payload)
    gaps = [(frames[n + 1].ns - frames[n].end, n + 1) for n in range(first, last)]
    longest, before = max(gaps)
    return longest / 1e6, before


def run(built: graph.Built, transfer: Transfer) -> list[Frame]:
    """Frames that went over the wire."""
    with protocol_graph.graphs_in(ROOT / "bench" / "bulk"):
        plan = images.plan(RunSpec().check(), "std", transfer.stack, (transfer.define,))
    images.build(plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        boot = {"stack": STACKS[transfer.stack], "round_trips": transfer.round_trips}
        two_nodes.run(built, folder, plan.pal, plan.image, **boot)
        found = []
        for ns, data in stamped(folder / "wire.pcap"):
            sender = data[11] - 1
            key, payload = transfer.payload(data) if sender == 0 else (b"", 0)
            if payload <= ABOVE_BLAST:  # others have headers only
                payload = 0
            found.append(Frame(ns, sender, key, payload, data))
        return found


def content(transfer: Transfer, frame: Frame, since: int) -> str:
    """A line of --frames."""
    head = f"{(frame.ns - since) / 1e6:10.3f} ms  {'client' if frame.sender == 0 else 'server'}"
    if transfer.stack == "rpc":
        return f"{head}  {frame.payload:5} bytes, {len(frame.data)} in all"
    tcp = frame.data[ETHERNET + IP :]
    number, ack, _, flags, window = struct.unpack(">IIBBH", tcp[4:16])
    letters = "".join(c for bit, c in enumerate("FSRPA") if flags >> bit & 1)
    return f"{head}  {letters:3} {number} ack {ack} window {window:5} {frame.payload:5} bytes"


def main() -> None:
    parser = argparse.ArgumentParser(description="How much of the wire TCP and BLAST fill.")
    parser.add_argument("--kilobytes", type=int, default=96, help="of each transfer (96)")
    parser.add_argument("--only", default="", metavar="WORD", help="rows with this in the title")
    parser.add_argument("--frames", type=int, default=0, help="print so many of each transfer")
    wanted = parser.parse_args()
    built = two_nodes.usual()
    titles = ("bytes", "Mb/s", "of 10 Mb/s", "of limit", "silent ms", "at frame", "then")
    print(f"{'':21}" + "".join(f"{t:>11}" for t in titles))
    for transfer in (t for t in transfers(wanted.kilobytes) if wanted.only in t.title):
        frames = run(built, transfer)
        mbits, (ms, before) = speed(frames), silence(frames)
        payload = sum({f.key: f.payload for f in frames}.values())
        cells = f"{payload:>11,}{mbits:>11.2f}{100 * mbits / BITS_PER_US:>9.1f} %"
        cells += f"{100 * mbits / transfer.limit:>9.1f} %{ms:>11.2f}{before:>11}"
        print(f"{transfer.title:21}{cells}{speed(frames[before:]):>11.2f}", flush=True)
        for frame in frames[: wanted.frames]:
            print(content(transfer, frame, frames[0].ns))


if __name__ == "__main__":
    main()
