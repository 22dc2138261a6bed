# SPDX-License-Identifier: BSD-2-Clause
"""The x-kernel and its protocols on the host (host_build.py): cases, and TCPTEST's ping-pong.

Every C case of ``host_tests`` is a test of its own; ``pingpong`` runs two whole machines.
"""

import itertools
import struct

import pytest
from firmware_support.host_build import (
    CC,
    FAST,
    FIRMWARE,
    FLAGS,
    OUT,
    PATH,
    SANITIZE,
    SEVERAL,
    SWITCHES,
    TEST,
    case_names,
    host_tests,
    machines,
    program,
    run,
    run_apart,
    run_case,
    same_cases,
)

from mcpi.base.process import heard
from verify.long_tests import sampled


@pytest.mark.parametrize("name", case_names())
def test_case(name: str) -> None:
    run_case(host_tests(), name)


def test_no_case_is_forgotten() -> None:
    same_cases(host_tests(), case_names())


def test_all_cases_with_switches_off() -> None:
    """The Original code of SIGCOMM'96 Table 1 does the same, only slower."""
    run_apart(host_tests((*(f"-D{switch}=0" for switch in SWITCHES), "-UXK_ARP")), case_names())


OUTLINED = ("-DXK_OUTLINE",)
INLINED = ("-DXK_OUTLINE", "-DPIN_GUARD=1", PATH)


@pytest.mark.parametrize(
    "options",
    sampled([OUTLINED, INLINED, FAST, SEVERAL], FAST.__eq__),
    ids=["out", "pin", "fast", "several"],
)
def test_all_cases_as_other_variants(options: tuple[str, ...]) -> None:
    """PIN with its guard: the cases' peers send what no path is made for."""
    run_apart(host_tests(options), case_names())


@pytest.mark.long
@pytest.mark.parametrize("switch", ["XK_TCP_NET2", "XK_TCP_HDRPRED"])
def test_tcp_cases_as_net2(switch: str) -> None:
    """Fast recovery and header prediction change what test_tcp_net2.c says, and nothing else."""
    # Tahoe's answer to three duplicates; tcp_recovery has both.
    names = [n for n in case_names() if n.startswith("tcp_") and n != "tcp_fast_retransmit"]
    run_apart(host_tests((f"-D{switch}=1",)), names)


def test_each_allocation_fails() -> None:
    """Every allocation of a conversation fails in its turn, alone and with the two after it."""
    for stack, allocations in (("tcp", 40), ("rpc", 110)):
        for case in ("each_allocation_fails_once", "three_allocations_fail"):
            run_apart(host_tests(), (f"{stack}_{case}={skip}" for skip in range(allocations)))


def test_heap_and_memory() -> None:
    rename = [f"-D{f}=kernel_{f}" for f in ("memcpy", "memmove", "memset", "memcmp")]
    kernel = FIRMWARE / "xkernel" / "memory"
    folder = OUT / "heap"
    folder.mkdir(parents=True, exist_ok=True)
    base = [CC, *FLAGS, *SANITIZE, f"-I{FIRMWARE}"]
    run([*base, "-fno-builtin", *rename, "-c", kernel / "memory.c", "-o", folder / "memory.o"])
    sources = [
        kernel / "allocate.c",
        TEST / "xkernel" / "memory" / "test_allocate.c",
        folder / "memory.o",
    ]
    run([*base, *sources, "-o", folder / "test_heap"])
    run([folder / "test_heap"])


class Frame:
    """A line of pingpong's output: a TCP segment on the wire."""

    def __init__(self, line: str) -> None:
        time, sender, data, *lost = line.split()
        self.ticks, self.sender, self.lost = int(time), int(sender), bool(lost)
        raw = bytes.fromhex(data)
        total = struct.unpack_from(">H", raw, 16)[0]
        self.sequence, self.ack = struct.unpack_from(">II", raw, 38)
        self.flags = raw[47]
        header = (raw[46] >> 4) * 4
        self.data = raw[34 + header : 14 + total]
        self.raw = raw


