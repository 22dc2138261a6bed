# SPDX-License-Identifier: BSD-2-Clause
"""The frames of ``wire.pcap``: what went over the wire, in order."""

import hashlib
import json
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.results import files
from mcpi.spec.numbers import SIDES

_NANOSECONDS = 0xA1B23C4D
_FILE, _FRAME = struct.Struct("<IHHiIII"), struct.Struct("<IIII")


def frames(path: Path) -> Iterator[bytes]:
    """Every frame as captured: no preamble, with the frame check sequence."""
    return (frame for _, frame in stamped(path))


def stamped(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every frame, behind its time in virtual nanoseconds."""
    with files.data(path) as stream:
        head = stream.read(_FILE.size)
        if len(head) < _FILE.size or _FILE.unpack(head)[0] != _NANOSECONDS:
            raise RunError(f"{path}: not a nanosecond pcap file")
        while head := stream.read(_FRAME.size):
            seconds, rest, length, _ = _FRAME.unpack(head)
            yield seconds * 10**9 + rest, stream.read(length)


def write(path: Path, all_: list[tuple[int, bytes]], ticks_per_us: int) -> None:
    """Leave these frames, each behind the tick of its first bit."""
    with path.open("wb") as target:
        target.write(_FILE.pack(_NANOSECONDS, 2, 4, 0, 0, 65535, 1))
        for tick, frame in all_:
            seconds, rest = divmod(tick, ticks_per_us * 10**6)
            times = seconds, rest * 1000 // ticks_per_us
            target.write(_FRAME.pack(*times, len(frame), len(frame)) + frame)


def cut(path: Path, out: Path, start: int, end: int, ticks_per_us: int) -> int:
    """Leave in ``out`` the frames whose first bit was sent in ticks ``start`` to ``end`` - 1; how
    many there are."""
    first, last = (tick * 1000 // ticks_per_us for tick in (start, end))
    written = 0
    with files.data(path) as stream, out.open("wb") as target:
        target.write(stream.read(_FILE.size))
        while head := stream.read(_FRAME.size):
            seconds, rest, length, _ = _FRAME.unpack(head)
            frame = stream.read(length)
            if first <= seconds * 10**9 + rest < last:
                target.write(head + frame)
                written += 1
    return written


def summary(path: Path) -> dict:
    """Number of frames, how many of each length, and a digest without time stamps."""
    digest, lengths = hashlib.sha256(), Counter()
    for frame in frames(path):
        digest.update(struct.pack("<I", len(frame)) + frame)
        lengths[len(frame)] += 1
    by_length = {str(n): lengths[n] for n in sorted(lengths)}
    return {"frames": lengths.total(), "frame_bytes": by_length, "digest": digest.hexdigest()}


def frame_faults(run: Path) -> dict:
    """Events of the wire in ``run.json``, by side; empty for a wire without faults."""
    counts = json.loads(run.read_text()).get("wire", {})
    by_side = {f"node{number}": side for side, number in SIDES.items()}
    return {"happened": {by_side.get(k, k): v for k, v in counts.items()}} if counts else {}
