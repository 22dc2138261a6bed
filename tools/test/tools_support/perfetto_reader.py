# SPDX-License-Identifier: BSD-2-Clause
"""A reader of Perfetto's traces, written from the published trace_packet.proto, track_event.proto,
track_descriptor.proto and protobuf's encoding; it shares nothing with who writes them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

PACKET = 1  # of Trace
TIMESTAMP, SEQUENCE, TRACK_EVENT, DESCRIPTOR = 8, 10, 11, 60  # of TracePacket
UUID, NAME, PROCESS, PARENT = 1, 2, 3, 5  # of TrackDescriptor
PID, PROCESS_NAME = 1, 6  # of ProcessDescriptor
NOTE, TYPE, TRACK, EVENT_NAME, FLOWS, ENDING = 4, 9, 11, 23, 47, 48  # of TrackEvent
NOTE_INT, NOTE_STRING, NOTE_NAME = 4, 6, 10  # of DebugAnnotation
BEGIN, END, INSTANT = 1, 2, 3


class BadTrace(Exception):
    """It is no such trace; says why."""


@dataclass
class Slice:
    """``begin``, ``end``: ns; ``depth``: of the slices that are open when it begins."""

    name: str
    begin: int
    depth: int
    notes: dict[str, int | str]
    flows: list[int]
    ending: list[int]
    end: int | None = None


@dataclass
class Track:
    name: str
    parent: int
    slices: list[Slice] = field(default_factory=list)
    instants: list[Slice] = field(default_factory=list)


def read(data: bytes) -> dict[str, Track]:
    """The tracks by ``process/track``. BadTrace if slices do not nest, time goes backwards in a
    track, a track or the other end of an arrow is missing."""
    tracks: dict[int, Track] = {}
    last: dict[int, int] = {}
    opened: dict[int, list[Slice]] = {}
    for number, packet in _fields(data):
        if number != PACKET:
            raise BadTrace(f"field {number} of the trace")
        found = dict(_fields(packet))
        if SEQUENCE not in found:
            raise BadTrace("a packet of no sequence")
        if DESCRIPTOR in found:
            one = dict(_fields(found[DESCRIPTOR]))
            process = dict(_fields(one[PROCESS])) if PROCESS in one else {}
            name = process.get(PROCESS_NAME, one.get(NAME, b"")).decode()
            if PARENT in one and one[PARENT] not in tracks:
                raise BadTrace(f"{name}: its parent is not there")
            tracks[one[UUID]] = Track(name, one.get(PARENT, 0))
        elif TRACK_EVENT in found:
            _event(found, tracks, last, opened)
    if any(opened.values()):
        raise BadTrace("a slice never ends")
    slices = [one for track in tracks.values() for one in track.slices]
    starts = [flow for one in slices for flow in one.flows]
    ends = [flow for one in slices for flow in one.ending]
    if sorted(starts) != sorted(ends) or len(set(starts)) < len(starts):
        raise BadTrace(f"arrows that begin and end differ: {sorted(starts)} {sorted(ends)}")
    return {f"{tracks[t.parent].name}/{t.name}" if t.parent else t.name: t for t in tracks.values()}


def _event(found: dict, tracks: dict[int, Track], last: dict, opened: dict) -> None:
    fields = list(_fields(found[TRACK_EVENT]))
    one, time = dict(fields), found[TIMESTAMP]
    uuid = one[TRACK]
    if uuid not in tracks:
        raise BadTrace(f"an event of track {uuid}, which is not there")
    if time < last.get(uuid, 0):
        raise BadTrace(f"{tracks[uuid].name}: {time} after {last[uuid]}")
    last[uuid] = time
    stack = opened.setdefault(uuid, [])
    if one[TYPE] == END:
        if not stack:
            raise BadTrace(f"{tracks[uuid].name}: at {time} nothing is open")
        stack.pop().end = time
        return
    name = one.get(EVENT_NAME, b"").decode()
    notes = dict(_note(value) for number, value in fields if number == NOTE)
    flows, ending = (list(_fixed(fields, number)) for number in (FLOWS, ENDING))
    new = Slice(name, time, len(stack), notes, flows, ending)
    if one[TYPE] == INSTANT:
        tracks[uuid].instants.append(new)
    elif one[TYPE] == BEGIN:
        stack.append(new)
        tracks[uuid].slices.append(new)
    else:
        raise BadTrace(f"an event of type {one[TYPE]}")


def _note(data: bytes) -> tuple[str, int | str]:
    one = dict(_fields(data))
    value = one[NOTE_INT] if NOTE_INT in one else one[NOTE_STRING].decode()
    return one[NOTE_NAME].decode(), value


def _fixed(fields: list, wanted: int) -> Iterator[int]:
    """A repeated fixed64, packed or not."""
    for number, value in fields:
        if number == wanted:
            yield from (
                struct.unpack(f"<{len(value) // 8}Q", value)
                if isinstance(value, bytes)
                else [value]
            )


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field: varints and fixed numbers as int, the others as bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = int.from_bytes(data[at : at + size], "little"), at + size
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            raise BadTrace(f"wire type {kind}")
        if at > len(data):
            raise BadTrace("cut short")
        yield number, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise BadTrace("cut short")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at
