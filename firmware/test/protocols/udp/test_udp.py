# SPDX-License-Identifier: BSD-2-Clause
"""UDP datagram by datagram (udp-icmp.md): echo at port 7, discard at port 9."""

import pytest
from firmware_support.solo_machine import EVERYBODY, KERNEL, US, Solo, ether
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw


def datagram(data: bytes, port: int = 7, to: str = KERNEL, source: str = US, **fields):
    fields.setdefault("sport", 9000)
    return IP(src=source, dst=to) / UDP(dport=port, **fields) / Raw(data)


def reply_to(frame: bytes) -> tuple[int, int, bytes]:
    """Ports and data; addresses, lengths and both checksums are checked."""
    packet = IP(frame[14:])
    assert (packet.src, packet.dst, packet.proto) == (KERNEL, US, 17)
    raw = frame[34 : 14 + packet.len]
    udp = packet[UDP]
    assert udp.len == len(raw)
    again = IP(src=KERNEL, dst=US) / UDP(sport=udp.sport, dport=udp.dport) / Raw(raw[8:])
    assert bytes(again)[20:] == raw, "scapy's bytes"
    return udp.sport, udp.dport, raw[8:]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 17, 18, 19, 511, 1471, 1472])
def test_echo(size: int) -> None:
    data = bytes((i * 5 + size) & 0xFF for i in range(size))
    with Solo() as machine:
        (reply,) = machine.exchange(ether(datagram(data)))
        assert reply_to(reply) == (7, 9000, data)


def test_broadcast_is_answered_from_our_address() -> None:
    with Solo() as machine:
        (reply,) = machine.exchange(ether(datagram(b"all", to="10.0.0.255"), EVERYBODY))
        assert reply_to(reply) == (7, 9000, b"all")


def test_without_checksum() -> None:
    with Solo() as machine:
        (reply,) = machine.exchange(ether(datagram(b"bare", chksum=0)))
        assert reply_to(reply)[2] == b"bare"
        assert machine.counts("udp")["no_checksum"] == 1


def test_checksum_that_comes_out_as_zero() -> None:
    """Is sent as FFFF, and taken as that."""
    rest = IP(bytes(datagram(bytes(2))))[UDP].chksum
    wanted = rest.to_bytes(2, "big")  # all ones with the rest; the reply has the same sum
    with Solo() as machine:
        (reply,) = machine.exchange(ether(datagram(wanted)))
        assert reply[40:42] == b"\xff\xff"
        assert reply_to(reply)[2] == wanted


def test_bad_checksum() -> None:
    good = bytes(ether(datagram(b"to be twisted")))
    with Solo() as machine:
        for at in (0, 3, 6, 7, 8, 20):
            twisted = bytearray(good)
            twisted[34 + at] ^= 0x40
            machine.send(bytes(twisted))
        assert machine.frames(100) == []
        assert machine.counts("udp")["bad_checksum"] == 6


def test_lengths() -> None:
    """Shorter than a header, a length field below 8 or above what came; what is behind is cut."""
    with Solo() as machine:
        for n in range(8):
            machine.send(ether(IP(src=US, dst=KERNEL, proto=17) / Raw(bytes(n))))
        for length in (0, 7, 14, 65535):
            machine.send(ether(datagram(b"short", len=length, chksum=0)))
        assert machine.frames(100) == []
        counts = machine.counts("udp")
        assert (counts["too_short"], counts["bad_length"]) == (8, 4)
        (reply,) = machine.exchange(ether(datagram(b"kept, cut", len=12, chksum=0)))
        assert reply_to(reply)[2] == b"kept"


def test_no_port() -> None:
    with Solo() as machine:
        machine.knows_us()
        for port in (0, 8, 65535):
            assert len(machine.exchange(ether(datagram(b"x", port)))) == 1  # ICMP's report
        assert machine.counts("udp")["no_port"] == 3


def test_sessions_are_kept_apart() -> None:
    """By remote port and host; the discard port's datagrams are not echoed."""
    with Solo() as machine:
        sent = [datagram(b"%d" % n, sport=7000 + n) for n in range(50)]
        back = machine.exchange(*[ether(d) for d in sent])
        assert [reply_to(f) for f in back] == [(7, 7000 + n, b"%d" % n) for n in range(50)]
        assert machine.exchange(ether(datagram(b"gone", 9))) == []
        assert machine.counts("udpecho", "apps")["discarded"] == 1


def test_two_echo_servers_don_t_talk_for_ever() -> None:
    with Solo() as machine:
        assert machine.exchange(ether(datagram(b"ping", sport=7))) == []
        assert machine.counts("udpecho", "apps")["from_a_server"] == 1


def test_sessions_are_bounded_and_end() -> None:
    """64 at a time; idle ones go after 20 to 40 s, and nothing of them stays."""
    with Solo() as machine:
        machine.exchange(ether(datagram(b"x")))
        machine.frames(121_000)
        before = machine.blocks()
        for n in range(2000):
            machine.send(ether(datagram(b"x", sport=1024 + n)))
            if n % 16 == 0:
                machine.frames(0.1)
        assert len(machine.frames(10)) <= 16
        assert machine.counts("udpecho", "apps")["echoes"] == 2001
        assert machine.blocks() <= before + 100
        machine.frames(121_000)
        assert machine.blocks() <= before


@pytest.mark.parametrize("count", [1, 3])
def test_each_allocation_fails(count: int) -> None:
    request = ether(datagram(b"data"))
    lost = 0
    with Solo() as machine:
        machine.exchange(request)
        machine.frames(121_000)
        before = machine.blocks()
        for skip in range(14):
            machine.fail_allocations(skip, count)
            back = machine.exchange(request)
            assert len(back) <= 1
            lost += not back
            machine.fail_allocations(0, 0)
            machine.frames(121_000)
            assert machine.blocks() <= before, skip
        assert 3 < lost < 14
        assert len(machine.exchange(request)) == 1
