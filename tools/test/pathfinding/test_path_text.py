# SPDX-License-Identifier: BSD-2-Clause
"""A found path as text that path_inline reads: fields of bits, lines of functions."""

import tomllib

from mcpi.firmware import path_inline
from mcpi.firmware.path_inline import INPUT, OUTPUT
from mcpi.pathfinding import path_text
from mcpi.pathfinding.guard import GUARD, Guard
from mcpi.pathfinding.members import Path

FRAME = bytes(range(60))
SAME = 0xFFFF << 8 * 12 | 0x0F << 8 * 14 | 0xFF << 8 * 23


def made() -> dict:
    path = Path({INPUT: ("eth/eth_demux.c", "eth_demux"), OUTPUT: ("tcp/tcp_push.c", "tcp_push")})
    path.inline = {kind: {path.entries[kind]: None} for kind in (INPUT, OUTPUT)}
    path.inline[INPUT] |= {("eth/eth_demux.c", f"function_{n}"): None for n in range(12)}
    path.calls = {("eth", "xPush"): "lance_push", ("eth", "xPop"): "eth_pop"}
    path.several = {("tcp", "xDemux"): ("one", "other")}
    why = {(GUARD, SAME): {"eth_demux map.h:56": None}}
    text = path_text.text("tcp", path, Guard(SAME, SAME & ~(0xFF << 8 * 23), FRAME, why))
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "# xDemux of tcp stays indirect: one, other." in text
    return tomllib.loads(text)


def test_fields() -> None:
    assert [*path_text.fields(SAME)] == [(12, b"\xff\xff"), (14, b"\x0f"), (23, b"\xff")]
    assert not [*path_text.fields(0)]


def test_the_schema_is_that_of_paths_by_hand() -> None:
    spec = made()
    assert spec["calls"] == {"eth": {"xPop": "eth_pop", "xPush": "lance_push"}}
    assert spec[INPUT]["entry"] == "eth_demux"
    assert len(spec[INPUT]["inline"]) == 3, "long lines are cut"
    assert sum(len(line.split()) - 1 for line in spec[INPUT]["inline"]) == 13
    text = path_inline.guard_text("x", spec["guard"])
    # Bytes 12 to 14 are the upper three of quadword 1 and the lowest of quadword 2.
    assert "(frame[1] ^ first[1]) & 0xffff000000000000" in text
    assert "(frame[2] ^ first[2]) & 0xf)" in text
    assert "(frame[2] ^ 0xe) & 0xf)" in text
