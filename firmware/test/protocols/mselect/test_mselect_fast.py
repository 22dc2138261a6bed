# SPDX-License-Identifier: BSD-2-Clause
"""RPC's fast path (docs/explanation/fastpath.md): with it a machine answers as without it."""

import struct
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from firmware_support.faults import Fault, machine_with
from firmware_support.host_build import (
    FAST,
    FIRMWARE,
    HOST,
    OUT,
    PROGRAMS,
    RECOGNISED,
    SEVERAL,
    graph_table,
    libraries,
    machines,
    program,
    run,
)
from firmware_support.rpc_model import FROM_CLIENT, MSELECT, PROCEDURE, USER_MSG, Peer, checksum
from firmware_support.solo_machine import Solo

from verify.long_tests import sampled

GENERAL: tuple[str, ...] = ()
COUNTERS = ("ip", "eth", "blast", "bid", "bidctl", "chan", "vchan", "mselect")
ETHER, HEADERS, OK = 14, 94, 1
SERVER, CLIENT = 1, 0
BIDCTL_PROTOCOL, ACK = 205, 4
CHANNELS = 17  # that a test uses
BOOT = 0x70790000


@cache
def xrpctest(options: tuple[str, ...]) -> Path:
    return machines("rpc", options)[0]


@cache
def odd_machine(options: tuple[str, ...]) -> Path:
    folder = OUT / ("odd" + "".join(options))
    table = graph_table(folder, HOST / "rpc.graph")
    return libraries(folder, [PROGRAMS / "odd_user.c"], table, options)[0]


class End:
    """10.0.0.2: a client with one channel, or a server that answers."""

    def __init__(self, solo: Solo, role: int) -> None:
        self.solo, self.role, self.out = solo, role, []
        self.peer = Peer(self.out.append, BOOT)
        self.said: list[bytes] = []
        self.sequence = 0
        if role == SERVER:
            self.ask()
        else:
            self.hear(solo.frames(20))
            self.hear(solo.frames(1))

    def ask(self) -> None:
        self.peer.push_bidctl(1, self.peer.tag, 0)
        self.hear([])

    def hear(self, frames: list[bytes]) -> list[bytes]:
        """Calls among the machine's frames; BIDCTL is answered until it is content."""
        self.said += frames
        calls = [f for f in frames if f[23] != BIDCTL_PROTOCOL]
        for frame in frames:
            if frame[23] == BIDCTL_PROTOCOL:
                self.peer.frame(frame)
        while self.out:
            calls += self.hear(self.solo.exchange(self.out.pop(0), ms=1))
        for frame in calls:
            if self.role == CLIENT and number(frame) > self.sequence and frame[73] & USER_MSG:
                self.sequence = number(frame)
        return calls

    def exchange(self, frame: bytes, ms: float = 1) -> list[bytes]:
        return self.hear(self.solo.exchange(frame, ms=ms))

    def frame(self, sequence: int | None = None, flags: int | None = None, **fields) -> bytes:
        """The next request, or the reply to the last one, with some of its fields."""
        usual = self.sequence + 1 if self.role == SERVER else self.sequence
        # A client uses the last of its five channels.
        channel, status = (1, 0) if self.role == SERVER else (5, OK)
        words = {"channel": channel, "status": status, "procedure": PROCEDURE} | fields
        header = MSELECT.pack(words["procedure"], words["status"])
        if flags is None:
            flags = USER_MSG | (FROM_CLIENT if self.role == SERVER else 0)
        number = usual if sequence is None else sequence & 0xFFFFFFFF
        self.peer.push_chan(words["channel"], flags, number, header + fields.get("data", b""))
        return self.out.pop()

    def trip(self) -> list[bytes]:
        """Make a call that nothing disturbs. A client may wait a moment after a failure."""
        if self.role == CLIENT:
            self.hear(self.solo.frames(10))
        sent = self.exchange(self.frame())
        if self.role == SERVER:
            self.sequence += 1
        assert len(sent) == 1
        return sent


def number(frame: bytes) -> int:
    """CHAN's sequence, or -1."""
    return -1 if len(frame) < HEADERS else struct.unpack_from(">I", frame, 78)[0]


@cache
def general(path: Callable, role: int, disturb: Callable) -> tuple:
    return transcript(path(GENERAL), role, disturb)


def transcript(path: Path, role: int, disturb: Callable) -> tuple:
    """Every frame that the machine sends; what it has counted, and the blocks that it holds."""
    with Solo(known=False, machine=path, role=role, round_trips=10**6, stack=1) as solo:
        end = End(solo, role)
        for _ in range(3):
            end.trip()
        disturb(end)
        counts = {name: solo.counts(name) for name in COUNTERS}
        return end.said, counts, solo.blocks()


