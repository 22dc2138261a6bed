# SPDX-License-Identifier: BSD-2-Clause
"""A measured ping-pong on the other machines: the Ethernet on a PMAD option, and a half-duplex
segment between the two."""

import csv
import json
import subprocess
from pathlib import Path

import pytest
from scapy.utils import rdpcap

from mcpi.paths import ROOT

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
    """run(name): the record of this run of ``RUNS`` and its folder; each is done once."""
    place, done = tmp_path_factory.mktemp("links"), {}

    def once(name: str) -> tuple[dict, Path]:
        if name not in done:
            words = ["./mcpi", "run", *RUNS[name], "--variant", "std", "--json"]
            words += ["--round-trips", str(ROUND_TRIPS), "--warmup", str(WARMUP)]
            words += ["--out", str(place / name)]
            said = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            assert said.returncode == 0, f"{' '.join(words)}\n{said.stderr[-4000:]}"
            done[name] = json.loads(said.stdout), place / name
        return done[name]

    return once


def told(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_a_ping_pong_on_pmad(run, stack):
    """No DMA: every byte of a frame is an access of the core to the card."""
    result, folder = run(f"pmad-{stack}")
    assert told(folder)["exit_codes"] == [0, 0]
    for node in json.loads((folder / "counters.json").read_text())["nodes"]:
        assert node["all"]["bcache.dma"] == 0 and node["all"]["bus.dma_ticks"] == 0
    assert result["steady"]["client"]["owners"]["io"] > 0


def test_pmad_and_ioasic_send_the_same_frames(run):
    """Byte for byte, and PMAD's round trip is the longer one."""
    wires = [rdpcap(str(run(name)[1] / "wire.pcap")) for name in ("tcp", "pmad-tcp")]
    assert [bytes(p) for p in wires[0]] == [bytes(p) for p in wires[1]]
    trips = [run(name)[0]["round_trip"]["mean_us"] for name in ("tcp", "pmad-tcp")]
    assert trips[0] < trips[1] < 3 * trips[0], trips


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_a_ping_pong_on_a_half_duplex_segment(run, stack):
    """What went over it is told; what collided is no frame."""
    _, folder = run(f"half-{stack}")
    about = told(folder)
    segment = about["wire"]["segment"]
    assert about["exit_codes"] == [0, 0]
    assert segment["attempts"] - segment["collided"] == about["frames"] > 2 * ROUND_TRIPS
    frames = rdpcap(str(folder / "wire.pcap"))
    assert len(frames) == about["frames"] and about["frames_not_in_pcap"] == 0
    assert segment["bits"] == sum(8 * (8 + len(bytes(p))) for p in frames)
    stamps = [row["stamp"] for row in csv.DictReader((folder / "stamps.csv").open())]
    assert stamps.count("tx_first_bit") == segment["attempts"]
    assert stamps.count("rx_first_bit") == about["frames"]
