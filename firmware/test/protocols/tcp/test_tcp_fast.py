# SPDX-License-Identifier: BSD-2-Clause
"""TCP's fast path (docs/explanation/fastpath.md): with it a machine answers as without it."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from firmware_support.faults import Fault, machine_with
from firmware_support.host_build import (
    FAST,
    FIRMWARE,
    OUT,
    PROGRAMS,
    RECOGNISED,
    SEVERAL,
    graph_table,
    host_tests,
    libraries,
    machines,
    program,
    run,
    run_apart,
)
from firmware_support.solo_machine import KERNEL, US, Solo, ether
from scapy.layers.inet import IP, TCP

TCP_GRAPH = FIRMWARE / "graphs" / "tcp.graph"
TCPTEST = sorted((FIRMWARE / "apps" / "tcptest").glob("*.c"))
SILENT_USER = PROGRAMS / "silent_user.c"
ALONE = "-UXK_KEEPALIVE"  # with it only an answer under way leads to the fast path
GENERAL: tuple[str, ...] = ()
BYTE = b"\x42"  # what TCPTEST exchanges
COUNTERS = ("tcp", "ip", "eth")
ETHER, HEADERS = 14, 54


@cache
def server(options: tuple[str, ...]) -> Path:
    return machines("tcp", options)[0]


class Client:
    """Ours: a connection to TCPTEST's server, which sends each byte back."""

    def __init__(self, machine: Solo) -> None:
        self.machine, self.sequence, self.heard = machine, 1000, 0
        self.said: list[bytes] = []
        answer = self.exchange(self.frame(b"", "S"))
        self.sequence += 1
        self.heard = TCP(answer[0][34:]).seq + 1
        self.exchange(self.frame(b"", "A"))

    def frame(self, text: bytes, flags: str = "PA", **fields: int) -> bytes:
        fields = {"seq": self.sequence, "ack": self.heard, "window": 4096} | fields
        ip = IP(src=US, dst=KERNEL, ttl=30, id=1)
        return bytes(ether(ip / TCP(sport=2002, dport=2001, flags=flags, **fields) / text))

    def exchange(self, frame: bytes, ms: float = 1) -> list[bytes]:
        sent = self.machine.exchange(frame, ms=ms)
        self.said += sent
        return sent

    def trip(self) -> list[bytes]:
        """Make a round trip that nothing disturbs."""
        sent = self.exchange(self.frame(BYTE))
        self.sequence, self.heard = self.sequence + 1, self.heard + 1
        return sent


@cache
def general(disturb) -> tuple:
    return transcript(server(GENERAL), disturb)


def transcript(machine: Path, disturb) -> tuple:
    """Every frame that the machine sends, and what it has counted in the end; the blocks that it
    holds when the connection is over."""
    with Solo(known=False, machine=machine, round_trips=10**6) as machine:
        client = Client(machine)
        for _ in range(3):
            assert len(client.trip()) == 1
        disturb(client)
        counts = {name: machine.counts(name) for name in COUNTERS}
        ended, machine.exit_code = machine.exit_code, -1  # a reset ends the server
        return client.said, counts, ended, machine.blocks() if ended >= 0 else None


