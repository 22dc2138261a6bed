# SPDX-License-Identifier: BSD-2-Clause
"""The RPC stack on the host: XRPCTEST's ping-pong, and the storm: calls, losses, reboots."""

import re
import struct
from functools import cache
from pathlib import Path

import pytest
from firmware_support.host_build import (
    FAST,
    HOST,
    OUT,
    PATH,
    PROGRAMS,
    SWITCHES,
    graph_table,
    libraries,
    machines,
    program,
    run,
)

from verify.long_tests import sampled

BLAST, BIDCTL = 101, 205


def pingpong(calls: int, seed: int, lose: int = 0, pair=None) -> list[tuple[int, int, bytes, bool]]:
    """(sender, IP protocol, IP payload, lost) of every frame; both machines must end well."""
    numbers = [str(n) for n in (0, calls - 1, seed, lose, 1)]
    lines = run([program("pingpong"), *(pair or machines("rpc")), *numbers]).stdout.splitlines()
    assert lines[-2] == f"exit 0 0 xrpctest: {calls} calls"
    assert lines[-1] == f"exit 1 0 xrpctest: {calls} calls"
    frames = []
    for line in lines:
        if not line[0].isdigit():
            continue
        _, sender, data, *lost = line.split()
        raw = bytes.fromhex(data)
        total = struct.unpack_from(">H", raw, 16)[0]
        frames.append((int(sender), raw[23], raw[34 : 14 + total], bool(lost)))
    return frames


def test_pingpong() -> None:
    """Three messages of BIDCTL, then two frames of 94 bytes a call, field by field."""
    frames = pingpong(50, seed=7)
    assert [(s, p) for s, p, _, _ in frames[:3]] == [(0, BIDCTL), (1, BIDCTL), (0, BIDCTL)]
    flags = [struct.unpack_from(">H", data)[0] for _, _, data, _ in frames[:3]]
    assert flags == [1, 3, 2]
    boot = [struct.unpack_from(">I", data, 4)[0] for _, _, data, _ in frames[:2]]
    calls = frames[3:]
    assert len(calls) == 2 * 50
    for n, (sender, protocol, data, _) in enumerate(calls):
        assert (sender, protocol, len(data)) == (n % 2, BLAST, 24 + 12 + 16 + 8)
        blast = (21, 0, 36, 0, 1, 0, 0)
        assert struct.unpack_from(">IIIHBBQ", data) == blast
        bid = (boot[sender], boot[1 - sender], 13)
        assert struct.unpack_from(">III", data, 24) == bid
        chan = (5, 0, 2 if sender else 3, 20, 1 + n // 2, 8)
        assert struct.unpack_from(">HBBIII", data, 36) == chan
        assert struct.unpack_from(">II", data, 52) == (1002, sender)


def test_pingpong_is_deterministic() -> None:
    assert pingpong(20, seed=1) == pingpong(20, seed=1)
    assert pingpong(20, seed=1) != pingpong(20, seed=2)


def test_wire_bytes_do_not_depend_on_switches() -> None:
    off = machines("rpc", tuple(f"-D{s}=0" for s in SWITCHES))
    assert pingpong(20, seed=3, pair=(off[0], machines("rpc")[1])) == pingpong(20, seed=3)


@pytest.mark.parametrize("guard", sampled([0, 1], (1).__eq__))
def test_wire_bytes_do_not_depend_on_the_path(guard: int) -> None:
    pair = machines("rpc", ("-DXK_OUTLINE", f"-DPIN_GUARD={guard}", PATH))
    assert pingpong(20, seed=3, pair=pair) == pingpong(20, seed=3)
    assert sum(lost for *_, lost in pingpong(40, 4, lose=10, pair=pair)) > 0


@pytest.mark.parametrize("seed", sampled(range(1, 6), (1).__eq__))
def test_pingpong_with_losses(seed: int) -> None:
    assert sum(lost for *_, lost in pingpong(40, seed, lose=10)) > 0


@cache
def storm_machines(options: tuple[str, ...] = ()) -> list[Path]:
    folder = OUT / ("storm" + "".join(options))
    table = graph_table(folder, HOST / "rpc.graph")
    return libraries(folder, [PROGRAMS / "storm_user.c"], table, options)


def storm(
    calls: int,
    percent: int,
    seed: int,
    server_reboots: int,
    client_reboots: int,
    options: tuple[str, ...] = (),
) -> dict:
    """Counts of the storm; it fails by itself if a call goes wrong (storm.c)."""
    numbers = [str(n) for n in (calls, percent, seed, server_reboots, client_reboots)]
    # Memory that a machine has allocated goes with it.
    said = run(
        [
            "env",
            "ASAN_OPTIONS=detect_leaks=0",
            program("storm"),
            *storm_machines(options),
            *numbers,
        ],
        timeout=500,
    ).stdout
    print(said)
    return {name: int(n) for name, n in re.findall(r"([a-z_]+) (\d+)", said)}


def test_storm() -> None:
    """10^5 calls, 5 % of the frames lost, repeated, overtaken, 20 reboots of the server: none is
    executed twice, none is lost silently, and only reboots make any fail."""
    count = storm(100_000, 5, seed=1, server_reboots=20, client_reboots=0)
    assert count["calls"] == 100_000
    assert count["ok"] + count["reset"] == 100_000
    assert count["ok"] <= count["executed"] <= 100_000
    assert 0 < count["reset"] <= 20 * 48
    assert min(count["lost"], count["repeated"], count["overtaken"]) > 10_000


@pytest.mark.parametrize(
    ("percent", "seed", "options"),
    [(0, 2, ()), (5, 3, ()), (10, 4, ()), (25, 5, ()), (10, 6, FAST)],
    ids=["0", "5", "10", "25", "fast"],
)
def test_storm_of_reboots(percent: int, seed: int, options: tuple[str, ...]) -> None:
    """Either machine every few hundred calls."""
    count = storm(4000, percent, seed, server_reboots=8, client_reboots=8, options=options)
    assert count["calls"] == 4000
    assert count["timed_out"] == count["other"] == 0
