# SPDX-License-Identifier: BSD-2-Clause
"""ARP frame by frame (link.md): the machine answers, asks, remembers and forgets."""

import pytest
from firmware_support.solo_machine import EVERYBODY, KERNEL, MACS, US, Solo, arp, ether
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

OTHER_MAC = "08:00:2b:00:00:77"
ENTRIES, LIFE = 100, 600_000
STACKS = 2  # threads' stacks stay in their pool


def stray(number: int = 0, source: str = US, mac: str = MACS[US]):
    """A datagram for a port nobody listens to: ICMP's report needs our station address."""
    packet = IP(src=source, dst=KERNEL) / UDP(sport=4000 + number, dport=5000) / Raw(b"?")
    return ether(packet, source=mac)


def requests(frames: list[bytes]) -> list[str]:
    """Hosts whose station address is asked for; each request is checked in full."""
    asked = []
    for frame in frames:
        packet = Ether(frame)
        if packet.type != 0x0806:
            continue
        assert packet.dst == EVERYBODY and packet.src == MACS[KERNEL]
        a = packet[ARP]
        assert (a.hwtype, a.ptype, a.hwlen, a.plen, a.op) == (1, 0x0800, 6, 4, 1)
        assert (a.hwsrc, a.psrc, a.hwdst) == (MACS[KERNEL], KERNEL, "00:00:00:00:00:00")
        assert len(frame) == 60
        asked.append(a.pdst)
    return asked


def reports(frames: list[bytes]) -> list[tuple[str, int]]:
    """To which station, about which port."""
    packets = [Ether(f) for f in frames if f[12:14] == b"\x08\0"]
    return [(p.dst, int.from_bytes(bytes(p[IP])[48:50], "big")) for p in packets]


def test_announces_itself() -> None:
    """Gratuitous: asks for its own address."""
    with Solo(known=False) as machine:
        assert requests(machine.announced) == [KERNEL]


def test_answers() -> None:
    with Solo(known=False) as machine:
        (reply,) = machine.exchange(arp("who-has", US, KERNEL))
        packet = Ether(reply)
        assert (packet.src, packet.dst) == (MACS[KERNEL], MACS[US])
        a = packet[ARP]
        assert (a.hwtype, a.ptype, a.hwlen, a.plen, a.op) == (1, 0x0800, 6, 4, 2)
        assert (a.hwsrc, a.psrc, a.hwdst, a.pdst) == (MACS[KERNEL], KERNEL, MACS[US], US)
        # To us alone, too; but nothing to what is asked of others.
        assert len(machine.exchange(arp("who-has", US, KERNEL, to=MACS[KERNEL]))) == 1
        assert machine.exchange(arp("who-has", US, "10.0.0.9")) == []
        # Somebody who looks whether our address is free gets an answer and no entry.
        assert len(machine.exchange(arp("who-has", "0.0.0.0", KERNEL))) == 1
        assert machine.counts("arp")["learned"] == 1


def test_asker_is_remembered() -> None:
    with Solo(known=False) as machine:
        machine.knows_us()
        assert reports(machine.exchange(stray())) == [(MACS[US], 4000)]
        assert "requests_sent" not in machine.counts("arp")


def test_asks_and_sends_what_waited() -> None:
    """A single message waits: the newest."""
    with Solo(known=False) as machine:
        assert requests(machine.exchange(stray(0))) == [US]
        assert machine.exchange(stray(1), stray(2)) == []
        answered = machine.exchange(arp("is-at", US, KERNEL, to=MACS[KERNEL]))
        assert reports(answered) == [(MACS[US], 4002)]
        assert machine.counts("arp")["replaced"] == 2
        assert reports(machine.exchange(stray(3))) == [(MACS[US], 4003)]


def test_asks_nobody_about_other_networks() -> None:
    """Nor who is the network itself, or all of its stations."""
    with Solo(known=False) as machine:
        for source in ("11.0.0.7", "10.9.0.7", "10.0.0.255", "10.0.0.0"):
            assert machine.exchange(stray(0, source, OTHER_MAC)) == [], source
        assert "requests_sent" not in machine.counts("arp")


def test_gives_up() -> None:
    """Three requests, 2 s apart; what waited is dropped; the next message asks again."""
    with Solo(known=False) as machine:
        before = machine.blocks()
        machine.send(stray(0))
        assert requests(machine.frames(1500)) == [US]
        assert requests(machine.frames(2000)) == [US]
        assert requests(machine.frames(2000)) == [US]
        assert machine.frames(4000) == []
        counts = machine.counts("arp")
        assert (counts["unresolved"], counts["dropped"]) == (1, 1)
        assert requests(machine.exchange(stray(0))) == [US]
        machine.frames(60_000)
        assert machine.blocks() <= before


