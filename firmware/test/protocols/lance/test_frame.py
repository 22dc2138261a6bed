# SPDX-License-Identifier: BSD-2-Clause
"""Frame copies and descriptor accessors, compiled for the host, against the address rules."""

import ctypes
import random
import subprocess

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import usc
from mcpi.firmware.commands import PREFIX
from mcpi.firmware.images import build, plan
from mcpi.machine import profile

SEED = 7
SLACK = 64
FILL = 0xA5
WRAPPERS = """
#include "protocols/lance/layout.h"
void set_descriptor(uint64_t d, uint32_t address, uint32_t length, uint32_t result, uint32_t flags)
{
	descriptor_address__gap2_set(d, address);
	descriptor_length__gap2_set(d, length);
	descriptor_errors__gap2_set(d, result);
	descriptor_flags__gap2_set(d, flags);
}
uint32_t get_flags(uint64_t d) { return descriptor_flags__gap2_get(d); }
uint32_t get_errors(uint64_t d) { return descriptor_errors__gap2_get(d); }
uint32_t get_count(uint64_t d) { return descriptor_count__gap2_get(d); }
"""


class Writer(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("base", "offset", "held", "partial")]


def gap16(offset: int) -> int:
    """Sixteen bytes, then sixteen of gap."""
    return offset // 16 * 32 + offset % 16


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frame")
    (folder / "wrappers.c").write_text(WRAPPERS)
    description = FIRMWARE / "protocols" / "lance" / "lance.usc"
    (folder / "lance.usc.h").write_text(usc.header(description))
    target = folder / "frame.so"
    sources = [FIRMWARE / "protocols" / "lance" / "frame.c", folder / "wrappers.c"]
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fsanitize=undefined"]
    command += ["-fno-sanitize-recover=all", "-fno-sanitize=alignment", "-shared", "-fPIC"]
    command += [f"-I{FIRMWARE}", f"-I{folder}", *map(str, sources), "-o", str(target)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(target))


def aligned(size: int, alignment: int = 32):
    """A buffer and the address in it that is aligned, filled with FILL."""
    memory = ctypes.create_string_buffer(bytes([FILL]) * (size + alignment), size + alignment)
    address = ctypes.addressof(memory)
    return memory, address + -address % alignment


@pytest.mark.parametrize("size", [60, 61, 64, 65, 127, 590, 1513, 1514])
def test_receive(library, size):
    rng = random.Random(SEED)
    frame = rng.randbytes(size)
    buffer, base = aligned(4 * 1536)
    for i, byte in enumerate(frame):
        ctypes.memset(base + gap16(i), byte, 1)
    leaf, start = aligned(1552 + SLACK)
    library.frame_from_gap16(
        ctypes.c_void_p(start + 2), ctypes.c_uint64(base), ctypes.c_size_t(size)
    )
    assert ctypes.string_at(start + 2, size) == frame
    behind = ctypes.string_at(start + 2 + size + 24, SLACK - 26)
    assert behind == bytes([FILL]) * len(behind), "wrote past what the leaf has"


def write_frame(library, pieces, minimum=60):
    buffer, base = aligned(2 * 1536 + SLACK)
    writer = Writer(base, 0, 0, 0)
    for data, offset in pieces:
        piece, address = aligned(len(data) + offset + SLACK)
        ctypes.memmove(address + offset, data, len(data))
        library.frame_put(
            ctypes.c_void_p(address + offset), ctypes.c_size_t(len(data)), ctypes.byref(writer)
        )
    library.frame_finish.restype = ctypes.c_size_t
    size = library.frame_finish(ctypes.byref(writer), ctypes.c_size_t(minimum))
    dense = b"".join(ctypes.string_at(base + gap16(i), 1) for i in range(size))
    gaps = [ctypes.string_at(base + 32 * i + 16, 16) for i in range(96)]
    assert all(g == bytes([FILL]) * 16 for g in gaps), "wrote into a gap"
    return dense


def test_transmit_random_pieces(library):
    for seed in range(SEED, SEED + 400):
        rng = random.Random(seed)
        count = rng.randrange(1, 6)
        sizes = [rng.choice([0, 1, rng.randrange(40), rng.randrange(300)]) for _ in range(count)]
        pieces = [(rng.randbytes(n), rng.randrange(16)) for n in sizes]
        whole = b"".join(data for data, _ in pieces)
        assert write_frame(library, pieces) == whole.ljust(60, b"\0"), f"seed {seed}"


def test_transmit_largest(library):
    data = random.Random(SEED).randbytes(1514)
    assert write_frame(library, [(data[:54], 2), (data[54:], 0)]) == data


@pytest.mark.parametrize("size", range(66))
def test_padding(library, size):
    data = bytes(range(1, size + 1))
    assert write_frame(library, [(data, 5)]) == data.ljust(60, b"\0")


def test_descriptor(library):
    memory, base = aligned(64)
    library.set_descriptor(ctypes.c_uint64(base), 0x1234, 1536, 0xABCD, 0x83)
    # Words 0 to 3 of the chip, each in the low half of a longword; BCNT is -1536 under four ones.
    words = [int.from_bytes(ctypes.string_at(base + 4 * i, 4), "little") for i in range(5)]
    assert words == [0x1234, 0x8300, 0xFA00, 0xABCD, 0x01010101 * FILL]
    # Bits that the chip leaves in the upper halves must not show.
    ctypes.memmove(base + 4, (0xDEAD4300).to_bytes(4, "little"), 4)
    ctypes.memmove(base + 12, (0xBEEF7040).to_bytes(4, "little"), 4)
    assert library.get_flags(ctypes.c_uint64(base)) == 0x43
    assert library.get_errors(ctypes.c_uint64(base)) == 0x7040
    assert library.get_count(ctypes.c_uint64(base)) == 0x40


def test_no_partial_stores_on_alpha(tmp_path):
    """Bytes and words are stored by read-modify-write on EV4, which races with the chip."""
    folder = build(plan(profile.load("dec3000-600"), "std", "tcp")).folder
    rules = ["-std=c11", "-ffreestanding", "-mcpu=ev4", "-mno-fp-regs", "-O2", f"-I{folder}"]
    for name in ("frame", "transmit", "receive", "chip"):
        source, target = FIRMWARE / "protocols" / "lance" / f"{name}.c", tmp_path / f"{name}.o"
        command = [f"{PREFIX}gcc", *rules, f"-I{FIRMWARE}", "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        dump = [f"{PREFIX}objdump", "-d", "--no-show-raw-insn", str(target)]
        code = heard(dump, check=True).stdout
        assert "stq" in code or "stl" in code
        assert "stq_u" not in code, f"{name}.c stores less than a longword"
