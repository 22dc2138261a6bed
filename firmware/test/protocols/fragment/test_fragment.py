# SPDX-License-Identifier: BSD-2-Clause
"""IP's fragments both ways (ip.md): UDP's echo gives back what was put together."""

import itertools
import random

import pytest
from firmware_support.fragments import cuts, data_of, datagram, payloads, piece
from firmware_support.solo_machine import KERNEL, US, Solo, ether
from scapy.layers.inet import IP
from scapy.packet import Raw

PIECES, DATAGRAMS = 128, 16


@pytest.mark.parametrize("size", [0, 1, 1471, 1472, 1473, 2951, 2952, 2953, 14792, 65507])
def test_any_size_in_order(size: int) -> None:
    """Also the 14,792 bytes of TR 93-04, and the longest datagram there is."""
    data = data_of(size)
    body = datagram(data)
    with Solo() as machine:
        back = machine.exchange(*cuts(body, *range(1480, len(body), 1480)))
        assert payloads(back) == [data]
        counts = machine.counts("fragment")
        pieces = -(-len(body) // 1480)
        assert counts.get("reassembled", 0) == (1 if pieces > 1 else 0)
        assert counts.get("sent", 0) == (pieces if pieces > 1 else 0)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_any_order(order: tuple[int, ...]) -> None:
    data = data_of(100)
    pieces = cuts(datagram(data), 8, 40, 64)
    with Solo() as machine:
        assert payloads(machine.exchange(*[pieces[i] for i in order])) == [data]


def test_smallest_pieces() -> None:
    """Eight bytes each: even UDP's and the data's first bytes come apart."""
    data = data_of(900)
    body = datagram(data)
    pieces = cuts(body, *range(8, len(body), 8))
    random.Random(3).shuffle(pieces)
    with Solo() as machine:
        assert payloads(machine.exchange(*pieces)) == [data]
        assert len(pieces) == 114 < PIECES


def test_duplicates_are_ignored() -> None:
    data = data_of(5000)
    body = datagram(data)
    first, second, third, last = cuts(body, 1480, 2960, 4440)
    with Solo() as machine:
        back = machine.exchange(second, second, last, last, first, second, first, third)
        assert payloads(back) == [data]
        assert machine.counts("fragment")["duplicates"] == 4
        # The datagram is forgotten: a straggler begins a new one, and dies with it.
        assert machine.exchange(third, ms=61_000) == []
        assert machine.counts("fragment")["timed_out"] == 1


def test_first_wins() -> None:
    """Overlaps of every kind, by random fragments; what came first is what goes up."""
    rng = random.Random(11)
    with Solo() as machine:
        for ident in range(30):
            size = 8 * rng.randrange(10, 100)
            body = datagram(data_of(size - 8, ident), ident)
            body = body[:6] + b"\0\0" + body[8:]  # without checksum
            taken = bytearray(size)
            known = [False] * size
            frames = []
            while not all(known):
                start = 8 * rng.randrange(size // 8)
                end = min(size, start + 8 * rng.randrange(1, 12))
                # After the 8 bytes of UDP's header everybody says something else.
                noise = body if start < 8 else rng.randbytes(size)
                frames.append(piece(noise, start, end, ident, last=end == size))
                for i in range(start, end):
                    if not known[i]:
                        taken[i], known[i] = noise[i], True
            # The echo tells what was taken.
            assert payloads(machine.exchange(*frames)) == [bytes(taken[8:])], ident
        counts = machine.counts("fragment")
        assert counts["reassembled"] == 30 and counts["overlaps"] > 10 and counts["duplicates"] > 10


def teardrop(body: bytes) -> list:
    """The second fragment ends inside the first: its length below its offset (1997)."""
    return [piece(body, 0, 48), piece(body, 24, 28, last=True)]


def test_second_inside_the_first() -> None:
    with Solo() as machine:
        machine.exchange(*teardrop(datagram(data_of(92))))
        assert machine.counts("fragment")["inconsistent"] == 1
        (word,) = machine.frames(61_000)
        assert word[34:36] == b"\x0b\x01"  # ICMP: the time to put it together is over
        assert machine.counts("fragment")["timed_out"] == 1


def test_ping_of_death() -> None:
    """The last fragment ends beyond 65,535."""
    with Solo() as machine:
        big = bytes(1480)
        machine.exchange(piece(big, 0, 1480))
        for offset, size in ((8189, 8), (8191, 1), (8191, 1400), (8190, 1000)):
            fields = {"src": US, "dst": KERNEL, "id": 7, "proto": 17, "flags": 0}
            machine.exchange(ether(IP(frag=offset, **fields) / Raw(bytes(size))))
        assert machine.counts("fragment")["malformed"] == 4


def test_malformed() -> None:
    """Empty ones, and lengths in the middle that are no multiple of 8."""
    body = datagram(data_of(92))
    with Solo() as machine:
        for n in (1, 7, 9, 47):
            machine.send(piece(body, 0, n))
        machine.send(piece(b"", 0, 0), piece(b"", 48, 48), piece(b"", 48, 48, last=True))
        assert machine.frames(100) == []
        assert machine.counts("fragment")["malformed"] == 7
        assert payloads(machine.exchange(*cuts(body, 48))) == [data_of(92)]


def test_contradictions() -> None:
    """Two ends, or bytes behind the end: what came first is believed."""
    body = datagram(data_of(192))
    with Solo() as machine:
        machine.send(piece(body, 160, 200, last=True))
        machine.send(piece(body, 80, 160, last=True), piece(body + body, 200, 208))
        machine.send(piece(body + body, 192, 208), piece(body + body, 200, 240, last=True))
        assert machine.frames(10) == []
        assert machine.counts("fragment")["inconsistent"] == 4
        back = machine.exchange(piece(body, 0, 80), piece(body, 80, 160))
        assert payloads(back) == [data_of(192)]
        # And an end in front of what is there already.
        machine.exchange(piece(body, 80, 160, ident=8), piece(body, 40, 60, ident=8, last=True))
        assert machine.counts("fragment")["inconsistent"] == 5


def test_kept_apart() -> None:
    """By identifier, protocol, source: same offsets, other datagrams."""
    bodies = {n: datagram(data_of(92, n), n) for n in range(8)}
    with Solo() as machine:
        machine.send(*[piece(b, 0, 48, n) for n, b in bodies.items()])
        machine.send(piece(bodies[0], 48, 100, 0, last=True, proto=99))
        machine.send(piece(bodies[0], 48, 100, 0, last=True, src="10.0.0.3"))
        assert machine.frames(10) == []
        rest = [piece(b, 48, 100, n, last=True) for n, b in reversed(bodies.items())]
        assert sorted(payloads(machine.exchange(*rest))) == sorted(data_of(92, n) for n in bodies)


def test_lives_30_to_60_seconds() -> None:
    body = datagram(data_of(92))
    first, last = cuts(body, 48)
    with Solo() as machine:
        machine.frames(20_000)
        machine.exchange(first, ms=29_000)  # over the scan at 30 s
        assert payloads(machine.exchange(last)) == [data_of(92)]
        before = machine.blocks()
        machine.exchange(first, ms=61_000)
        assert machine.counts("fragment")["timed_out"] == 1
        assert machine.exchange(last, ms=61_000) == []
        assert machine.counts("fragment")["timed_out"] == 2
        assert machine.blocks() <= before


def test_flood_is_bounded() -> None:
    """First fragments without end: the oldest datagram goes; the memory is bounded."""
    body = datagram(data_of(92))
    with Solo() as machine:
        machine.exchange(*cuts(body, 48))
        before = machine.blocks()
        for ident in range(1000):
            machine.send(piece(body, 0, 48, ident))
            if ident % 20 == 0:
                machine.frames(1)
        machine.frames(10)
        assert machine.counts("fragment")["evicted"] == 1000 - DATAGRAMS
        assert machine.blocks() <= before + 4 * DATAGRAMS
        # The youngest still can be completed.
        back = machine.exchange(piece(datagram(data_of(92), 999), 48, 100, 999, last=True))
        assert len(payloads(back)) == 1


def test_pieces_are_bounded() -> None:
    """A datagram comes in tiny pieces that never end: it is its own oldest."""
    body = bytes(8 * 1000)
    with Solo() as machine:
        machine.frames(10)
        before = machine.blocks()
        for n in range(0, 8000, 16):
            machine.send(piece(body, n, n + 8))
            if n % 320 == 0:
                machine.frames(1)
        machine.frames(10)
        counts = machine.counts("fragment")
        assert counts["evicted"] == 500 // PIECES
        assert machine.blocks() <= before + 3 * PIECES + 40
        machine.frames(61_000)
        assert machine.blocks() <= before + 40


def test_header_checks_come_first() -> None:
    """A fragment with a wrong header, or that is not for us, gets nowhere."""
    body = datagram(data_of(92))
    with Solo() as machine:
        machine.send(piece(body, 0, 48, chksum=1), piece(body, 0, 48, dst="10.0.0.9"))
        machine.send(piece(body, 0, 48, ttl=0))
        machine.frames(10)
        assert "received" not in machine.counts("fragment")
        counts = machine.counts("ip")
        assert (counts["bad_checksum"], counts["not_ours"], counts["ttl_expired"]) == (1, 1, 1)


def test_options_and_padding() -> None:
    """Options in every fragment are skipped, a short last fragment's padding is cut."""
    data = data_of(93)
    body = datagram(data)
    with Solo() as machine:
        frames = cuts(body, 48, 96, options=b"\x01\x01\x01\x00")
        assert payloads(machine.exchange(*frames)) == [data]


@pytest.mark.parametrize("count", [1, 3])
def test_each_allocation_fails(count: int) -> None:
    """A datagram may be lost then, but nothing else, and nothing stays."""
    data = data_of(4000)
    body = datagram(data)
    frames = cuts(body, 1480, 2960)
    lost = 0
    with Solo() as machine:
        assert payloads(machine.exchange(*frames)) == [data]
        machine.exchange(frames[0])
        assert len(machine.frames(61_000)) == 1  # ICMP says so, through a session that stays
        before = machine.blocks()
        for skip in range(40):
            machine.knows_us()
            machine.fail_allocations(skip, count)
            try:
                back = payloads(machine.exchange(*frames))
            except AssertionError:
                back = []  # the answer was cut off in the middle
            assert back in ([], [data])
            lost += back == []
            machine.fail_allocations(0, 0)
            machine.frames(61_000)
            assert machine.blocks() <= before, skip
        machine.knows_us()
        assert payloads(machine.exchange(*frames)) == [data]
    assert 5 < lost < 40, "and with the last ones nothing fails any more"


def test_time_exceeded() -> None:
    """Told to the sender once the first fragment is there, with what it finds its socket by; not
    for what was sent to everybody, nor without the first fragment (RFC 1122 3.3.2)."""
    body = datagram(data_of(3000))
    first, middle, _ = cuts(body, 1480, 2960)
    with Solo() as machine:
        for wanted in ([first], [middle, first]):
            sent = machine.exchange(*wanted, ms=61_000)
            (report,) = [IP(f[14:]) for f in sent if IP(f[14:]).proto == 1]
            assert (report.src, report.dst) == (KERNEL, US)
            icmp = bytes(report.payload)[: report.len - 20]
            assert icmp[:2] == b"\x0b\x01" and len(icmp) == 8 + 28
            quoted = IP(icmp[8:])
            assert (quoted.src, quoted.dst, quoted.id, quoted.proto) == (US, KERNEL, 7, 17)
            assert quoted.flags.MF and quoted.frag == 0 and quoted.len == 20 + 1480
            assert icmp[28:36] == body[:8]
        everybody = piece(body, 0, 1480, dst="10.0.0.255")
        for silent in ([middle], [everybody], [piece(body[:0] + b"1234567", 0, 7, last=False)]):
            assert machine.exchange(*silent, ms=61_000) == []
        assert machine.counts("icmp")["reports_sent"] == 2
        assert machine.counts("fragment")["timed_out"] == 4
