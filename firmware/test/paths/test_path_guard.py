# SPDX-License-Identifier: BSD-2-Clause
"""Which frames take a path: the code of its [guard], against what the headers say by scapy."""

import random
import struct
import subprocess
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from firmware_support.host_build import OUT, compile_all, link, write
from firmware_support.pair_machines import build
from firmware_support.pair_machines import run as run_pair
from scapy.layers.inet import IP, TCP

from mcpi.firmware import path_inline

GENERAL, ON_PATH = "general", "path"
OFF, SOFTWARE, CONTROLLER = 0, 1, 2  # who recognises a frame


@cache
def program(path: str, guard: int) -> Path:
    folder = OUT / f"guard-{path}-{guard}"
    spec = tomllib.loads((path_inline.PATHS / f"{path}.toml").read_text())
    text = path_inline.guard_text(path, spec["guard"])
    macros, _, code = text.partition("\n\n")
    write(folder / "guard.h", macros + "\n")
    source = (
        Path(__file__).with_name("path_guard.c").read_text().replace("\nGUARD\n", f"\n{code}\n")
    )
    write(folder / "path_guard.c", source)
    options = (f"-DPIN_GUARD={int(guard == SOFTWARE)}", f"-I{folder}")
    options += ("-DLANCE_CLASSIFIER=1",) if guard == CONTROLLER else ()
    return link(folder / "path_guard", compile_all([folder / "path_guard.c"], options))


def ways(path: str, guard: int, frames: list[bytes | str], *options: str) -> list[str]:
    lines = "\n".join(f if isinstance(f, str) else f.hex() for f in frames)
    command = [str(program(path, guard)), *options]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return done.stdout.split()


@cache
def received(stack: str, receiver: int) -> list[bytes]:
    """Frames that arrive at one machine in a real exchange."""
    both = [build("std", stack, role) for role in ("client", "server")]
    done = run_pair(stack, *both, 10**10, "--frames", "round_trips=5", "warmup=1")
    return [frame for sender, frame in done.frames if sender != receiver]


def link_and_network(frame: bytes) -> tuple:
    """Fields that both stacks' paths are made for: stations, type, addresses; no options, no
    fragment."""
    ip = IP(frame[14:])
    fragment = struct.unpack_from(">H", frame, 20)[0] & 0x3FFF
    stations_and_type = frame[:14]
    return stations_and_type, ip.version, ip.ihl, fragment, ip.proto, ip.src, ip.dst


def tcp_key(frame: bytes) -> tuple:
    tcp = TCP(frame[34:])
    return *link_and_network(frame), tcp.sport, tcp.dport


def rpc_key(frame: bytes) -> tuple:
    """BLAST: protocol, sequence; BID: protocol; CHAN: flags, protocol (rpc.md)."""
    upper, sequence = struct.unpack_from(">II", frame, 34)
    bid = struct.unpack_from(">I", frame, 66)[0]
    flags, chan = frame[73] & 15, struct.unpack_from(">I", frame, 74)[0]
    return *link_and_network(frame), upper, sequence, bid, flags, chan


PATHS = [
    ("tcp", "tcp", 0, tcp_key),
    ("tcp", "tcp", 1, tcp_key),
    ("rpc-client", "rpc", 0, rpc_key),
    ("rpc-server", "rpc", 1, rpc_key),
]


@pytest.mark.parametrize(("path", "stack", "receiver", "key"), PATHS)
def test_a_real_exchange(path: str, stack: str, receiver: int, key: Callable) -> None:
    """The opening goes the general way, and the frame that opens the path; then all that are like
    it take it."""
    frames = received(stack, receiver)
    went = ways(path, 1, frames)
    first = went.index(ON_PATH)
    assert first <= 4
    assert went[:first] == [GENERAL] * first
    opener = key(frames[first - 1])
    assert went[first:] == [ON_PATH if key(f) == opener else GENERAL for f in frames[first:]]
    assert went.count(ON_PATH) >= 6