def test_entries_expire() -> None:
    """After ten minutes without news; whatever arrives from there renews the entry."""
    with Solo(known=False) as machine:
        machine.knows_us()
        machine.frames(LIFE - 2000)
        assert requests(machine.exchange(stray())) == []
        machine.exchange(arp("who-has", US, "10.0.0.9"))  # not for us, but news
        machine.frames(LIFE - 2000)
        assert requests(machine.exchange(stray())) == []
        machine.frames(3000)
        assert requests(machine.exchange(stray())) == [US]
        assert machine.counts("arp")["expired"] == 1


def test_station_moves() -> None:
    """A gratuitous request corrects the entry, and sessions that are open already."""
    with Solo(known=False) as machine:
        machine.knows_us()
        assert reports(machine.exchange(stray())) == [(MACS[US], 4000)]
        assert machine.exchange(arp("who-has", US, US, mac=OTHER_MAC)) == []
        assert machine.counts("arp")["changed"] == 1
        assert reports(machine.exchange(stray())) == [(OTHER_MAC, 4000)]
        # From one we don't know it makes no entry.
        machine.exchange(arp("who-has", "10.0.0.3", "10.0.0.3", mac="08:00:2b:00:00:03"))
        assert machine.counts("arp")["learned"] == 1


def test_unsolicited_replies() -> None:
    with Solo(known=False) as machine:
        machine.exchange(arp("is-at", "10.0.0.3", KERNEL, mac=OTHER_MAC, to=MACS[KERNEL]))
        counts = machine.counts("arp")
        assert counts["unsolicited"] == 1 and "learned" not in counts


def test_conflict() -> None:
    """Somebody has our address: counted, neither learned nor answered."""
    with Solo(known=False) as machine:
        for op in ("who-has", "is-at"):
            assert machine.exchange(arp(op, KERNEL, KERNEL, mac=OTHER_MAC)) == []
        counts = machine.counts("arp")
        assert counts["conflicts"] == 2 and "learned" not in counts


def test_malformed() -> None:
    good = bytes(arp("who-has", US, KERNEL))
    body = 14

    def twisted(at: int, *values: int) -> bytes:
        return good[: body + at] + bytes(values) + good[body + at + len(values) :]

    with Solo(known=False) as machine:
        # Without padding: 0 to 27 bytes of packet.
        for n in range(28):
            machine.say(f"d {good[: body + n].hex()}")
            if n % 16 == 0:
                assert machine.frames(1) == []
        assert machine.frames(10) == []
        assert machine.counts("arp")["too_short"] == 28
        shapes = [(0, 0, 6), (2, 0x86, 0xDD), (4, 8), (4, 0), (5, 16), (5, 0)]
        assert machine.exchange(*[twisted(*s) for s in shapes]) == []
        assert machine.counts("arp")["bad_format"] == len(shapes)
        operations = [(6, 0, 0), (6, 0, 3), (6, 1, 1), (6, 255, 255)]
        assert machine.exchange(*[twisted(*o) for o in operations]) == []
        assert machine.counts("arp")["bad_operation"] == len(operations)
        # A group, nobody, another than the frame's source, another network, all of ours, ours.
        senders = [(8, *b"\xff" * 6), (8, *bytes(6)), (8, *b"\1\0\x5e\0\0\1"), (13, 9), (14, 11)]
        senders += [(17, 255), (17, 0)]
        assert machine.exchange(*[twisted(*s) for s in senders]) == []
        assert machine.counts("arp")["bad_sender"] == len(senders)
        assert "learned" not in machine.counts("arp")
        assert len(machine.exchange(good)) == 1, "and it goes on"


def test_table_is_bounded() -> None:
    """The host not talked to for longest is forgotten."""
    with Solo(known=False) as machine:
        machine.knows_us()
        for n in range(3, 3 + ENTRIES - 1):
            machine.exchange(arp("who-has", f"10.0.0.{n}", KERNEL, f"08:00:2b:00:01:{n:02x}"), ms=1)
        assert machine.counts("arp")["learned"] == ENTRIES
        assert reports(machine.exchange(stray())) == [(MACS[US], 4000)]  # talked to: stays
        machine.exchange(arp("who-has", "10.0.0.200", KERNEL, "08:00:2b:00:01:c8"))
        assert machine.counts("arp")["evicted"] == 1
        assert requests(machine.exchange(stray())) == []
        third = stray(0, "10.0.0.3", "08:00:2b:00:01:03")
        assert requests(machine.exchange(third)) == ["10.0.0.3"]


@pytest.mark.parametrize("count", [1, 2])
def test_each_allocation_fails(count: int) -> None:
    """Asking, waiting, being answered: a message may be lost, nothing else."""
    answer = arp("is-at", US, KERNEL, to=MACS[KERNEL])
    idle = 0
    for skip in range(16):
        with Solo(known=False) as machine:
            idle = idle or machine.blocks()
            machine.fail_allocations(skip, count)
            machine.exchange(stray())
            machine.exchange(answer)
            machine.fail_allocations(0, 0)
            machine.knows_us()
            assert reports(machine.exchange(stray(1))) == [(MACS[US], 4001)], skip
            machine.frames(81_000)
            assert machine.blocks() <= idle + STACKS, skip