def flipped(frame: bytes, bit: int) -> bytes:
    other = bytearray(frame.ljust(60, b"\0"))
    other[bit // 8] ^= 1 << bit % 8
    return bytes(other)


def both(disturb) -> tuple:
    usual, fast = general(disturb), transcript(server(FAST), disturb)
    for number, (a, b) in enumerate(zip(usual[0], fast[0], strict=True)):
        assert a == b, f"frame {number}: {a.hex()}, fast {b.hex()}"
    assert fast[1:] == usual[1:]
    return fast


def every_bit(client: Client) -> None:
    """A frame with one bit wrong, and then the right one, on a machine that lives on: a checksum is
    wrong, the frame is not ours, or the bit lies in the padding."""
    for bit in range(60 * 8):
        frame = flipped(client.frame(BYTE), bit)
        if client.exchange(frame):
            # From another station, or in the padding.
            assert bit // 8 > HEADERS or bit // 8 in range(6, 12), bit
            client.sequence, client.heard = client.sequence + 1, client.heard + 1
        assert len(client.trip()) == 1, bit


def test_every_bit() -> None:
    both(every_bit)


def summed(frame: bytes) -> bytes:
    """With the right checksums."""
    packet = IP(frame[ETHER:])
    del packet.chksum
    if packet.haslayer(TCP):
        del packet[TCP].chksum
    return frame[:ETHER] + bytes(packet).ljust(46, b"\0")


def strange(client: Client) -> Iterator[bytes]:
    """Segments that are right and are not the expected one."""
    s, a = client.sequence, client.heard
    for fields in (
        {"seq": s - 1},
        {"seq": s + 1},
        {"ack": a - 1},
        {"ack": a + 1},
        {"ack": a - 10**9},
        {"window": 0},
        {"window": 1},
        {"window": 65535},
        {"urgptr": 7},
        {"options": [("NOP", None)] * 4},
    ):
        yield client.frame(BYTE, **fields)
    for flags in ("A", "PAU", "P", "", "SA", "FA", "RA", "PAE", "PAC"):
        yield client.frame(BYTE, flags)
    yield client.frame(b"")
    yield client.frame(b"", "FA")
    for ttl in (0, 1, 255):
        packet = IP(client.frame(BYTE)[ETHER:])
        packet.ttl = ttl
        yield summed(client.frame(BYTE)[:ETHER] + bytes(packet))
    yield client.frame(BYTE).ljust(200, b"\xff")


STRANGE = 25


@cache
def with_strange(number: int) -> Callable:
    """A strange frame, then the usual ones, then the timers."""

    def disturb(client: Client) -> None:
        frames = list(strange(client))
        assert len(frames) == STRANGE
        client.exchange(frames[number])
        if client.machine.exit_code == -1:
            client.exchange(client.frame(BYTE), ms=1)
            client.exchange(client.frame(BYTE, seq=client.sequence + 1), ms=300)

    return disturb


@pytest.mark.parametrize("number", range(STRANGE))
def test_strange_segments(number: int) -> None:
    both(with_strange(number))


def test_retransmission() -> None:
    """The echo is lost: it comes again, and the general way takes the ACK of its own chunk."""

    def disturb(client: Client) -> None:
        for _ in range(5):
            client.exchange(client.frame(BYTE), ms=8000)
            client.sequence, client.heard = client.sequence + 1, client.heard + 1
            assert len(client.trip()) == 1

    both(disturb)


@cache
def silent(options: tuple[str, ...]) -> Path:
    folder = OUT / ("silent" + "".join(options))
    table = graph_table(folder, TCP_GRAPH)
    return libraries(folder, [SILENT_USER], table, (*options, ALONE))[0]


def unanswered(machine: Path) -> tuple:
    """Bytes come one after the other, close together and far apart; most get no answer, so the ACK
    is owed: to the next segment, or to the timer. One in five comes twice."""
    with Solo(known=False, machine=machine) as solo:
        client = Client(solo)
        for n in range(60):
            frame = client.frame(bytes([n]) * (1 + n % 6))
            for sent in client.exchange(frame, ms=(1, 5, 250)[n % 3]):
                client.heard += IP(sent[ETHER:]).len - 40
            client.sequence += 1 + n % 6
            if n % 5 == 4:
                client.exchange(frame)
        client.exchange(client.frame(b"", "FA"), ms=2000)
        return client.said, {name: solo.counts(name) for name in COUNTERS}


def test_a_user_that_does_not_answer() -> None:
    usual, fast = (unanswered(silent(options)) for options in (GENERAL, FAST))
    for number, (a, b) in enumerate(zip(usual[0], fast[0], strict=True)):
        assert a == b, f"frame {number}: {a.hex()}, fast {b.hex()}"
    assert fast[1] == usual[1]
    answers = [frame for frame in fast[0] if IP(frame[ETHER:]).len > 40]
    assert 10 < len(answers) < len(fast[0]) / 2


def test_an_owed_ack_that_is_not_sent_is_found() -> None:
    wrong = mutant("of two segments no ACK is owed", [SILENT_USER], (ALONE,))
    assert unanswered(wrong)[0] != unanswered(silent(GENERAL))[0]


def closed_under_way(client: Client) -> None:
    """FIN while our byte is not acknowledged. No block is left that the general way gives back."""
    client.exchange(client.frame(BYTE))
    client.sequence += 1
    client.exchange(client.frame(b"", "FA"), ms=500)
    client.sequence, client.heard = client.sequence + 1, client.heard + 2
    client.exchange(client.frame(b"", "A"), ms=100)


def test_connection_closed_under_way() -> None:
    *_, ended, blocks = both(closed_under_way)
    assert ended == 1 and blocks  # TCPTEST wants more exchanges


@pytest.mark.parametrize("seed", range(1, 4))
def test_pingpong_with_losses(seed: int) -> None:
    """With one frame in ten lost, frames are those of machines without a fast path."""
    usual, fast = (
        run([program("pingpong"), *machines("tcp", options), "0", "40", str(seed), "10"]).stdout
        for options in (GENERAL, FAST)
    )
    assert usual == fast


def test_the_way_down_alone() -> None:
    """XK_FAST_OUT without XK_FAST_IN: the same frames, with losses."""
    usual, fast = (
        run([program("pingpong"), *machines("tcp", options), "0", "40", "1", "10"]).stdout
        for options in (GENERAL, ("-DXK_FAST_OUT",))
    )
    assert usual == fast


def test_each_allocation_fails() -> None:
    for case in ("tcp_each_allocation_fails_once", "tcp_three_allocations_fail"):
        run_apart(host_tests(FAST), (f"{case}={skip}" for skip in range(40)))


@pytest.mark.parametrize("disturb", [every_bit, closed_under_way, *map(with_strange, (0, 5, 12))])
def test_a_table_of_connections(disturb: Callable) -> None:
    """With XK_FAST_TABLE: found by its ports, a connection answers as without a fast path."""
    assert transcript(server(SEVERAL), disturb) == general(disturb)


@pytest.mark.parametrize("disturb", [every_bit, closed_under_way, *map(with_strange, (0, 5, 12))])
def test_recognised_by_the_driver(disturb: Callable) -> None:
    """With a driver's id a frame's headers are not compared: the same answers."""
    assert transcript(server(RECOGNISED), disturb) == general(disturb)


FAST_PATH = FIRMWARE / "protocols" / "tcp" / "fast" / "tcp_fast.c"
# In it: an expression that becomes 0, or a statement that is left out.
MUTANTS = {
    "IP's sum is not checked": "checksum_fold(ip)",
    "TCP's sum is not checked": "checksum_fold(tcp)",
    "any station will do": "(w[STATION] ^ f->station)",
    "any sequence will do": "(uint32_t)w[NUMBERS] ^ tcp_fast_word(&f->next, t->receive_next)",
    "any ACK will do": "(w[NUMBERS] >> 32) ^ tcp_fast_word(&f->max, t->send_max)",
    "flags are not seen": "(w[FLAGS] & TCP_FIXED) ^ TCP_EXPECTED",
    "a time to live of 0 is not seen": "!(w[SOURCE] & 0xff)",
    "the copy is held for ever": "ref_down(&t->fast.chunk.msg.front->refs);",
}


# With a user that does not answer.
SILENT = {"of two segments no ACK is owed": "second && t->ack_delayed"}


def mutant(name: str, above: list[Path] | None = None, more: tuple[str, ...] = ()) -> Path:
    """A machine with this mistake in its fast path."""
    old = (MUTANTS | SILENT)[name]
    new = ";" if old.endswith(";") else f"(0 & ({old}))"
    return machine_with(Fault(name, FAST_PATH, old, new), above or TCPTEST, TCP_GRAPH, more)


def test_frames_without_an_id_are_compared() -> None:
    old = "PATH_UNKNOWN(w[STATION], f->path)"
    fault = Fault("all frames have an id", FAST_PATH, old, f"(0 & {old})")
    is_found(machine_with(fault, TCPTEST, TCP_GRAPH, RECOGNISED))


def test_an_entry_without_a_station_is_found() -> None:
    entry = FAST_PATH.with_name("tcp_fast_begin.c")
    fault = Fault("no station is in the entry", entry, "{ all << 16,", "{ 0,")
    is_found(machine_with(fault, TCPTEST, TCP_GRAPH, RECOGNISED))


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str) -> None:
    is_found(mutant(name))


def is_found(wrong: Path) -> None:
    """Some frames are answered otherwise than without a fast path."""
    for disturb in (every_bit, closed_under_way, *map(with_strange, range(STRANGE))):
        try:
            found = transcript(wrong, disturb) != general(disturb)
        except AssertionError as error:
            print(error)
            return
        if found:
            print(f"by {disturb.__qualname__}")
            return
    pytest.fail("not found")
