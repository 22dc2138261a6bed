# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the contents that a bitstream puts into RAM and page map, and of the block RAMs that it
changes."""

import random
import struct

import pytest

from mcpi.base.errors import RunError, UserError
from mcpi.engines.board import embed as board_embed
from mcpi.fpga import bram_image
from mcpi.machine import boards
from mcpi.spec.run_spec import RunSpec

FRAMES, PAGE = 1024, 256  # those of the ECPIX-5
NUMBERS = 2 * bram_image.TABLES // PAGE


def lookup(found: bram_image.Contents, number: int) -> bytes | None:
    """Look for a page as the hardware does: from its first frame to an empty one."""
    frame = bram_image.first(number, FRAMES)
    while found.map[frame]:
        if found.map[frame] == NUMBERS + number:
            return found.ram[frame * PAGE :][:PAGE]
        frame = (frame + 1) % FRAMES
    return None


def segments(source: random.Random) -> list[tuple[int, bytes]]:
    """Three regions, one of which begins in the middle of a page; some of it is zero."""
    found = [(0x1_0000, source.randbytes(700)), (0x10_0040, source.randbytes(3000))]
    return [*found, (0x20_0000, bytes(2048) + b"\1"), (0x30_0000, bytes(512))]


@pytest.mark.parametrize("seed", range(5))
def test_every_byte_is_found(seed):
    given = segments(random.Random(seed))
    found = bram_image.contents(given, FRAMES, PAGE)
    pages = {at // PAGE for a, data in given for at, byte in enumerate(data, a) if byte}
    for address, data in given:
        for at, byte in enumerate(data, address):
            page = lookup(found, at // PAGE)
            assert (page[at % PAGE] if page else 0) == byte
            assert (page is None) == (at // PAGE not in pages)
    assert sum(map(bool, found.map)) == found.pages == len(pages) + 1
    record = struct.unpack_from("<8sQI", lookup(found, NUMBERS - 1))
    assert record == (bram_image.MAGIC, bram_image.name(given), found.pages)


def test_a_name_stands_for_bytes_not_for_how_they_are_cut():
    given = segments(random.Random(1))
    cut = [(a + n, data[n : n + 100]) for a, data in given for n in range(0, len(data), 100)]
    assert bram_image.name(cut[::-1]) == bram_image.name(given) != 0
    address, data = given[0]
    other = bytes([data[0] ^ 1]) + data[1:]
    assert bram_image.name([(address, other), *given[1:]]) != bram_image.name(given)
    assert bram_image.name([(address + 8, data), *given[1:]]) != bram_image.name(given)


def test_too_little_ram():
    full = [(0, b"\1" * PAGE * (FRAMES - 2))]
    assert bram_image.contents(full, FRAMES, PAGE).pages == FRAMES - 1
    with pytest.raises(UserError, match=f"{FRAMES} pages of {PAGE} bytes, and .* 1023"):
        bram_image.contents([(0, b"\1" * PAGE * (FRAMES - 1))], FRAMES, PAGE)


@pytest.mark.parametrize("width", [1, 2, 4, 9, 18])
def test_shards_hold_each_bit_once(width):
    rows = [random.Random(width).getrandbits(36) for _ in range(512)]
    low = 36 - width
    shards = bram_image.Part(None, low, width).shards(rows)
    every = 9 if width % 9 == 0 else 8
    bits = [shard >> i & 1 for shard in shards for i in range(every)]
    found = [bits[n * width : (n + 1) * width] for n in range(len(rows))]
    assert found == [[row >> low + i & 1 for i in range(width)] for row in rows]
    assert len(shards) == bram_image.SHARDS and max(shards) < 1 << every


def cell(width: int) -> dict:
    parameters = {"DATA_WIDTH_A": f"{width:032b}", "INITVAL_00": "0" * 320}
    return {"type": "DP16KD", "parameters": parameters}


def routed(netlist: dict) -> str:
    """Configuration as nextpnr writes it for a netlist's block RAMs: two shards lie in 20 bits."""
    text = ".device LFE5U-25F\n"
    for wid, one in enumerate(netlist.values(), 3):
        value = int(one["parameters"]["INITVAL_00"], 2)
        shards = [value >> 20 * (i // 2) + 9 * (i % 2) & 511 for i in range(32)]
        shards += [0] * (bram_image.SHARDS - len(shards))
        rows = (" ".join(f"{s:03x}" for s in shards[i : i + 8]) for i in range(0, len(shards), 8))
        text += f".bram_init {wid}\n" + "\n".join(rows) + "\n\n"
    return text + ".tile R1C1:PLC2\nword: K0 0\n"


NAMES = (
    "inner.map.map_1.0.0",
    "inner.map.map_1.0.1",
    "area_ram.bytes_symbol0.0.3",
    "core.data.0.0",
)


def test_each_block_ram_gets_its_own_and_others_stay():
    netlist = dict(zip(NAMES, (cell(18), cell(18), cell(2), cell(36))))
    known = bram_image.number(netlist)
    assert known == [
        bram_image.Part(0, 6, 2),
        bram_image.Part(None, 0, 18),
        bram_image.Part(None, 18, 18),
    ]
    wanted = bram_image.contents(segments(random.Random(1)), FRAMES, PAGE)
    text = bram_image.into(routed(netlist), known, wanted)
    inits = dict(zip(NAMES, (hit[2].split() for hit in bram_image.CONTENTS.finditer(text))))
    for name, part in bram_image.parts(netlist).items():
        assert [int(word, 16) for word in inits[name]] == part.shards(wanted.rows(part))
    assert set(inits["core.data.0.0"]) == {"000"}
    assert text.endswith(".tile R1C1:PLC2\nword: K0 0\n")


def test_a_configuration_of_another_netlist():
    netlist = dict(zip(NAMES, (cell(18), cell(18), cell(2), cell(36))))
    known = bram_image.number(netlist)
    wanted = bram_image.contents([], FRAMES, PAGE)
    text = routed(netlist)
    with pytest.raises(RunError, match="3 of 4 block RAMs"):
        bram_image.into(text, [*known, known[0]], wanted)
    with pytest.raises(RunError, match="have no numbers: ./mcpi board build it again"):
        bram_image.into(text, [], wanted)
    netlist["core.data.0.0"] = netlist[NAMES[0]]
    with pytest.raises(RunError, match="two block RAMs of the configuration have number 2"):
        bram_image.into(routed(netlist), known, wanted)


def test_a_width_nobody_knows():
    with pytest.raises(RunError, match="36 bits wide"):
        bram_image.parts({NAMES[0]: cell(36)})


def test_what_cannot_be_embedded():
    record = RunSpec(engine="board")
    with pytest.raises(UserError, match="RAM outside the FPGA"):
        board_embed.make(boards.load("colorlight-i9"), record, "client")
    with pytest.raises(UserError, match="--node both: client or server is wanted"):
        board_embed.make(boards.load("ecpix-5"), record, "both")
    with pytest.raises(UserError, match="built .*Type: ./mcpi board build ecpix-5"):
        strange = RunSpec(
            engine="board", settings={"memory.read_ticks": "47", "icache.size": "2KB"}
        )
        board_embed.make(boards.load("ecpix-5"), strange, "client")
