# SPDX-License-Identifier: BSD-2-Clause
"""The whole house at once: a measured TCP ping-pong between two simulated machines."""

import itertools
import json
import zlib
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

from mcpi.base.process import heard
from mcpi.base.repo import ROOT

ROUND_TRIPS = 20
WARMUP = 2
EXCHANGES = WARMUP + ROUND_TRIPS + 1  # one to cool down: firmware/apps/tcptest


def _run(out: Path, *options: str) -> dict:
    command = ["./mcpi", "run", "--engine", "rtl", "--variant", "std", "--json"]
    command += ["--round-trips", str(ROUND_TRIPS), "--warmup", str(WARMUP), "--out", str(out)]
    done = heard([*command, *options], cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[-4000:]}"
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[dict, Path]:
    """A run, its record and its folder."""
    out = tmp_path_factory.mktemp("slice") / "run"
    return _run(out), out


@pytest.fixture(scope="module")
def frames(run) -> list[bytes]:
    return [bytes(p) for p in rdpcap(str(run[1] / "wire.pcap"))]


def test_every_frame_check_sequence_is_right(frames):
    assert frames
    for frame in frames:
        assert len(frame) >= 64, "shorter than Ethernet allows"
        assert zlib.crc32(frame[:-4]) == int.from_bytes(frame[-4:], "little")


def test_every_ip_and_tcp_checksum_is_right(frames):
    for frame in frames:
        packet = Ether(frame[:-4])[IP]
        packet = IP(bytes(packet)[: packet.len])  # without Ethernet's padding
        blank = packet.copy()
        del blank.chksum, blank[TCP].chksum
        again = IP(bytes(blank))
        sums = packet.chksum, packet[TCP].chksum
        assert sums == (again.chksum, again[TCP].chksum), packet.summary()


def _segments(frames: list[bytes]) -> list[tuple[IP, TCP, int]]:
    packets = [Ether(f[:-4])[IP] for f in frames]
    return [(p, p[TCP], p.len - 4 * p.ihl - 4 * p[TCP].dataofs) for p in packets]


def test_handshake_exchanges_and_close(frames):
    segments = _segments(frames)
    client = segments[0][0].src
    assert [str(t.flags) for _, t, _ in segments[:3]] == ["S", "SA", "A"], "the handshake"
    data = [(ip, tcp) for ip, tcp, length in segments if length]
    assert len(data) == 2 * EXCHANGES, "a byte each way in every round trip"
    assert [ip.src == client for ip, _ in data] == [True, False] * EXCHANGES
    for (_, before), (_, after) in itertools.pairwise(data):
        assert after.ack == before.seq + 1, "the reply carries the acknowledgement"
    closing = segments[3 + len(data) :]
    assert all(length == 0 for _, _, length in closing)
    assert [t.flags.F for _, t, _ in closing].count(True) == 2, "a FIN from each side"
    assert not any(t.flags.R for _, t, _ in segments), "no reset"
    assert str(closing[-1][1].flags) == "A", "the last FIN is acknowledged"


@pytest.mark.parametrize("machine", ["client", "server"])
def test_owners_sum_to_ticks(run, machine):
    path = run[0]["steady"][machine]
    assert sum(path["owners"].values()) == pytest.approx(path["ticks"], rel=1e-12)
    assert path["owners"]["issue"] == pytest.approx(path["instructions"], rel=1e-12)


def test_same_run_twice_is_the_same(run, tmp_path):
    again = _run(tmp_path / "again")
    first = json.loads(json.dumps(run[0]))
    for record in (first, again):
        record["provenance"].pop("command")
        record.pop("time")
    assert first == again
    wire = "wire.pcap"
    assert (run[1] / wire).read_bytes() == (tmp_path / "again" / wire).read_bytes()
