# SPDX-License-Identifier: BSD-2-Clause
"""Linux's own network code against the machine on the tap device; runs in a namespace of its own.

usage: unshare -n python linux_client.py TAP_PROGRAM MACHINE.so PERCENT SEED TASK [without-arp]
Prints a line for what it did; fails with an exception.
"""

import random
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.packet import Raw

from mcpi.base.process import heard

KERNEL, DEVICE, SPEED = "10.0.0.1", "xk0", "10"
ECHO, DISCARD, QUOTE, CHARGEN = 7, 9, 17, 19


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def connect(port: int, seconds: float = 120) -> socket.socket:
    return socket.create_connection((KERNEL, port), timeout=seconds)


def raw_socket(protocol: int, seconds: float = 2) -> socket.socket:
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol)
    raw.settimeout(seconds)
    return raw


def pings(sizes: list[int], seed: int, seconds: float) -> socket.socket:
    """Each is answered, with the same bytes and a right checksum."""
    raw = raw_socket(socket.IPPROTO_ICMP, seconds)
    data = random.Random(seed).randbytes(65507)
    for number, size in enumerate(sizes):
        request, reply = (
            bytes(ICMP(type=kind, id=0x7869, seq=number) / Raw(data[:size])) for kind in (8, 0)
        )
        raw.sendto(request, (KERNEL, 0))
        assert raw.recv(70000)[20:] == reply, size
    return raw


def ping(seed: int) -> None:
    """Sizes from none to the largest there is, in fragments; a wrong checksum is not answered."""
    sizes = [0, 1, 7, 8, 56, 999, 1472, 1473, 9000, 65507]
    raw = pings(sizes, seed, 2)
    raw.sendto(bytes(ICMP(type=8, chksum=0x1234) / Raw(b"wrong")), (KERNEL, 0))
    raw.settimeout(0.5)
    with pytest.raises(TimeoutError):
        raw.recv(2000)
    print(f"ping: {len(sizes)} sizes")


def found_by_arp() -> str:
    """Linux's entry for the machine."""
    words = ["ip", "neigh", "show", KERNEL, "dev", DEVICE]
    entry = heard(words, check=True).stdout
    assert "08:00:2b:00:00:01" in entry, entry
    return entry.strip()


def neighbour(seed: int) -> None:
    """Linux has found the machine by ARP, and the machine Linux; both learn of a new address."""
    ping(seed)
    entry = found_by_arp()
    ip("link", "set", DEVICE, "address", "08:00:2b:00:00:22")
    ip("neigh", "flush", "dev", DEVICE)
    ping(seed)
    print(f"neighbour: {entry}")


@contextmanager
def udp(port: int, seconds: float):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect((KERNEL, port))
        s.settimeout(seconds)
        yield s


def datagrams(seed: int) -> None:
    """UDP's echo from 1 byte to the most there is."""
    source = random.Random(seed)
    sizes = [1, 2, 3, 1471, 1472, 1473, 2952, 14792, 32768, 65506, 65507]
    send_datagrams(source, sizes + [source.randrange(65508) for _ in range(40)])


def lossy_datagrams(seed: int) -> None:
    """Up to seven fragments each way: with more, hardly any would come back."""
    source = random.Random(seed)
    send_datagrams(source, [source.randrange(10000) for _ in range(60)])


def send_datagrams(source: random.Random, sizes: list[int]) -> None:
    """Send datagrams, and send each again that does not come back unchanged."""
    again = 0
    with udp(ECHO, 0.3) as s:
        for number, size in enumerate(sizes):
            data = struct.pack(">I", number)[4 - min(4, size) :] + source.randbytes(
                max(0, size - 4)
            )
            for _ in range(200):
                s.send(data)
                try:
                    while (answer := s.recv(70000)) != data:
                        assert len(answer) != len(data), f"other bytes at {size}"
                    break
                except TimeoutError:
                    again += 1
            else:
                raise AssertionError(f"no answer to {size} bytes")
    print(f"datagrams: {len(sizes)} sizes, the largest {max(sizes)}, {again} sent again")


