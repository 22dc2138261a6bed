# SPDX-License-Identifier: BSD-2-Clause
"""UDP datagrams, their fragments, and what a machine sends, put together again."""

import itertools
import random

from firmware_support.solo_machine import KERNEL, US, ether
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw


def datagram(data: bytes, ident: int = 7, source: str = US, port: int = 7) -> bytes:
    """UDP from port 9000, without its IP header but with its checksum."""
    udp = IP(src=source, dst=KERNEL, id=ident) / UDP(sport=9000, dport=port) / Raw(data)
    return bytes(udp)[20:]


def piece(body: bytes, start: int, end: int, ident: int = 7, last: bool = False, **fields):
    """Bytes [start, end) as a fragment; ``start`` must be a multiple of 8."""
    header = {"src": US, "dst": KERNEL, "id": ident, "proto": 17, **fields}
    header.setdefault("flags", 0 if last else "MF")
    return ether(IP(frag=start // 8, **header) / Raw(body[start:end]))


def cuts(body: bytes, *at: int, ident: int = 7, **fields) -> list:
    """The whole of body, cut at these places."""
    edges = [0, *at, len(body)]
    return [
        piece(body, a, b, ident, last=b == len(body), **fields)
        for a, b in itertools.pairwise(edges)
    ]


def payloads(frames: list[bytes]) -> list[bytes]:
    """Data of UDP datagrams the machine has sent, its own fragments put together by us."""
    out, open_ones = [], {}
    for frame in frames:
        packet = IP(frame[14:])
        if packet.proto != 17:
            continue
        body = bytes(packet.payload)[: packet.len - 20]
        pieces = open_ones.setdefault(packet.id, {})
        assert packet.frag * 8 == sum(len(p) for p in pieces.values()), "in order, no hole"
        pieces[packet.frag * 8] = body
        assert len(frame) <= 1514
        if packet.flags.MF:
            assert len(body) == 1480
            continue
        whole = b"".join(open_ones.pop(packet.id).values())
        remade = IP(src=KERNEL, dst=US, proto=17) / Raw(whole)
        udp = IP(bytes(remade))[UDP]
        wanted = udp.chksum
        del udp.chksum
        again = IP(bytes(IP(src=KERNEL, dst=US, proto=17) / udp))[UDP]
        assert again.chksum == wanted and udp.len == len(whole)
        out.append(whole[8:])
    assert not open_ones
    return out


def data_of(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)
