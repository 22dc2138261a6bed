# SPDX-License-Identifier: BSD-2-Clause
"""UDP received in all structures (udp-receive.md): frames that scapy made, a process that reads,
and its datagrams back on the wire."""

import random
from functools import cache

import pytest
from firmware_support.fragments import cuts, data_of, datagram, payloads
from firmware_support.host_build import structure_machine
from firmware_support.solo_machine import EVERYBODY, KERNEL, MACS, US, Solo, arp, ether
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw

from mcpi.firmware import structures

STRUCTURES = structures.names()

LIFE_MS = 61_000  # longer than any structure keeps fragments


def machine(structure: str, **options: int) -> Solo:
    return Solo(known=False, machine=structure_machine(structure), **options)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("size", [0, 1, 17, 1472, 1473, 14792, 65507])
def test_any_size(structure: str, size: int) -> None:
    data = data_of(size)
    body = datagram(data)
    with machine(structure) as kernel:
        back = kernel.exchange(*cuts(body, *range(1480, len(body), 1480)))
        assert payloads(back) == [data]


def odd_ones(source: random.Random, data: bytes, ident: int) -> list[bytes]:
    """Frames of which a reader must not see a byte."""
    body = datagram(data, ident)
    wrong = bytearray(body)
    wrong[8 + source.randrange(len(data))] ^= 1 << source.randrange(8)
    header = bytearray(bytes(cuts(body, ident=ident)[0]))
    header[24] ^= 0x40
    return [
        bytes(cuts(bytes(wrong), ident=ident)[0]),
        bytes(header),
        bytes(arp("who-has", US, "10.0.0.77")),
        bytes(ether(IP(src=US, dst="10.0.0.9") / UDP(sport=1, dport=7) / Raw(data))),
        bytes(ether(IP(src=US, dst=KERNEL) / UDP(sport=1, dport=9999) / Raw(data))),
        bytes(ether(IP(src=US, dst=KERNEL) / UDP(sport=9, dport=7) / Raw(data), EVERYBODY)),
        bytes(ether(IP(src="127.0.0.1", dst=KERNEL) / UDP(sport=9, dport=7) / Raw(data))),
        bytes(ether(IP(src=US, dst=KERNEL, ttl=0) / UDP(sport=9, dport=7) / Raw(data))),
        bytes(ether(IP(src=US, dst=KERNEL, proto=99) / Raw(data), MACS[KERNEL]))[:40],
    ]


def stream(seed: int) -> tuple[list[list[bytes]], list[bytes]]:
    """Bursts of frames, and the datagrams in them that are whole, in the order of their last
    fragment: cut anywhere, reordered, repeated, some with a fragment lost."""
    source = random.Random(seed)
    bursts, whole = [], []
    for ident in range(1, 60):
        data = source.randbytes(source.choice([1, 33, 700, 1471, 4000, 9001, 14792, 16384]))
        body = datagram(data, ident)
        edges = range(8, len(body), 8)
        places = sorted(source.sample(edges, min(len(edges), source.randrange(12))))
        longest = [0, *places, len(body)]
        places += [
            p
            for a, b in zip(longest, longest[1:])
            for p in range(a + 1480, b, 1480)
            if p not in places
        ]
        frames = [bytes(f) for f in cuts(body, *sorted(places), ident=ident)]
        source.shuffle(frames)
        if source.random() < 0.2 and len(frames) > 1:
            frames.pop(source.randrange(len(frames)))
        else:
            whole.append(data)
            if len(frames) > 1:  # a frame again, before the last one is there
                frames.insert(source.randrange(len(frames) - 1), frames[0])
        frames.insert(0, source.choice(odd_ones(source, source.randbytes(100), 5000 + ident)))
        bursts.append(frames)
    return bursts, whole


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("seed", range(4))
def test_all_structures_read_the_same_bytes(structure: str, seed: int) -> None:
    bursts, whole = stream(seed)
    with machine(structure) as kernel:
        kernel.exchange(*cuts(datagram(b"the first one makes sessions", 1)))
        kernel.frames(LIFE_MS)  # and may have gone again
        blocks, buffers = kernel.blocks(), kernel.variable("free_buffers", 2)
        back = [payloads(kernel.exchange(*frames)) for frames in bursts]
        assert [data for one in back for data in one] == whole
        kernel.frames(LIFE_MS)
        assert kernel.variable("free_buffers", 2) == buffers
        assert kernel.blocks() <= blocks


@cache
def said_by(structure: str) -> list[str]:
    """The console of a reader that takes 30 datagrams and sends none."""
    _, whole = stream(9)
    with_end = machine(structure, role=0, round_trips=30)
    for ident, data in enumerate(whole[:30], 1):
        body = datagram(data, ident)
        assert not kernel_sends(with_end, cuts(body, *range(1480, len(body), 1480), ident=ident))
    assert with_end.exit_code == 0
    console = with_end.console()
    with_end.child.stdin.close()
    assert with_end.child.wait() == 0
    return console.splitlines()


def kernel_sends(kernel: Solo, frames: list) -> list[bytes]:
    return kernel.exchange(*frames) if kernel.exit_code == -1 else []


@pytest.mark.parametrize("structure", STRUCTURES)
def test_reader_says_what_it_read(structure: str) -> None:
    """The same sum in each structure, computed here too, and where the messages went."""
    _, whole = stream(9)
    total = 0
    for data in whole[:30]:
        one = 0
        for byte in data:
            one = (one * 31 + byte) % 2**64
        total = (total * 31 + one) % 2**64
    size = sum(len(data) for data in whole[:30])
    said = said_by(structure)
    assert said[0] == f"udprecv: 30 datagrams, {size} bytes, sum {total}"
    assert "socket: read 30" in said
    print(structure, said[1:])


@pytest.mark.parametrize("structure", STRUCTURES)
def test_full_socket(structure: str) -> None:
    """Messages arrive while no process runs; what the socket cannot hold is dropped, counted, and
    frees its buffers."""
    bodies = [datagram(bytes([n]) * 14792, n) for n in range(1, 21)]
    with machine(structure) as kernel:
        kernel.frames(1)
        buffers = kernel.variable("free_buffers", 2)
        for n, body in enumerate(bodies, 1):  # all in the same instant
            for frame in cuts(body, *range(1480, len(body), 1480), ident=n):
                kernel.say(f"d {bytes(frame).hex()}")
        back = payloads(kernel.frames(100))
        kernel.frames(LIFE_MS)
        assert kernel.variable("free_buffers", 2) == buffers
        assert 0 < len(back) < 20
        assert all(len(set(data)) == 1 and len(data) == 14792 for data in back)
        (data,) = payloads(kernel.exchange(*cuts(datagram(b"still there", 99), ident=99)))
        assert data == b"still there"


@pytest.mark.parametrize("structure", STRUCTURES)
def test_each_allocation_fails(structure: str) -> None:
    """Allocations fail one at a time: a datagram may be lost, the machine goes on."""
    body = datagram(data_of(4000))
    frames = cuts(body, 1480, 2960)
    with machine(structure) as kernel:
        whole = len(kernel.exchange(*frames))
        lost = 0
        for skip in range(12):
            kernel.fail_allocations(skip, 1)
            lost += len(kernel.exchange(*frames)) < whole
            kernel.fail_allocations(0, 0)
            kernel.frames(LIFE_MS)
        assert lost > 0
        assert payloads(kernel.exchange(*frames)) == [data_of(4000)]