def without_checksum(seed: int) -> None:
    """SO_NO_CHECK: Linux sends 0."""
    with udp(ECHO, 5) as s:
        s.setsockopt(socket.SOL_SOCKET, 11, 1)
        s.send(b"%d" % seed)
        assert s.recv(100) == b"%d" % seed
    print("without checksum: answered")


def no_port(seed: int) -> None:
    """ICMP's report finds the socket."""
    with udp(4000 + seed, 60) as s:
        s.send(b"?")
        with pytest.raises(ConnectionRefusedError):
            s.recv(100)
    print("no port: refused")


def echoed(seed: int, size: int, seconds: float) -> None:
    """So many bytes each way, byte-exact."""
    data = random.Random(seed).randbytes(size)
    with connect(ECHO, seconds) as s:
        began = time.monotonic()
        sender = threading.Thread(target=lambda: (s.sendall(data), s.shutdown(socket.SHUT_WR)))
        sender.start()
        back = b"".join(iter(lambda: s.recv(65536), b""))
        sender.join()
    assert back == data, f"{len(back)} bytes came back"
    print(f"echo: {len(data)} bytes each way in {time.monotonic() - began:.1f} s")


def echo(seed: int) -> None:
    echoed(seed, 1 << 20, 120)


def unread(seed: int) -> None:
    """We send and do not read: the machine stops taking more, and loses nothing of it."""
    data = random.Random(seed).randbytes(4 << 20)
    with connect(ECHO) as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 30_000)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 30_000)
        s.settimeout(2)
        sent = 0
        with suppress(TimeoutError):
            while sent < len(data):
                sent += s.send(data[sent : sent + 5000])
        assert sent < 1_000_000, f"{sent} bytes were taken"
        s.settimeout(120)
        s.shutdown(socket.SHUT_WR)
        back = b"".join(iter(lambda: s.recv(65536), b""))
    assert back == data[:sent]
    print(f"unread: {sent} bytes were taken, and came back")


def discard(seed: int) -> None:
    data = random.Random(seed).randbytes(300_000)
    with connect(DISCARD) as s:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        assert s.recv(1) == b""
    print(f"discard: {len(data)} bytes")


def chargen(seed: int) -> None:
    """Every line is the one before, rotated by one (RFC 864)."""
    with connect(CHARGEN) as s:
        data = b""
        while len(data) < 200_000 + seed:
            data += s.recv(65536)
    ring = bytes(range(32, 127)) * 2
    for number, line in enumerate(data.split(b"\r\n")[:-1]):
        assert line == ring[number % 95 : number % 95 + 72], number
    print(f"chargen: {number} lines")


def crowd(seed: int) -> None:
    """100 connections at the same time, each with its own bytes; all close; then once more."""
    for _ in range(2):
        sockets = [connect(ECHO) for _ in range(100)]
        for number, s in enumerate(sockets):
            s.sendall(b"%d:%d" % (seed, number))
        for number, s in enumerate(sockets):
            expected = b"%d:%d" % (seed, number)
            got = b""
            while len(got) < len(expected):
                got += s.recv(100)
            assert got == expected
        for s in sockets:
            s.shutdown(socket.SHUT_WR)
            assert s.recv(1) == b""
            s.close()
    print("crowd: 2 x 100 connections")


def netcat(seed: int) -> None:
    """The same by nc."""
    data = random.Random(seed).randbytes(1 << 20)
    words = ["nc", "-N", KERNEL, str(ECHO)]
    back = subprocess.run(words, input=data, stdout=subprocess.PIPE, check=True, timeout=600).stdout
    assert back == data, f"{len(back)} bytes came back"
    print(f"nc: {len(data)} bytes each way")


def segment(source: tuple[str, int], port: int, flags: int, number: int, ack: int = 0) -> bytes:
    """An IP datagram with a TCP segment without data."""
    tcp = TCP(sport=source[1], dport=port, seq=number, ack=ack, flags=flags, window=4096)
    return bytes(IP(src=source[0], dst=KERNEL) / tcp)


