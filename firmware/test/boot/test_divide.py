# SPDX-License-Identifier: BSD-2-Clause
"""The division routines against Python's integers, on an Alpha (qemu-alpha), registers included."""

import random
import signal
import struct
import subprocess
from pathlib import Path

import pytest

from mcpi.base.repo import FIRMWARE
from mcpi.firmware.commands import PREFIX

SEED = 20
PATTERN = ((0x4321 << 40) + 0x1235) & (2**64 - 1)
KEPT = [*range(23), 24, 25, 26, 29]
EDGES = [1, 2, 3, 7, 10, 255, 1460, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def long(value: int) -> int:
    """A longword as a register holds it: sign-extended, whatever its type."""
    return signed(value, 32) & (2**64 - 1)


def quotient(a: int, b: int) -> int:
    """Towards zero, as C."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def expected(a: int, b: int) -> list[int]:
    """Results of the eight routines for registers a and b; the last four see longwords."""
    results = []
    for bits in (64, 32):
        ua, ub = (v & ((1 << bits) - 1) for v in (a, b))
        sa, sb = signed(a, bits), signed(b, bits)
        results += [ua // ub, ua % ub, quotient(sa, sb), sa - quotient(sa, sb) * sb]
    return [v & (2**64 - 1) for v in results[:4]] + [long(v) for v in results[4:]]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    target = tmp_path_factory.mktemp("divide") / "divide"
    sources = [Path(__file__).with_name("divide_harness.S"), FIRMWARE / "boot" / "divide.S"]
    command = [f"{PREFIX}gcc", "-mcpu=ev4", "-nostdlib", "-static", "-Wl,--no-relax"]
    command += [f"-I{FIRMWARE}", *map(str, sources), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


def run(program, pairs):
    data = b"".join(struct.pack("<QQ", *p) for p in pairs)
    command = ["qemu-alpha", "-cpu", "ev4", str(program)]
    return subprocess.run(command, input=data, capture_output=True, timeout=120)


def check(program, pairs):
    """Each routine's result, and that it left every other register alone."""
    done = run(program, pairs)
    assert done.returncode == 0
    assert len(done.stdout) == len(pairs) * 8 * 256
    blocks = list(struct.iter_unpack("<32Q", done.stdout))
    for i, (a, b) in enumerate(pairs):
        wanted = expected(a, b)
        for j in range(8):
            registers = blocks[8 * i + j]
            assert registers[27] == wanted[j], f"routine {j}: {a:#x}, {b:#x} (seed {SEED})"
            for n in KEPT:
                before = {24: a, 25: b}.get(n, PATTERN * n & (2**64 - 1))
                assert registers[n] == before, f"routine {j} changed ${n}: {a:#x}, {b:#x}"


def longs(a, b):
    """Operands both halves of the routines accept: 32-bit ones come sign-extended."""
    return long(a), long(b)


def test_edges(program):
    pairs = [(a, b) for a in [0, *EDGES] for b in EDGES if b & 0xFFFFFFFF]
    check(program, pairs + [longs(a, b) for a, b in pairs])


def test_random(program):
    rng = random.Random(SEED)
    pairs = []
    while len(pairs) < 1500:
        a, b = (rng.getrandbits(64) >> rng.randrange(64) for _ in range(2))
        if b & 0xFFFFFFFF:
            pairs += [(a, b), longs(a, b), (a, 2**64 - b), (2**64 - 1 - a, b)]
    check(program, pairs)


def test_zero_traps(program):
    assert run(program, [(1, 0)]).returncode == -signal.SIGFPE
