# SPDX-License-Identifier: BSD-2-Clause
"""A board from its sources to its bitstream, as ``./mcpi board build`` makes it; ten minutes
beside the other tests."""

import json
import struct
from pathlib import Path

import pytest

from mcpi.base import yosys
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.fpga import bram_image
from mcpi.machine import boards

BOARD = "ecpix-5"
FRAMES, PAGE = 1024, 256
NUMBERS = 2 * bram_image.TABLES // PAGE
# The IDCODE of an LFE5UM5G-85F; the first four bytes behind the comment of an ECP5's bitstream.
IDCODE, PREAMBLE = bytes.fromhex("81113043"), bytes.fromhex("ffffbdb3")


@pytest.mark.long
def test_a_board():
    words = [ROOT / "mcpi", "board", "build", BOARD, "--json"]
    done = heard(words)
    assert not done.returncode, done.stderr[-4000:]
    found = json.loads(done.stdout)
    assert found["median_mhz"] >= found["wanted_mhz"] == boards.load(BOARD).clock_mhz
    (run,) = found["runs"]
    others = [clock for clock in run["clocks"] if clock["wanted"] != found["wanted_mhz"]]
    assert len(others) == 2, "RGMII's and RXC"
    for clock in others:
        assert clock["achieved"] >= clock["wanted"], clock
    assert begins_well(Path(found["bitstream"]))
    embedded(Path(found["bitstream"]))


def begins_well(bitstream: Path) -> bool:
    begins = bitstream.read_bytes()[:400]
    return PREAMBLE in begins and IDCODE in begins


def embedded(plain: Path) -> None:
    """The same with firmware in it, which ecpunpack finds: all of RAM and map, and no more."""
    words = [ROOT / "mcpi", "board", "embed", BOARD, "--stack", "rpc", "--variant", "all"]
    done = heard(words)
    assert not done.returncode, done.stderr[-4000:]
    made = Path(done.stdout.split()[0])
    assert begins_well(made)
    before, after = (block_rams(file) for file in (plain, made))
    parts = json.loads((plain.parent / "cells.json").read_text())["embed"]
    numbers = {wid: bram_image.numbered(shards) for wid, shards in before.items()}
    assert sorted(filter(None, numbers.values())) == list(range(1, len(parts) + 1))
    assert all(before[wid] == after[wid] for wid, number in numbers.items() if not number)
    found = {n: after[wid] for wid, n in numbers.items() if n}
    ram, held = memories([bram_image.Part(*part) for part in parts], found)
    pages = {
        entry % NUMBERS: bytes(ram[frame * PAGE : (frame + 1) * PAGE])
        for frame, entry in enumerate(held)
        if entry
    }
    magic, name, count = struct.unpack_from("<8sQI", pages.pop(NUMBERS - 1))
    segments = [(number * PAGE, page) for number, page in pages.items()]
    assert (magic, name, count) == (bram_image.MAGIC, bram_image.name(segments), len(pages) + 1)
    assert f"{name:016x}" in done.stdout and count > 100


def block_rams(bitstream: Path) -> dict[str, list[int]]:
    """Their contents by the number the configuration gives them."""
    words = [bitstream.name, f"{bitstream.stem}.unpacked"]
    yosys.run("yowasp-ecpunpack", words, bitstream.parent, "unpack.out")
    text = (bitstream.parent / words[1]).read_text()
    found = bram_image.CONTENTS.finditer(text)
    return {hit[1]: [int(shard, 16) for shard in hit[2].split()] for hit in found}


def memories(
    parts: list[bram_image.Part], found: dict[int, list[int]]
) -> tuple[bytearray, list[int]]:
    """RAM and page map out of block RAMs, by their numbers."""
    ram, held = bytearray(FRAMES * PAGE), [0] * FRAMES
    for part, (_, shards) in zip(parts, sorted(found.items())):
        every = 9 if part.width % 9 == 0 else 8
        value = sum(shard << every * i for i, shard in enumerate(shards))
        rows = f"{value:0{every * len(shards)}b}"[::-1]
        for row in range(FRAMES if part.lane is None else len(ram) // bram_image.BLOCK):
            bits = int(rows[row * part.width : (row + 1) * part.width][::-1], 2) << part.low
            if part.lane is None:
                held[row] |= bits
            else:
                ram[row * bram_image.BLOCK + part.lane] |= bits
    return ram, held