def pingpong(warmup: int, trips: int, seed: int, lose: int = 0) -> list[Frame]:
    numbers = [str(n) for n in (warmup, trips, seed, lose)]
    lines = run([program("pingpong"), *machines("tcp"), *numbers]).stdout.splitlines()
    exchanges = warmup + trips + 1 if warmup + trips else 0  # one more, to cool down
    assert lines[-2].startswith(f"exit 0 0 tcptest: {exchanges} exchanges"), lines[-2]
    assert lines[-1].startswith(f"exit 1 0 tcptest: {exchanges} exchanges"), lines[-1]
    return [Frame(line) for line in lines if line[0].isdigit()]


FIN, SYN, PSH, ACK = 1, 2, 8, 16


def test_pingpong() -> None:
    """Handshake, 121 exchanges with every ACK piggy-backed, clean close: frame by frame."""
    frames = pingpong(20, 100, seed=7)
    client, server = 0, 1
    shape = [(f.sender, f.flags & ~PSH, len(f.data)) for f in frames]
    opening = [(client, SYN, 0), (server, SYN | ACK, 0), (client, ACK, 0)]
    exchange = [(client, ACK, 1), (server, ACK, 1)]
    closing = [(client, FIN | ACK, 0), (server, FIN | ACK, 0), (client, ACK, 0)]
    assert shape == opening + 121 * exchange + closing
    for before, frame in itertools.pairwise(frames[3:]):
        assert frame.ack == before.sequence + len(before.data) + (before.flags & FIN)
    print(f"{len(frames)} frames")


def test_pingpong_is_deterministic() -> None:
    def bytes_of(seed: int) -> list[bytes]:
        return [f.raw for f in pingpong(2, 20, seed)]

    assert bytes_of(1) == bytes_of(1)
    assert bytes_of(1) != bytes_of(2)


def test_wire_bytes_do_not_depend_on_switches() -> None:
    """Variants put the same frames on the wire in the same order (architecture.md 5)."""
    expected = [f.raw for f in pingpong(2, 20, seed=3)]
    off = machines("tcp", tuple(f"-D{s}=0" for s in SWITCHES))
    command = [program("pingpong"), off[0], machines("tcp")[1], "2", "20", "3"]
    lines = run(command).stdout.splitlines()
    assert [Frame(line).raw for line in lines if line[0].isdigit()] == expected


@pytest.mark.parametrize("guard", sampled([0, 1], (1).__eq__))
def test_wire_bytes_do_not_depend_on_the_path(guard: int) -> None:
    pair = machines("tcp", ("-DXK_OUTLINE", f"-DPIN_GUARD={guard}", PATH))
    lines = run([program("pingpong"), *pair, "2", "20", "3"]).stdout.splitlines()
    frames = [Frame(line).raw for line in lines if line[0].isdigit()]
    assert frames == [f.raw for f in pingpong(2, 20, seed=3)]


@pytest.mark.parametrize("seed", sampled(range(1, 6), (1).__eq__))
def test_pingpong_with_losses(seed: int) -> None:
    """With one frame in ten lost, all exchanges happen and both sides close."""
    frames = pingpong(0, 30, seed, lose=10)
    assert sum(f.lost for f in frames) > 0


def test_no_exchange_at_all() -> None:
    frames = pingpong(0, 0, seed=1)
    assert [f.flags & ~PSH for f in frames if f.sender == 0] == [SYN, ACK, FIN | ACK, ACK]


def test_server_absent() -> None:
    """Without a server the client says so and fails."""
    command = [program("pingpong"), *machines("tcp"), "0", "1", "1", "100"]
    done = heard(command)
    assert done.returncode == 1
    assert "exit 0 1 mcpi: tcptest: cannot open a connection" in done.stdout
