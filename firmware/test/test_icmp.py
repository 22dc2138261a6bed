# SPDX-License-Identifier: BSD-2-Clause
"""ICMP frame by frame: what is answered, and that nothing else is (docs/icmp.md)."""

import subprocess

import pytest
from host_build import program, services_machine
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

US, KERNEL = "10.0.0.2", "10.0.0.1"
MACS = {US: "08:00:2b:00:00:02", KERNEL: "08:00:2b:00:00:01"}
EVERYBODY = "ff:ff:ff:ff:ff:ff"
MILLISECOND = 175_000  # ticks


def answers(frames: list[bytes]) -> list[bytes]:
    """What the kernel sends in the 100 ms after each of these has arrived."""
    words = [str(w) for w in (program("solo"), services_machine(), 1, 0, 0, 1)]
    script = [
        f"d {frame.hex()}\n" + f"r {(n + 1) * 100 * MILLISECOND}\n" * 3
        for n, frame in enumerate(frames)
    ]
    done = subprocess.run(words, input="".join(script), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [bytes.fromhex(x.split()[2]) for x in done.stdout.splitlines() if x[0] == "f"]


def frame(icmp: bytes, to: str = KERNEL, mac: str = MACS[KERNEL]) -> bytes:
    packet = Ether(src=MACS[US], dst=mac) / IP(src=US, dst=to, proto=1) / Raw(icmp)
    return bytes(packet).ljust(60, b"\0")


@pytest.mark.parametrize("size", [0, 1, 2, 17, 18, 19, 1471, 1472])
@pytest.mark.parametrize("to", [KERNEL, "10.0.0.255", "255.255.255.255"])
def test_echo(size: int, to: str) -> None:
    """The same bytes back, from our own address, whoever was asked."""
    data = bytes(i * 3 & 0xFF for i in range(size))
    request = bytes(ICMP(type=8, id=0x1234, seq=size) / Raw(data))
    mac = MACS[KERNEL] if to == KERNEL else EVERYBODY
    (reply,) = answers([frame(request, to, mac)])
    ether = Ether(reply)
    packet = IP(bytes(ether[IP])[: ether[IP].len])
    assert (ether.src, ether.dst) == (MACS[KERNEL], MACS[US])
    assert (packet.src, packet.dst) == (KERNEL, US)
    expected = bytes(ICMP(type=0, id=0x1234, seq=size) / Raw(data))  # with scapy's checksum
    assert bytes(packet.payload) == expected


def test_no_answer() -> None:
    good = bytes(ICMP(type=8, id=1, seq=1) / Raw(b"data"))
    bad = [good[:n] for n in range(8)]
    bad += [bytes([good[0], good[1], good[2] ^ 1]) + good[3:]]
    bad += [good[:-1] + bytes([good[-1] ^ 0x80])]
    bad += [bytes(ICMP(type=kind, id=1, seq=1)) for kind in range(256) if kind != 8]
    bad += [bytes(ICMP(type=8, code=code, id=1, seq=1)) for code in (1, 255)]
    frames = [frame(data) for data in bad]
    assert answers(frames) == []
    assert len(answers([*frames, frame(good)])) == 1, "and it goes on"
