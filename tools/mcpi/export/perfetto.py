# SPDX-License-Identifier: BSD-2-Clause
"""A span of both machines for ui.perfetto.dev: a trace in Perfetto's protobuf format, whose packets
Perfetto's own library makes and which is written as it goes.

A machine is a process with a track for each thread, for interrupts, owners, the memory bus, DMA
and the LANCE; the wire is one more process, and so is the round trip, by what its frame waits for.
Arrows go from a frame that is sent to where it is received.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
from perfetto.trace_builder.proto_builder import StreamingTraceProtoBuilder

from mcpi.analysis.attribution import Tick
from mcpi.results.round_trip_owners import Legs
from mcpi.results.summary import OWNERS
from mcpi.spec.numbers import SIDES
from mcpi.tracing import tracks
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.frames import Frame
from mcpi.tracing.functions import INTERRUPTS, Access, Functions, Runs
from mcpi.tracing.span_selection import Span

if TYPE_CHECKING:
    from typing import IO

SEQUENCE = 1
BEGIN, END, INSTANT = (getattr(pb.TrackEvent, f"TYPE_{name}") for name in
                       ("SLICE_BEGIN", "SLICE_END", "INSTANT"))  # fmt: skip
WIRE, TRIP = "wire", "round trip"
MARKS = ("hand_over", "net_interrupt", "round_trip_start", "round_trip_end", "invocation")


@dataclass(frozen=True)
class Machine:
    """``rows``: its ticks of the span, from the beginning at each call; ``stamps``: its marks, by
    tick."""

    side: str
    rows: Callable[[], Iterable[Tick]]
    accesses: Callable[[], Iterable[Access]]
    code: Disassembly
    stamps: list[tuple[int, str]]


class _Writer:
    def __init__(self, stream: "IO[bytes]", ticks_per_us: int) -> None:
        self._builder, self._per_us = StreamingTraceProtoBuilder(stream), ticks_per_us
        self._tracks = 0

    def process(self, name: str, number: int) -> int:
        packet, uuid = self._descriptor(name, 0)
        packet.track_descriptor.process.pid = number
        packet.track_descriptor.process.process_name = name
        packet.track_descriptor.child_ordering = pb.TrackDescriptor.EXPLICIT
        self._builder.write_packet(packet)
        return uuid

    def track(self, parent: int, name: str) -> int:
        packet, uuid = self._descriptor(name, parent)
        packet.track_descriptor.sibling_order_rank = uuid
        self._builder.write_packet(packet)
        return uuid

    def _descriptor(self, name: str, parent: int) -> tuple[pb.TracePacket, int]:
        self._tracks += 1
        packet = self._builder.create_packet()
        packet.trusted_packet_sequence_id = SEQUENCE
        packet.track_descriptor.uuid = self._tracks
        packet.track_descriptor.name = name
        if parent:
            packet.track_descriptor.parent_uuid = parent
        return packet, self._tracks

    def event(self, kind: int, track: int, tick: int, name: str = "", **more: object) -> None:
        """``flow``: an arrow begins here; ``arrives``: one ends; others are shown with it."""
        packet = self._builder.create_packet()
        packet.timestamp = tick * 1000 // self._per_us
        packet.trusted_packet_sequence_id = SEQUENCE
        packet.track_event.type = kind
        packet.track_event.track_uuid = track
        if name:
            packet.track_event.name = name
        if (flow := more.pop("flow", None)) is not None:
            packet.track_event.flow_ids.append(flow)
        if (flow := more.pop("arrives", None)) is not None:
            packet.track_event.terminating_flow_ids.append(flow)
        if kind != END:
            more["tick"] = tick
        for key, value in more.items():
            note = packet.track_event.debug_annotations.add()
            note.name = key
            if isinstance(value, int):
                note.int_value = value
            else:
                note.string_value = str(value)
        self._builder.write_packet(packet)

    def spell(self, track: int, start: int, end: int, name: str, **more: object) -> None:
        self.event(BEGIN, track, start, name, ticks=end - start, **more)
        self.event(END, track, end)


def write(
    file: Path,
    span: Span,
    machines: list[Machine],
    frames: list[Frame],
    trips: list[Legs],
    ticks_per_us: int,
) -> None:
    """``frames``, ``trips``: of the whole run; those that touch the span are there."""
    with file.open("wb") as stream:
        writer = _Writer(stream, ticks_per_us)
        touching = [(n, one) for n, one in enumerate(frames, 1) if _touches(one, span)]
        for machine in machines:
            _machine(writer, machine, span, touching)
        _wire(writer, touching)
        _trips(writer, [trip for trip in trips if _overlaps(trip, span)])


def _touches(frame: Frame, span: Span) -> bool:
    end = frame.received[1] if frame.received else frame.sent[1]
    return frame.sent[0] < span.end and end > span.start


def _overlaps(trip: Legs, span: Span) -> bool:
    (_, first), *_, (_, last) = trip
    return first[0].start < span.end and last[-1].end > span.start


def _trips(writer: _Writer, trips: list[Legs]) -> None:
    """A slice for each leg, and in it one for each owner that the frame waits for."""
    if not trips:
        return
    process = writer.process(TRIP, len(SIDES) + 2)
    track = writer.track(process, "the frame waits for")
    for leg, stretches in (one for trip in trips for one in trip):
        writer.event(BEGIN, track, stretches[0].start, leg)
        for one in (one for one in stretches if one.end > one.start):
            name = next(iter(one.owners)) if len(one.owners) == 1 else "path"
            writer.spell(track, one.start, one.end, name, where=one.where)
        writer.event(END, track, stretches[-1].end)


def _machine(
    writer: _Writer, machine: Machine, span: Span, frames: list[tuple[int, Frame]]
) -> None:
    process = writer.process(machine.side, SIDES[machine.side] + 1)
    marks = writer.track(process, "marks")
    for tick, name in machine.stamps:
        if name in MARKS and span.holds(tick):
            writer.event(INSTANT, marks, tick, name)
    runs = writer.track(process, "runs")
    lanes = {INTERRUPTS: writer.track(process, "interrupts")}
    owners, core, dma, lance = (
        writer.track(process, name) for name in ("owner of the tick", "memory bus", "DMA", "LANCE")
    )
    _functions(writer, machine, process, runs, lanes, span.end)
    for one in tracks.owners(machine.rows()):
        words = OWNERS.get(one.name, one.name)
        writer.spell(owners, one.start, one.end, one.name, owner=words)
    for track, whose in ((core, tracks.CORE), (dma, tracks.DMA)):
        for one in tracks.bus(machine.rows(), whose):
            writer.spell(track, one.start, one.end, one.name)
    for number, one in frames:
        if one.sender == machine.side:
            flow = {"flow": number} if one.received else {}
            writer.spell(lance, *one.sent, f"sends {one.name}", **flow)
        elif one.received:
            writer.spell(lance, *one.received, f"receives {one.name}", arrives=number)


def _functions(writer, machine: Machine, process: int, runs: int, lanes: dict, end: int) -> None:
    now: Runs | None = None

    def ran(until: int) -> None:
        if now:
            name = "interrupt" if now.lane == INTERRUPTS else f"thread {now.lane}"
            writer.spell(runs, now.tick, until, name)

    for change in Functions(machine.code, machine.accesses()).changes(machine.rows()):
        if change.lane not in lanes:
            lanes[change.lane] = writer.track(process, f"thread {change.lane}")
        if isinstance(change, Runs):
            ran(change.tick)
            now = change
        elif change.begins:
            writer.event(BEGIN, lanes[change.lane], change.tick, change.begins)
        else:
            writer.event(END, lanes[change.lane], change.tick)
    ran(end)


def _wire(writer: _Writer, frames: list[tuple[int, Frame]]) -> None:
    process = writer.process(WIRE, len(SIDES) + 1)
    ways = {side: writer.track(process, f"from the {side}") for side in SIDES}
    for _, one in frames:
        end = one.received[1] if one.received else one.sent[1]
        lost = {} if one.received else {"received": "no"}
        writer.spell(ways[one.sender], one.sent[0], end, one.name, **lost)
