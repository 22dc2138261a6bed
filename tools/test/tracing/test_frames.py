# SPDX-License-Identifier: BSD-2-Clause
"""Files of ``./mcpi trace`` for Perfetto and Wireshark, read by other programs."""

import csv
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import IP
from scapy.utils import rdpcap
from tools_support.command import mcpi
from tools_support.perfetto_reader import BadTrace, Slice, Track, read

from mcpi.api import tracing
from mcpi.results import pcap, round_trip_owners
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.tracing import frames, tracks
from mcpi.tracing.span_selection import Wanted


@pytest.fixture(scope="module", params=["tcp", "rpc"])
def whole(request: pytest.FixtureRequest) -> Iterator[tracing.Trace]:
    """A round trip and what is before it, of both machines."""
    spec = RunSpec(engine=EXACT, stack=request.param, round_trips=2, warmup=2)
    with tracing.trace(spec, Wanted("lance_push", width=150_000)) as found:
        yield found


@pytest.fixture(scope="module")
def written(whole: tracing.Trace, tmp_path_factory) -> bytes:
    file = tmp_path_factory.mktemp("perfetto") / "x.pftrace"
    whole.write_perfetto(file)
    return file.read_bytes()


@pytest.fixture(scope="module")
def read_back(written: bytes) -> dict[str, Track]:
    return read(written)


def stamps(folder: Path) -> list[tuple[int, int, str]]:
    with (folder / "stamps.csv").open() as stream:
        return [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in csv.DictReader(stream)]


def ns(whole: tracing.Trace, tick: int) -> int:
    return tick * 1000 // whole.ticks_per_us


def test_every_track_is_there(read_back: dict[str, Track]) -> None:
    names = ("marks", "runs", "interrupts", "owner of the tick", "memory bus", "DMA", "LANCE")
    for side in ("client", "server"):
        assert {f"{side}/{name}" for name in (*names, "thread 1")} <= set(read_back)
    assert {"wire/from the client", "wire/from the server"} <= set(read_back)


def test_the_round_trip_has_every_tick(whole: tracing.Trace, read_back: dict[str, Track]) -> None:
    slices = read_back["round trip/the frame waits for"].slices
    legs = [one for one in slices if one.name in round_trip_owners.LEGS]
    parts = [one for one in slices if one.name not in round_trip_owners.LEGS]
    assert [one.name for one in legs[:5]] == list(round_trip_owners.LEGS)
    assert all(a.end == b.begin for a, b in itertools.pairwise(parts))
    assert (legs[0].begin, legs[-1].end) == (parts[0].begin, parts[-1].end)
    assert {"path", "wire", "bus", "controller.silo"} <= {one.name for one in parts}
    marks = {t for t, n, s in stamps(whole.folder) if (n, s) == (0, "round_trip_end")}
    assert {one.end for one in legs if one.name == "client_receive"} <= {
        ns(whole, t) for t in marks
    }


def test_owners_have_every_tick(whole: tracing.Trace, read_back: dict[str, Track]) -> None:
    for side in ("client", "server"):
        found, content = Counter(), whole.span.start
        for one in read_back[f"{side}/owner of the tick"].slices:
            found[one.name] += one.notes["ticks"]
            assert one.notes["tick"] == content and one.begin == ns(whole, content)
            content += one.notes["ticks"]
            assert one.end == ns(whole, content)
        wanted = Counter()
        for tick in whole.ticks(side):
            wanted[tick.owner] += tick.count
        assert found == wanted and content == whole.span.end


def test_the_bus_has_every_tick_and_every_transaction(
    whole: tracing.Trace, read_back: dict[str, Track]
) -> None:
    for side in ("client", "server"):
        for track, whose, begins in (
            ("memory bus", tracks.CORE, "bcache.accesses"), ("DMA", tracks.DMA, "bcache.dma")
        ):  # fmt: skip
            slices = read_back[f"{side}/{track}"].slices
            ticks, events = Counter(), Counter()
            for tick in whole.ticks(side):
                for event in tick.events:
                    events[event] += tick.count
            assert sum(one.notes["ticks"] for one in slices) == events[whose]
            ticks = sum(one.name != "goes on" for one in slices)
            assert ticks == events[begins] > 20
        kinds = Counter(one.name.partition(",")[0] for one in
                        read_back[f"{side}/memory bus"].slices)  # fmt: skip
        assert (
            kinds["fetch"] == events["bcache.fetches"] and kinds["load"] == events["bcache.loads"]
        )


def test_arrows_go_from_frame_to_frame(whole: tracing.Trace, read_back: dict[str, Track]) -> None:
    sent, came = {}, {}
    for side in ("client", "server"):
        for one in read_back[f"{side}/LANCE"].slices:
            for flow in one.flows:
                sent[flow] = side, one
            for flow in one.ending:
                came[flow] = side, one
    assert len(sent) >= 2 and sent.keys() == came.keys()
    known = {(ns(whole, tick), node, name) for tick, node, name in stamps(whole.folder)}
    for flow, (side, one) in sent.items():
        other, two = came[flow]
        node, peer = (0, 1) if side == "client" else (1, 0)
        assert other != side and two.begin > one.begin
        assert (one.begin, node, "tx_first_bit") in known
        assert (two.end, peer, "rx_last_bit") in known
        assert one.name.removeprefix("sends ") == two.name.removeprefix("receives ")


