# SPDX-License-Identifier: BSD-2-Clause
"""The x-kernel and its protocols on the host, under address and undefined-behaviour sanitizers.

Builds into ``build/host`` by plain compiler calls; a file again when it or a header changed.
Every C case of ``host_tests`` is a test of its own; ``pingpong`` runs two whole machines.
"""

import itertools
import os
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

from mcpi import compose
from mcpi.paths import BUILD, ROOT

FIRMWARE = ROOT / "firmware"
TEST = FIRMWARE / "test"
OUT = BUILD / "host"
CC = os.environ.get("MCPI_HOST_CC", "gcc")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = ["-std=c11", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", *WARNINGS]
KERNEL = [
    *sorted(p for p in (FIRMWARE / "xkernel").glob("*.c") if p.stem not in ("memory", "allocate")),
    *sorted((FIRMWARE / "protocols").glob("*/*.c")),
    *sorted((FIRMWARE / "platform" / "host").glob("*.c")),
]
# The driver of the chip is exercised on the simulated machine; here wire.c stands in its place.
KERNEL = [p for p in KERNEL if p.parent.name != "lance"]
CASES = [p for p in sorted(TEST.glob("*.c")) if p.stem not in ("pingpong", "test_heap")]
TCPTEST = sorted((FIRMWARE / "tests" / "tcptest").glob("*.c"))
SWITCHES = ["XK_WORDS", "XK_REFRESH", "XK_MAPINL", "XK_NODIV"]


def run(command: list, **more) -> subprocess.CompletedProcess:
    """Run a command that must succeed; its whole output is in the failure."""
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done


@cache
def newest_header() -> float:
    return max(p.stat().st_mtime for p in FIRMWARE.rglob("*.h"))


def compile_object(source: Path, folder: Path, options: tuple[str, ...] = ()) -> Path:
    """One object file, up to date."""
    name = str(source.relative_to(ROOT)).replace("/", "_")
    output = (folder / name).with_suffix(".o")
    if output.exists() and output.stat().st_mtime > max(source.stat().st_mtime, newest_header()):
        return output
    folder.mkdir(parents=True, exist_ok=True)
    run([CC, *FLAGS, *SANITIZE, *options, f"-I{FIRMWARE}", "-c", source, "-o", output])
    return output


def graph_table(graph: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "graph_table.c"
    compose.compose_files([graph], table)
    return table


@cache
def host_tests(options: tuple[str, ...] = ()) -> Path:
    """The program with all cases; ``options`` are switches of another build."""
    folder = OUT / ("cases" + "".join(options).replace("=", "_"))
    table = graph_table(TEST / "tcp.graph", folder)
    main = ("-Dmain=kernel_main",)
    objects = [compile_object(s, folder, options) for s in [*KERNEL, *CASES, table]]
    objects.append(compile_object(FIRMWARE / "main.c", folder, options + main))
    program = folder / "host_tests"
    run([CC, *SANITIZE, *objects, "-o", program])
    return program


@cache
def machines() -> list[Path]:
    """The machine as a library, in two copies: two sets of globals in one process."""
    folder = OUT / "machine"
    table = graph_table(FIRMWARE / "graphs" / "tcp.graph", folder)
    objects = [compile_object(s, folder) for s in [*KERNEL, *TCPTEST, table]]
    objects.append(compile_object(FIRMWARE / "main.c", folder, ("-Dmain=kernel_main",)))
    copies = [folder / f"machine{n}.so" for n in (0, 1)]
    for library in copies:
        run([CC, *SANITIZE, "-shared", "-Wl,-Bsymbolic", *objects, "-o", library])
    return copies


def case_names() -> list[str]:
    """From the tables in the sources, so that collecting tests builds nothing."""
    names = []
    for source in CASES:
        for line in source.read_text().splitlines():
            if line.startswith('\t{ "'):
                names.append(line.split('"')[1])
    return names


def run_case(program: Path, name: str, **environment: str) -> None:
    done = subprocess.run(
        [program, name],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    setting = " ".join(f"{k}={v}" for k, v in environment.items())
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nagain: {setting} {program.relative_to(ROOT)} {name}"
    )


@pytest.mark.parametrize("name", case_names())
def test_case(name: str) -> None:
    run_case(host_tests(), name)


def test_no_case_is_forgotten() -> None:
    listed = run([host_tests(), "--list"]).stdout.split()
    assert sorted(listed) == sorted(case_names())
    print(f"{len(listed)} cases")


def test_all_cases_with_switches_off() -> None:
    """The Original code of SIGCOMM'96 Table 1 does the same, only slower."""
    program = host_tests(tuple(f"-D{switch}=0" for switch in SWITCHES))
    for name in case_names():
        run_case(program, name)


def test_each_allocation_fails() -> None:
    """Every allocation of a conversation fails in its turn, alone and with the two after it."""
    for name in ("tcp_each_allocation_fails_once", "tcp_three_allocations_fail"):
        for skip in range(40):
            run_case(host_tests(), name, FAIL_ALLOCATION=str(skip))


def test_heap_and_memory() -> None:
    rename = [f"-D{f}=kernel_{f}" for f in ("memcpy", "memmove", "memset", "memcmp")]
    kernel = FIRMWARE / "xkernel"
    folder = OUT / "heap"
    folder.mkdir(parents=True, exist_ok=True)
    base = [CC, *FLAGS, *SANITIZE, f"-I{FIRMWARE}"]
    run([*base, "-fno-builtin", *rename, "-c", kernel / "memory.c", "-o", folder / "memory.o"])
    sources = [kernel / "allocate.c", TEST / "test_heap.c", folder / "memory.o"]
    run([*base, *sources, "-o", folder / "test_heap"])
    run([folder / "test_heap"])


class Frame:
    """One line of pingpong's output: a TCP segment on the wire."""

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


@cache
def pingpong_program() -> Path:
    program = OUT / "machine" / "pingpong"
    OUT.joinpath("machine").mkdir(parents=True, exist_ok=True)
    run([CC, *FLAGS, *SANITIZE, f"-I{FIRMWARE}", TEST / "pingpong.c", "-ldl", "-o", program])
    return program


def pingpong(warmup: int, trips: int, seed: int, lose: int = 0) -> list[Frame]:
    numbers = [str(n) for n in (warmup, trips, seed, lose)]
    lines = run([pingpong_program(), *machines(), *numbers]).stdout.splitlines()
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
    folder = OUT / "machine-off"
    off = tuple(f"-D{s}=0" for s in SWITCHES)
    table = graph_table(FIRMWARE / "graphs" / "tcp.graph", folder)
    objects = [compile_object(s, folder, off) for s in [*KERNEL, *TCPTEST, table]]
    main = compile_object(FIRMWARE / "main.c", folder, (*off, "-Dmain=kernel_main"))
    library = folder / "machine0.so"
    run([CC, *SANITIZE, "-shared", "-Wl,-Bsymbolic", *objects, main, "-o", library])
    command = [pingpong_program(), library, machines()[1], "2", "20", "3"]
    lines = run(command).stdout.splitlines()
    assert [Frame(line).raw for line in lines if line[0].isdigit()] == expected


@pytest.mark.parametrize("seed", range(1, 6))
def test_pingpong_with_losses(seed: int) -> None:
    """One frame in ten is lost: all exchanges happen and both sides close."""
    frames = pingpong(0, 30, seed, lose=10)
    assert sum(f.lost for f in frames) > 0


def test_no_exchange_at_all() -> None:
    frames = pingpong(0, 0, seed=1)
    assert [f.flags & ~PSH for f in frames if f.sender == 0] == [SYN, ACK, FIN | ACK, ACK]


def test_server_absent() -> None:
    """Without a server the client says so and fails."""
    command = [pingpong_program(), *machines(), "0", "1", "1", "100"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "exit 0 1 mcpi: tcptest: cannot open a connection" in done.stdout
