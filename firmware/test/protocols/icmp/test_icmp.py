# SPDX-License-Identifier: BSD-2-Clause
"""ICMP frame by frame: what is answered, and that nothing else is (udp-icmp.md)."""

import pytest
from firmware_support.solo_machine import EVERYBODY, KERNEL, MACS, US, Solo, ether
from scapy.layers.inet import ICMP, IP, UDP
from scapy.packet import Raw


def frame(icmp: bytes, to: str = KERNEL, mac: str = MACS[KERNEL]):
    return ether(IP(src=US, dst=to, proto=1) / Raw(icmp), mac)


@pytest.mark.parametrize("size", [0, 1, 2, 17, 18, 19, 1471, 1472])
@pytest.mark.parametrize("to", [KERNEL, "10.0.0.255", "255.255.255.255"])
def test_echo(size: int, to: str) -> None:
    """The same bytes back, from our own address, whoever was asked."""
    data = bytes(i * 3 & 0xFF for i in range(size))
    request = bytes(ICMP(type=8, id=0x1234, seq=size) / Raw(data))
    mac = MACS[KERNEL] if to == KERNEL else EVERYBODY
    with Solo() as machine:
        (reply,) = machine.exchange(frame(request, to, mac))
    packet = IP(reply[14:])
    assert reply[:14] == bytes.fromhex("08002b00000208002b0000010800")
    assert (packet.src, packet.dst) == (KERNEL, US)
    expected = bytes(ICMP(type=0, id=0x1234, seq=size) / Raw(data))  # with scapy's checksum
    assert reply[34 : 14 + packet.len] == expected


def test_no_answer() -> None:
    good = bytes(ICMP(type=8, id=1, seq=1) / Raw(b"data"))
    bad = [good[:n] for n in range(8)]
    bad += [bytes([good[0], good[1], good[2] ^ 1]) + good[3:]]
    bad += [good[:-1] + bytes([good[-1] ^ 0x80])]
    bad += [bytes(ICMP(type=kind, id=1, seq=1)) for kind in range(256) if kind != 8]
    bad += [bytes(ICMP(type=8, code=code, id=1, seq=1)) for code in (1, 255)]
    with Solo() as machine:
        assert machine.exchange(*[frame(data) for data in bad]) == []
        assert len(machine.exchange(frame(good))) == 1, "and it goes on"
        counts = machine.counts("icmp")
    # Type 0 is an echo reply; nobody waits for one.
    assert counts["wrong_answers"] == 1
    assert counts["not_ours"] == 254 + 2
    assert counts["too_short"] == 8 and counts["bad_checksum"] == 2


def test_port_unreachable() -> None:
    """Quotes what a sender finds its socket by; to us only, and not without end."""
    stray = IP(src=US, dst=KERNEL) / UDP(sport=4000, dport=4001) / Raw(b"nobody reads this")
    with Solo() as machine:
        (report,) = machine.exchange(ether(stray))
        outer = IP(report[14:])
        body = report[34 : 14 + outer.len]
        assert (outer.src, outer.dst, outer.proto) == (KERNEL, US, 1)
        assert body[:2] == b"\3\3" and len(body) == 8 + 28
        fresh = ICMP(type=3, code=3) / Raw(body[8:])
        assert bytes(fresh)[2:4] == body[2:4], "ICMP's checksum"
        quoted = IP(body[8:])
        wanted = quoted.chksum
        del quoted.chksum
        assert IP(bytes(quoted)).chksum == wanted, "the quoted header's checksum"
        assert (quoted.src, quoted.dst, quoted.proto) == (US, KERNEL, 17)
        assert quoted.len == len(bytes(stray))
        assert body[28:] == bytes(stray)[20:28], "the datagram's first 8 bytes"
        # Nothing is said to a broadcast, nor about a wrong checksum.
        everywhere = IP(src=US, dst="10.0.0.255") / UDP(dport=4001)
        wrong = IP(src=US, dst=KERNEL) / UDP(dport=4001, chksum=0x1234) / Raw(b"x")
        assert machine.exchange(ether(everywhere, EVERYBODY), ether(wrong)) == []
        # Nor to all stations, though to our address: IP drops it (RFC 1122 3.3.6).
        echo = IP(src=US, dst=KERNEL) / ICMP(type=8, id=1, seq=1)
        assert machine.exchange(ether(stray, EVERYBODY), ether(echo, EVERYBODY)) == []
        assert machine.counts("ip")["link_broadcast"] == 2
        assert "reports_suppressed" not in machine.counts("icmp")
        # Fifty a second.
        machine.frames(2000)
        sent = sum(len(machine.exchange(*[ether(stray)] * 10, ms=1)) for _ in range(20))
        assert sent == 50
        assert machine.counts("icmp")["reports_suppressed"] == 150
        machine.frames(1000)
        assert len(machine.exchange(ether(stray))) == 1


def test_report_without_memory() -> None:
    stray = ether(IP(src=US, dst=KERNEL) / UDP(sport=4000, dport=4001))
    with Solo() as machine:
        machine.exchange(stray)
        machine.frames(121_000)
        before = machine.blocks()
        lost = 0
        for skip in range(24):
            machine.knows_us()
            machine.fail_allocations(skip, 1)
            lost += not machine.exchange(stray)
            machine.fail_allocations(0, 0)
            machine.frames(121_000)
            assert machine.blocks() <= before, skip
        assert 5 < lost < 20, "with the last ones nothing fails any more"