def test_functions_are_those_that_issue(whole: tracing.Trace, read_back: dict[str, Track]) -> None:
    """At each issue, the deepest open slice of the lane that runs is the instruction's function."""
    for side in ("client", "server"):
        lanes = {
            name.removeprefix(f"{side}/"): _changes(track.slices)
            for name, track in read_back.items()
            if name.startswith(f"{side}/thread ") or name == f"{side}/interrupts"
        }
        runs = iter(read_back[f"{side}/runs"].slices)
        now = next(runs)
        code, stacks, checked = whole.code(side), {lane: [] for lane in lanes}, 0
        for tick in whole.ticks(side):
            if tick.pc is None:
                continue
            time = ns(whole, tick.first)
            while now.end <= time:
                now = next(runs)
            lane = "interrupts" if now.name == "interrupt" else now.name
            while lanes[lane] and lanes[lane][0][0] <= time:
                _, name = lanes[lane].pop(0)
                stacks[lane].append(name) if name else stacks[lane].pop()
            assert stacks[lane][-1] == code.place(tick.pc).function
            checked += 1
        assert checked > 3000


def _changes(slices: list[Slice]) -> list[tuple[int, str]]:
    """Time, and the function that begins or nothing, in the order of the file: ends come first."""
    found = [(one.begin, 1, one.depth, one.name) for one in slices]
    found += [(one.end, 0, -one.depth, "") for one in slices]
    return [(time, name) for time, _, _, name in sorted(found)]


def test_interrupts_and_threads(read_back: dict[str, Track]) -> None:
    inside = {one.name for one in read_back["client/interrupts"].slices}
    assert {"trap_interrupt", "PAL pal_rti"} <= inside
    runs = Counter(one.name for one in read_back["client/runs"].slices)
    assert runs["interrupt"] >= 1 and runs["thread 1"] >= 1
    marks = {one.name for one in read_back["client/marks"].instants}
    assert {"hand_over", "net_interrupt"} <= marks


def mutants(data: bytes) -> dict[str, bytes]:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    def changed(change) -> bytes:
        trace = Trace.FromString(data)
        change(trace.packet)
        return trace.SerializeToString()

    def first(packets, kind: str):
        return next(p for p in packets if p.track_event.type == getattr(TrackEvent, kind))

    def no_arrow(packets) -> None:
        one = next(p for p in packets if p.track_event.terminating_flow_ids)
        del one.track_event.terminating_flow_ids[:]

    return {
        "nothing is open": changed(lambda p: p.remove(first(p, "TYPE_SLICE_BEGIN"))),
        "never ends": changed(lambda p: p.remove(first(reversed(p), "TYPE_SLICE_END"))),
        "arrows": changed(no_arrow),
        "not there": changed(lambda p: p.remove(p[1])),
        "cut short": data[:-1],
    }


@pytest.mark.parametrize(
    "said", ["nothing is open", "never ends", "arrows", "not there", "cut short"]
)
def test_a_trace_that_is_none_is_seen(written: bytes, said: str) -> None:
    with pytest.raises(BadTrace, match=said):
        read(mutants(written)[said])


def test_pcap_has_the_frames_of_the_span(whole: tracing.Trace, tmp_path: Path) -> None:
    count = whole.write_pcap(tmp_path / "x.pcap")
    found = rdpcap(str(tmp_path / "x.pcap"))
    inside = [t for t, _, name in stamps(whole.folder)
              if name == "tx_first_bit" and whole.span.holds(t)]  # fmt: skip
    assert [round(one.time * 10**9) for one in found] == [ns(whole, t) for t in sorted(inside)]
    assert count == len(inside) >= 2 and len(rdpcap(str(whole.folder / "wire.pcap"))) > count
    bytes_ = {bytes(one) for one in rdpcap(str(whole.folder / "wire.pcap"))}
    assert all(bytes(one) in bytes_ for one in found)


def test_a_frame_at_either_end_of_the_span(whole: tracing.Trace, tmp_path: Path) -> None:
    sent = next(t for t, _, name in stamps(whole.folder) if name == "tx_first_bit")
    source, out = whole.folder / "wire.pcap", tmp_path / "x"
    for start, end, wanted in ((sent, sent + 1, 1), (sent + 1, sent + 2, 0), (sent - 1, sent, 0)):
        assert pcap.cut(source, out, start, end, whole.ticks_per_us) == wanted


def test_frames_of_a_wire_with_faults_have_no_arrows(whole: tracing.Trace) -> None:
    assert all(f.received for f in frames.read(whole.folder, whole.ticks_per_us, False))
    assert not any(f.received for f in frames.read(whole.folder, whole.ticks_per_us, True))
    content = json.loads((whole.folder / "run.json").read_text())["frames"]
    assert len(frames.read(whole.folder, whole.ticks_per_us, False)) == content


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_the_commands_of_the_page_capture_a_request_and_its_reply(stack: str, tmp_path) -> None:
    """The files for Wireshark and Perfetto have both ends."""
    caught, drawn = tmp_path / "x.pcap", tmp_path / "x.pftrace"
    done = mcpi("trace", "--stack", stack, "--pcap", str(caught), "--perfetto", str(drawn))
    assert done.returncode == 0 and "2 frames sent in these ticks" in done.stderr, done.stderr
    assert "round trip 1\n" in done.stdout
    assert [packet[IP].src for packet in rdpcap(str(caught))] == ["10.0.0.1", "10.0.0.2"]
    tracks = read(drawn.read_bytes())
    assert all(tracks[f"wire/from the {side}"].slices for side in ("client", "server"))


def test_a_span_without_frames_says_where_they_are(tmp_path) -> None:
    done = mcpi("trace", "--invocation", "1", "--pcap", str(tmp_path / "x.pcap"))
    assert "0 frames sent in these ticks; --round-trip N has" in done.stderr, done.stderr