def both(role: int, disturb: Callable, path: Callable | None = None) -> tuple:
    path = path or (xrpctest if role == SERVER else odd_machine)
    usual, fast = general(path, role, disturb), transcript(path(FAST), role, disturb)
    for n, (a, b) in enumerate(zip(usual[0], fast[0], strict=True)):
        assert a == b, f"frame {n}: {a.hex()}, fast {b.hex()}"
    assert fast[1] == usual[1]
    # A channel of the server's keeps the leaf of its answer.
    # Each of a server's channels keeps the leaf of its answer.
    assert usual[2] <= fast[2] <= usual[2] + (role == SERVER) * CHANNELS
    return fast


def every_bit(end: End) -> None:
    """A frame with one bit wrong, and then the right one, on a machine that lives on."""
    for bit in range(HEADERS * 8):
        other = bytearray(end.frame())
        other[bit // 8] ^= 1 << bit % 8
        wrong = number(bytes(other))
        sent = end.exchange(bytes(other))
        # A server takes a later sequence.
        if end.role == SERVER and any(number(f) == wrong for f in sent):
            end.sequence = wrong
        end.trip()


@pytest.mark.parametrize("role", [SERVER, CLIENT], ids=["server", "client"])
def test_every_bit(role: int) -> None:
    both(role, every_bit)


@pytest.mark.parametrize("role", [SERVER, CLIENT], ids=["server", "client"])
def test_recognised_by_the_driver(role: int) -> None:
    """With a driver's id a frame's headers are not compared: the same answers."""
    machine = xrpctest if role == SERVER else odd_machine
    both(role, every_bit, lambda options: machine(RECOGNISED if options else options))


def patched(frame: bytes, at: int, data: bytes) -> bytes:
    """With other bytes, and IP's sum right."""
    frame = frame[:at] + data + frame[at + len(data) :]
    header = frame[ETHER:24] + bytes(2) + frame[26:34]
    return frame[:24] + struct.pack(">H", checksum(header)) + frame[26:]


PATCHES = (
    (15, b"\x10"),  # type of service
    (16, b"\x00\x4f"),  # length
    (16, b"\x00\x51"),
    (20, b"\x40\x00"),  # don't fragment
    (20, b"\x20\x00"),  # more fragments
    (20, b"\x00\x01"),
    (22, b"\x00"),  # time to live
    (22, b"\x01"),
    (22, b"\xff"),
    (23, b"\x66"),  # protocol
    (26, b"\x0a\x00\x00\x03"),  # addresses
    (30, b"\x0a\x00\x00\x03"),
    (34, b"\x00\x00\x00\x16"),  # BLAST's upper protocol, sequence, bytes, count, op, mask
    (38, b"\x00\x00\x00\x01"),
    (42, b"\x00\x00\x00\x23"),
    (42, b"\x00\x00\x00\x25"),
    (46, b"\x00\x01"),
    (48, b"\x02"),
    (48, b"\x03"),
    (50, b"\x00\x00\x00\x00\x00\x00\x00\x01"),
    (58, b"\x00\x00\x00\x07"),  # BID's source, destination, upper protocol
    (62, b"\x00\x00\x00\x07"),
    (66, b"\x00\x00\x00\x0e"),
    (72, b"\x01"),  # CHAN's unused byte, upper protocol, bytes
    (74, b"\x00\x00\x00\x15"),
    (82, b"\x00\x00\x00\x07"),
    (82, b"\x00\x00\x00\x09"),
)


def strange(end: End) -> Iterator[bytes]:
    """Frames that are right and not the expected ones, or whose sums alone are right."""
    for at, data in PATCHES:
        yield patched(end.frame(), at, data)
    for flags in range(16):
        yield end.frame(flags=flags)
    for off in (-2, -1, 0, 1, 2, 3, 1000):
        yield end.frame(sequence=end.sequence + off)
    for fields in ({"procedure": 7}, {"status": 0}, {"status": 1}, {"status": 2}, {"channel": 2}):
        yield end.frame(**fields)
    for data in (b"a", b"four", b"twelve bytes", bytes(1000)):
        yield end.frame(data=data)
    yield end.frame() + bytes(10)
    yield end.frame()[:93]


def all_strange(end: End) -> None:
    """Each, twice, and the usual ones after it; then the timers."""
    for n in range(len(list(strange(end)))):
        for ms in (1, 1, 9000 if n % 8 == 0 else 1):
            frame = list(strange(end))[n]
            sent = end.exchange(frame, ms=ms)
            if end.role == SERVER and sent:
                heard = [number(f) for f in sent if len(f) >= HEADERS and f[70:72] == b"\0\1"]
                end.sequence = max([end.sequence, *(h for h in heard if h < 2**31)])
        end.trip()
        end.trip()
    end.hear(end.solo.frames(60_000))


@pytest.mark.parametrize("role", [SERVER, CLIENT], ids=["server", "client"])
def test_strange_frames(role: int) -> None:
    both(role, all_strange)


def lost(end: End) -> None:
    """Replies and requests get lost: the timers run, and the fast path comes back."""
    for wait in (1000, 4999, 5000, 5001, 8000, 16000, 70_000):
        end.hear(end.solo.frames(wait))
        for _ in range(3):
            end.trip()
    if end.role == SERVER:
        for frame in (end.frame(sequence=end.sequence), end.frame(end.sequence, ACK | 1)):
            end.exchange(frame, ms=10_000)
            end.trip()


@pytest.mark.parametrize("role", [SERVER, CLIENT], ids=["server", "client"])
def test_timers(role: int) -> None:
    both(role, lost)


def rebooted(end: End) -> None:
    """The peer has another boot id: its frames are not taken before BIDCTL has asked."""
    for boot in (BOOT + 1, BOOT + 2):
        end.peer.boot = boot
        end.exchange(end.frame())
        end.hear(end.solo.frames(100))
        if end.role == SERVER:
            end.sequence = 0
        for _ in range(3):
            end.trip()


def test_peer_reboots() -> None:
    both(SERVER, rebooted)


def no_memory(end: End) -> None:
    for skip in range(6):
        for count in (1, 3):
            end.solo.fail_allocations(skip, count)
            for _ in range(3):
                sent = end.exchange(end.frame(), ms=20)
                if end.role == SERVER and sent:
                    end.sequence += 1
            end.solo.fail_allocations(0, 0)
            end.hear(end.solo.frames(6000))
            end.trip()


@pytest.mark.parametrize("role", [SERVER, CLIENT], ids=["server", "client"])
def test_no_memory(role: int) -> None:
    """Which allocation fails differs; the machine lives on, and leaks nothing."""
    path = xrpctest if role == SERVER else odd_machine
    *_, before = transcript(path(FAST), role, lambda end: None)
    *_, after = transcript(path(FAST), role, no_memory)
    assert after <= before + 1


def odd_answers(end: End) -> None:
    """Answers of a user that fails, answers with data or late; requests come again meanwhile."""
    for n in range(40):
        sent = end.exchange(end.frame(), ms=1)
        if n % 3 == 0:
            sent += end.exchange(end.frame(flags=FROM_CLIENT | USER_MSG | ACK), ms=1)
        sent += end.hear(end.solo.frames(100))
        assert sent
        end.sequence += 1


def test_odd_answers() -> None:
    both(SERVER, odd_answers, odd_machine)


def overtaken(end: End) -> None:
    """The next request comes while the user is busy: nobody wants that answer any more."""
    end.trip()  # the late answer is the first of a pair's
    for _ in range(40):
        end.exchange(end.frame(), ms=1)
        end.sequence += 1
        end.exchange(end.frame(), ms=1)
        end.sequence += 1
        end.hear(end.solo.frames(100))


def test_overtaken() -> None:
    _, counts, _ = both(SERVER, overtaken, odd_machine)
    assert counts["chan"]["unwanted"] > 10


TABLE = [(disturb, role) for disturb in (every_bit, all_strange, lost) for role in (SERVER, CLIENT)]
TABLE += [(disturb, SERVER) for disturb in (rebooted, odd_answers, overtaken)]


@pytest.mark.parametrize(("disturb", "role"), TABLE)
def test_by_the_number_of_the_channel(disturb: Callable, role: int) -> None:
    """With XK_FAST_TABLE a frame's channel is not the one used last: the same answers."""
    odd = role == CLIENT or disturb in (odd_answers, overtaken)
    machine = odd_machine if odd else xrpctest
    both(role, disturb, lambda options: machine(SEVERAL if options else options))


def test_a_way_up_without_sum_is_found() -> None:
    old = "struct chan_end *e = s->state;\n\n\tif (PREDICT_FALSE(!is_steady(e) || "
    old += "!is_expected(&e->fast, w) || !sum_is_right(w)))"
    fault = Fault("no sum of a channel", FAST_CALL, old, old.replace(" || !sum_is_right(w)", ""))
    xrpctest_ = sorted((FIRMWARE / "apps" / "xrpctest").glob("*.c"))
    wrong = machine_with(fault, xrpctest_, HOST / "rpc.graph", ("-DXK_FAST_TABLE",))
    with pytest.raises(AssertionError):
        both(SERVER, every_bit, lambda options: wrong if options else xrpctest(options))


@pytest.mark.parametrize("seed", sampled([2, 5], (5).__eq__))
def test_pingpong_with_losses(seed: int) -> None:
    """With one frame in ten lost, frames are those of machines without a fast path."""
    usual, fast = (
        run([program("pingpong"), *machines("rpc", o), "0", "20", str(seed), "10", "1"]).stdout
        for o in (GENERAL, FAST)
    )
    assert usual == fast


FAST_CALL = FIRMWARE / "protocols" / "mselect" / "mselect_fast.c"
# In it: an expression that becomes 0, or a statement that is left out; and the test
# that finds it.
MUTANTS = {
    "IP's sum is not checked": ("checksum_fold(sum)", every_bit, SERVER),
    "any station will do": ("(w[STATION] ^ x[STATION])", every_bit, SERVER),
    "any peer will do": ("w[SOURCE_TYPE] ^ x[SOURCE_TYPE]", every_bit, CLIENT),
    "any address will do": ("(w[SOURCE] ^ x[SOURCE])", all_strange, SERVER),
    "BLAST's protocol is not seen": ("w[BLAST_UPPER] ^ x[BLAST_UPPER]", every_bit, SERVER),
    "BLAST's bytes are not seen": ("w[BLAST_BYTES] ^ x[BLAST_BYTES]", every_bit, SERVER),
    "BLAST's mask is not seen": ("w[BLAST_MASK] ^ x[BLAST_MASK]", every_bit, SERVER),
    "any boot will do": ("w[BID_SOURCE] ^ x[BID_SOURCE]", every_bit, SERVER),
    "addressed to any boot": ("w[BID_UPPER] ^ x[BID_UPPER]", every_bit, CLIENT),
    "any channel will do": ("w[CHAN_UPPER] ^ x[CHAN_UPPER]", every_bit, SERVER),
    "any sequence will do": ("w[CHAN_BYTES] ^ x[CHAN_BYTES]", every_bit, SERVER),
    "a refusal is not seen": ("w[STATUS] ^ x[STATUS]", all_strange, CLIENT),
    "an answer to an older call is sent": ("e->sequence == sequence", overtaken, SERVER),
    "a failure is not seen": ("result < 0", odd_answers, SERVER),
    "data in an answer are not seen": ("reply->front != NULL", odd_answers, SERVER),
}


def is_odd(name: str) -> bool:
    """Below a user with odd answers, or one that a failure does not stop."""
    _, disturb, role = MUTANTS[name]
    return role == CLIENT or disturb in (overtaken, odd_answers)


def mutant(name: str) -> Path:
    """A machine with this mistake in its fast path."""
    old = MUTANTS[name][0]
    new = "1" if " == " in old else f"(0 & ({old}))"
    xrpctest = sorted((FIRMWARE / "apps" / "xrpctest").glob("*.c"))
    above = [PROGRAMS / "odd_user.c"] if is_odd(name) else xrpctest
    return machine_with(Fault(name, FAST_CALL, old, new), above, HOST / "rpc.graph")


@pytest.mark.parametrize("name", MUTANTS)
def test_mistakes_are_found(name: str) -> None:
    _, disturb, role = MUTANTS[name]
    usual = odd_machine if is_odd(name) else xrpctest
    with pytest.raises(AssertionError):
        both(role, disturb, lambda options: mutant(name) if options else usual(options))


BEGIN = "mselect_fast_begin.c"
ENTRY = {  # mistakes in what the driver is asked for, and in the comparison with its id
    "no station is in the entry": (BEGIN, "{ all << 16,", "{ 0,"),
    "no protocol is in the entry": (BEGIN, "PROTOCOL_SOURCE, all, all,", "0, 0, all,"),
    "all frames have an id": ("mselect_fast.c", "PATH_UNKNOWN(w[STATION], f->path)", "0"),
}


@pytest.mark.parametrize("name", ENTRY)
def test_a_mistake_in_the_entry_is_found(name: str) -> None:
    file, *texts = ENTRY[name]
    above = sorted((FIRMWARE / "apps" / "xrpctest").glob("*.c"))
    fault = Fault(name, FAST_CALL.with_name(file), *texts)
    wrong = machine_with(fault, above, HOST / "rpc.graph", RECOGNISED)
    with pytest.raises(AssertionError):
        both(SERVER, every_bit, lambda options: wrong if options else xrpctest(options))