@pytest.mark.parametrize(("path", "stack", "receiver", "key"), PATHS)
def test_every_bit(path: str, stack: str, receiver: int, key: Callable) -> None:
    """Frames that differ from the path's in one bit take it only if the headers mean the same."""
    frames = received(stack, receiver)
    opener = frames[ways(path, 1, frames).index(ON_PATH) - 1]
    changed = []
    for bit in range(8 * len(opener)):
        other = bytearray(opener)
        other[bit // 8] ^= 1 << bit % 8
        changed.append(bytes(other))
    went = ways(path, 1, [opener, *changed])[1:]
    wanted = [ON_PATH if key(f) == key(opener) else GENERAL for f in changed]
    wrong = [n for n, (a, b) in enumerate(zip(went, wanted, strict=True)) if a != b]
    assert not wrong, f"byte {wrong[0] // 8} bit {wrong[0] % 8}: {went[wrong[0]]}"
    print(f"{went.count(GENERAL)} of {len(went)} frames are foreign")


@pytest.mark.parametrize(("path", "stack", "receiver", "key"), PATHS)
def test_frames_of_others(path: str, stack: str, receiver: int, key: Callable) -> None:
    """ARP, short frames, noise: none opens the path or takes it."""
    draw = random.Random(1)
    frames = received(stack, receiver)
    opener = frames[ways(path, 1, frames).index(ON_PATH) - 1]
    arp = opener[:12] + bytes.fromhex("0806") + draw.randbytes(46)
    strange = [draw.randbytes(draw.randrange(14, 200)) for _ in range(500)]
    strange += [arp, opener[:20], opener[:30]]
    assert set(ways(path, 1, strange)) == {GENERAL}
    assert ways(path, 1, [*strange, opener, *strange, opener])[-1] == ON_PATH
    assert ways(path, 1, [opener, *strange]).count(ON_PATH) == sum(
        key(f.ljust(100, b"\0")) == key(opener) for f in strange if len(f) > 60
    )


@pytest.mark.parametrize(("path", "stack", "receiver", "key"), PATHS)
def test_only_an_accepted_frame_opens(path: str, stack: str, receiver: int, key: Callable) -> None:
    frames = received(stack, receiver)
    opener = frames[ways(path, 1, frames).index(ON_PATH) - 1]
    refused = f"-{opener.hex()}"
    assert ways(path, 1, [refused, refused, opener, opener]) == [GENERAL] * 3 + [ON_PATH]


def test_without_the_guard_all_frames_are_the_paths() -> None:
    """Frames are all the path's, as in the paper: the opener of the path vouches for the wire."""
    frames = received("tcp", 0)
    opener = frames[ways("tcp", 1, frames).index(ON_PATH) - 1]
    foreign = b"\xff" * 60
    assert ways("tcp", 0, [foreign, opener, foreign, opener]) == [GENERAL] * 2 + [ON_PATH] * 2


@pytest.mark.parametrize(("path", "stack", "receiver", "key"), PATHS)
def test_the_controllers_id_is_the_guards_answer(
    path: str, stack: str, receiver: int, key: Callable
) -> None:
    """With a classifier: real frames, each bit changed, noise."""
    draw = random.Random(2)
    frames = received(stack, receiver)
    opener = frames[ways(path, SOFTWARE, frames).index(ON_PATH) - 1]
    changed = [opener]
    for bit in range(8 * len(opener)):
        other = bytearray(opener)
        other[bit // 8] ^= 1 << bit % 8
        changed.append(bytes(other))
    changed += [draw.randbytes(draw.randrange(14, 200)) for _ in range(200)]
    for sent in (frames, changed):
        went = ways(path, CONTROLLER, sent)
        assert went == ways(path, SOFTWARE, sent) and {*went} == {GENERAL, ON_PATH}


def test_without_an_entry_the_path_stays_closed() -> None:
    frames = received("tcp", 0)
    assert set(ways("tcp", CONTROLLER, frames, "full")) == {GENERAL}
    assert ON_PATH in ways("tcp", CONTROLLER, frames)
