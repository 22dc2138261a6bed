# SPDX-License-Identifier: BSD-2-Clause
"""The RPC stack's ping-pong between two simulated machines, as test_ping_pong_tcp.py for TCP."""

import json
import struct
import zlib
from pathlib import Path

import pytest
from scapy.utils import rdpcap

from mcpi.base.process import heard
from mcpi.base.repo import ROOT

ROUND_TRIPS, WARMUP = 10, 2
CALLS = WARMUP + ROUND_TRIPS + 1  # one to cool down: firmware/apps/xrpctest


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[dict, Path]:
    """A run, its record and its folder."""
    out = tmp_path_factory.mktemp("rpc") / "run"
    command = ["./mcpi", "run", "--engine", "rtl", "--stack", "rpc", "--json"]
    command += ["--round-trips", str(ROUND_TRIPS), "--warmup", str(WARMUP), "--out", str(out)]
    done = heard(command, cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[-4000:]}"
    return json.loads(done.stdout), out


def test_wire(run):
    """BIDCTL's three messages, then 98 bytes each way for each call, in turn and in sequence."""
    frames = [bytes(p) for p in rdpcap(str(run[1] / "wire.pcap"))]
    for frame in frames:
        assert zlib.crc32(frame[:-4]) == int.from_bytes(frame[-4:], "little")
    assert [frame[23] for frame in frames] == [205] * 3 + [101] * 2 * CALLS
    for number, frame in enumerate(frames[3:]):
        assert len(frame) == 14 + 20 + 24 + 12 + 16 + 8 + 4
        flags, _, sequence = struct.unpack_from(">BII", frame, 14 + 20 + 24 + 12 + 3)
        assert (flags, sequence) == (2 if number % 2 else 3, 1 + number // 2)


def test_record(run):
    """Every round trip is measured, each with one invocation of the path on both machines."""
    result = run[0]
    assert result["provenance"]["stack"] == "rpc"
    assert result["round_trip"]["round_trips"] == ROUND_TRIPS
    assert set(result["breakdown_us"]) >= {"client_send", "server", "client_receive"}
    for path in result["steady"].values():
        assert path["invocations"] == ROUND_TRIPS
        assert sum(path["owners"].values()) == pytest.approx(path["ticks"], rel=1e-12)
        assert path["owners"].get("idle", 0) == 0, "the switch and the wait are not in the path"
    assert result["provenance"]["peer_variant"] == "all"
    client, server = (result["steady"][side]["instructions"] for side in ("client", "server"))
    assert 2000 < client < 4291, "the paper's path is longer (CAVEATS.md)"
    assert 1000 < server < client, "the server is ALL"


def test_table_has_the_papers_rpc_figures(run):
    table = (run[1] / "report.txt").read_text()
    for figure in ("399.2", "4,291", "85.1", "1.69", "1.78"):
        assert figure in table, figure