def flood(seed: int) -> None:
    """Thousands of SYNs of hosts that are not there; meanwhile and afterwards the service works."""
    raw = raw_socket(socket.IPPROTO_RAW)
    source = random.Random(seed)
    for number in range(seed * 1000):
        host = (f"10.0.0.{source.randrange(3, 250)}", source.randrange(1024, 65536))
        raw.sendto(segment(host, ECHO, 2, source.randrange(1 << 32)), (KERNEL, 0))
        if number % 100 == 99:
            with connect(ECHO) as s:
                s.sendall(b"%d" % number)
                assert s.recv(100) == b"%d" % number
    echo(seed)
    print(f"flood: {seed}000 SYNs, {seed * 10} connections among them, one afterwards")


class Sniffer:
    """Frames that go over the device, from now on."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.socket.bind((DEVICE, 0))

    def segments(self, from_kernel: bool, seconds: float) -> list[tuple[int, int, int]]:
        """(sequence, acknowledgement, flags) of the TCP segments in this time."""
        found, until = [], time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                frame = self.socket.recv(2000)
            except TimeoutError:
                break
            if frame[12:14] != b"\x08\0" or frame[23] != 6:
                continue
            if (socket.inet_ntoa(frame[26:30]) == KERNEL) == from_kernel:
                number, ack, _, flags = struct.unpack(">IIBB", frame[38:48])
                found.append((number, ack, flags))
        return found


def hear_quote(port: int) -> None:
    """The machine closes first, we then: TIME_WAIT is its."""
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.settimeout(60)
        s.bind(("10.0.0.2", port))
        s.connect((KERNEL, QUOTE))
        assert b"".join(iter(lambda: s.recv(100), b"")).endswith(b"\r\n")


def time_wait(seed: int) -> None:
    """Our FIN again: acknowledged within its 30 s, refused by a reset after them. And within them a
    new connection between the same ports is taken. (Its seconds pass 10 times as fast.)"""
    raw = raw_socket(socket.IPPROTO_RAW)
    fin, reset, ack = 1, 4, 16
    for port, wait, expected in ((5000 + seed, 2, ack), (5100 + seed, 4, reset)):
        sniffer = Sniffer()
        hear_quote(port)
        ours = [s for s in sniffer.segments(from_kernel=False, seconds=wait) if s[2] & fin]
        number, acknowledged, flags = ours[-1]
        again = segment(("10.0.0.2", port), QUOTE, flags, number, acknowledged)
        sniffer = Sniffer()
        raw.sendto(again, (KERNEL, 0))
        answers = sniffer.segments(from_kernel=True, seconds=0.5)
        assert [a[2] & (reset | ack) for a in answers][:1] == [expected], answers
        assert expected == reset or answers[0][1] == number + 1
    for _ in range(5):
        hear_quote(5200 + seed)
        time.sleep(0.2)  # until Linux has heard that its FIN is there
    print("time wait: FIN again, acknowledged in it, reset after it; 5 connections of one pair")


def simulated(seed: int) -> None:
    """In short, with the patience that a slow machine needs: ARP, ICMP, UDP, TCP."""
    pings([0, 56, 1472, 2000], seed, 60)
    found_by_arp()
    source = random.Random(seed)
    with udp(ECHO, 60) as s:
        for size in (1, 1472, 4000):
            data = source.randbytes(size)
            s.send(data)
            assert s.recv(70000) == data
    no_port(seed)
    closed(seed)
    simulated_echo(seed)
    print("simulated: 4 pings, 3 datagrams, 2 refused")


def simulated_echo(seed: int) -> None:
    echoed(seed, 12_000, 300)


def closed(seed: int) -> None:
    with pytest.raises(ConnectionRefusedError):
        connect(80 + seed)
    print("closed port: refused")


def main() -> None:
    program, machine, percent, seed, task, *rest = sys.argv[1:]
    tap = subprocess.Popen(
        [program, machine, DEVICE, SPEED, percent, seed],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert tap.stdout.readline() == "ready\n"
    ip("link", "set", DEVICE, "address", "08:00:2b:00:00:02", "up")
    ip("address", "add", "10.0.0.2/24", "dev", DEVICE)
    if rest:
        ip("neigh", "add", KERNEL, "lladdr", "08:00:2b:00:00:01", "dev", DEVICE)
    try:
        globals()[task](int(seed))
    finally:
        tap.stdin.close()
        print(tap.stdout.read().strip())
        status = tap.wait()
    sys.exit(status)


if __name__ == "__main__":
    main()
