# SPDX-License-Identifier: BSD-2-Clause
"""Other links: the Ethernet on a PMAD option, and a half-duplex segment (link.duplex = half), on
which two machines open a connection in the same moment and their first frames collide."""

import csv
import json
import zlib
from pathlib import Path

import pytest
from scapy.utils import rdpcap
from sim_support import simulators
from sim_support.simulators import build, counters, different, machine_json, run_record

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.spec.run_spec import EXACT, RTL
from verify.long_tests import sampled

# Files that the RTL leaves are the exact engine's, byte by byte (test_exact_pair.py).
ENGINES = sampled([EXACT, RTL], EXACT.__eq__)
STACKS = sampled(["tcp", "rpc"], "tcp".__eq__)
ROUND_TRIPS, WARMUP = 10, 2
PMAD, HALF = ("--machine", "dec3000-pmad"), ("--set", "link.duplex=half")
RUNS = {
    "pmad-tcp": (*PMAD, "--stack", "tcp"),
    "pmad-rpc": (*PMAD, "--stack", "rpc"),
    "half-tcp": (*HALF, "--stack", "tcp"),
    "half-rpc": (*HALF, "--stack", "rpc"),
    "tcp": ("--stack", "tcp"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """run(name, engine): the record of this run of ``RUNS`` and its folder; each is done once."""
    place, done = tmp_path_factory.mktemp("links"), {}

    def once(name: str, engine: str) -> tuple[dict, Path]:
        folder = place / f"{name}-{engine}"
        if folder not in done:
            words = ["./mcpi", "run", *RUNS[name], "--variant", "std", "--json"]
            words += ["--round-trips", str(ROUND_TRIPS), "--warmup", str(WARMUP)]
            words += ["--engine", engine, "--out", str(folder)]
            said = heard(words, cwd=ROOT)
            assert said.returncode == 0, f"{' '.join(words)}\n{said.stderr[-4000:]}"
            done[folder] = json.loads(said.stdout), folder
        return done[folder]

    return once


@pytest.fixture(scope="module")
def simulate(tmp_path_factory):
    """simulate(name, option...) -> its folder; two TCP clients, none of which serves: both give up
    (status 1) behind the handshake."""
    folder, settings = tmp_path_factory.mktemp("half"), {"link.duplex": "half"}
    built, machine = build(settings), machine_json(folder, settings)

    def one(name: str, *options: str, status: int = 1, mode: str = "run"):
        items = ("boot.role=0", "phase=150000")
        options = ("--max-ticks", "2000000", *options) if mode == "run" else options
        more = {"items": items, "mode": mode}
        done = simulators.simulate(built, folder / name, machine, *options, **more)
        said = done.stderr
        assert done.returncode == status, said
        if status == 1:
            assert said.splitlines()[-1].startswith("mcpi-sim: node 0 ended with exit code"), said
        return folder / name if status == 1 else said

    return one


def check_segment(folder: Path) -> tuple[dict, list[bytes]]:
    """Check that run.json tells the frames on the segment, and that a collision is no frame. Return
    run.json and the frames."""
    about = run_record(folder)
    segment = about["wire"]["segment"]
    print(segment)
    assert segment["attempts"] - segment["collided"] == about["frames"]
    frames = [bytes(p) for p in rdpcap(str(folder / "wire.pcap"))]
    assert len(frames) == about["frames"] and about["frames_not_in_pcap"] == 0
    return about, frames


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stack", STACKS)
def test_a_ping_pong_on_pmad(run, stack, engine):
    """No DMA: every byte of a frame is an access of the core to the card."""
    result, folder = run(f"pmad-{stack}", engine)
    assert run_record(folder)["exit_codes"] == [0, 0]
    for node in counters(folder):
        assert node["all"]["bcache.dma"] == 0 and node["all"]["bus.dma_ticks"] == 0
    assert result["steady"]["client"]["owners"]["io"] > 0


def test_pmad_and_ioasic_send_the_same_frames(run):
    """Byte for byte, and PMAD's round trip is the longer one."""
    both = [run(name, EXACT) for name in ("tcp", "pmad-tcp")]
    wires = [rdpcap(str(folder / "wire.pcap")) for _, folder in both]
    assert [bytes(p) for p in wires[0]] == [bytes(p) for p in wires[1]]
    trips = [result["round_trip"]["mean_us"] for result, _ in both]
    assert trips[0] < trips[1] < 3 * trips[0], trips


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stack", STACKS)
def test_a_ping_pong_on_a_half_duplex_segment(run, stack, engine):
    """The frames on the segment are counted; a collision is no frame."""
    _, folder = run(f"half-{stack}", engine)
    about, frames = check_segment(folder)
    segment = about["wire"]["segment"]
    assert about["exit_codes"] == [0, 0] and about["frames"] > 2 * ROUND_TRIPS
    assert segment["bits"] == sum(8 * (8 + len(frame)) for frame in frames)
    stamps = [row["stamp"] for row in csv.DictReader((folder / "stamps.csv").open())]
    assert stamps.count("tx_first_bit") == segment["attempts"]
    assert stamps.count("rx_first_bit") == about["frames"]


# Their first frames are some 80 ticks apart: shorter cables carry the one before the other begins.
@pytest.mark.parametrize("cable", sampled([400, 2000], (2000).__eq__))
def test_machines_collide_and_all_arrives(simulate, cable):
    folder = simulate(f"cable-{cable}", "--cable-ticks", str(cable))
    about, frames = check_segment(folder)
    segment = about["wire"]["segment"]
    assert segment["collided"] >= 2 and segment["collisions"] >= 2 and about["frames"] >= 4
    assert {frame[11] for frame in frames[:2]} == {1, 2}, "both first frames came through"
    for frame in frames:
        assert zlib.crc32(frame[:-4]) == int.from_bytes(frame[-4:], "little")


@pytest.mark.parametrize("cable", sampled([9, 2000], (2000).__eq__))
def test_skipping_changes_nothing_on_a_segment(simulate, cable):
    words = ("--cable-ticks", str(cable))
    plain = simulate(f"plain-{cable}", "--no-skip", *words)
    assert not different(plain, simulate(f"skipping-{cable}", *words))


@pytest.mark.parametrize(
    ("mode", "options", "said"),
    [
        ("run", ["--wire", "0:lose=0.1"], "faults are of the full-duplex wire"),
        ("run", ["--cable-ticks", "0"], "1 to 4340"),
        ("run", ["--cable-ticks", "5000"], "1 to 4340"),
        ("serve", [], "link.duplex full"),
        ("board", [], "link.duplex full"),
    ],
)
def test_what_a_segment_has_not(simulate, mode, options, said):
    text = simulate("slip", *options, status=2, mode=mode)
    assert said in text and text.count("\n") == 1
