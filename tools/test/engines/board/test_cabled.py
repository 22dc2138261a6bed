# SPDX-License-Identifier: BSD-2-Clause
"""Clocks, cable and memories of two simulated boards at their pins."""

import re

import pytest

from mcpi.engines.board import cabled
from mcpi.fpga import bram_image
from mcpi.machine import boards

BOARD = boards.load("ecpix-5")


def given(seed: int, latency_us: float = 100, loss: float = 0.01) -> list[str]:
    return cabled.words(cabled.Path("out"), seed, latency_us, loss)


@pytest.mark.parametrize("seed", range(20))
def test_clocks_are_quartzes_and_the_cable_is_no_longer_than_said(seed):
    words = given(seed)
    assert words[:4] == ["out", str(BOARD.phy.address), str(seed), "0.01"] and words == given(seed)
    delays = []
    for side in (0, 1):
        *clocks, delay = map(int, words[4 + 5 * side : 9 + 5 * side])
        for mhz, half, phase in zip((BOARD.clock_mhz, 100), clocks[::2], clocks[1::2], strict=True):
            assert abs(half * 2e-9 * mhz - 1) <= 1.01e-4 and 0 <= phase <= 2 * half
        delays.append(delay)
    assert all(3 <= delay <= 10_003 for delay in delays)


def test_seeds_differ():
    assert len({tuple(given(seed)[4:]) for seed in range(20)}) == 20
    assert given(1, latency_us=0)[8] == given(1, latency_us=0)[13] == "3"


def test_both_boards_are_on_the_cable():
    """Each one's frames come to the other, and nothing is joined twice."""
    text = cabled.cabled()
    for a, b in (cabled.SIDES, cabled.SIDES[::-1]):
        assert f"BoardBench {a} (" in text and f"assign {b}_rxc = {a}_out[0];" in text
    assert not re.search(r"SIDE|PEER|public", text)
    assert "output client_rxc public," in cabled.cabled("public")


def test_memories_hold_what_was_filled(tmp_path):
    frames, page = BOARD.frames, BOARD.page_bytes
    wanted = bram_image.contents([(0, bytes(range(200)))], frames, page)
    cabled.fill(wanted, tmp_path)
    rows = [(tmp_path / f"bytes_symbol{n}.hex").read_text().split() for n in range(32)]
    assert all(int(rows[n % 32][n // 32], 16) == byte for n, byte in enumerate(wanted.ram))
    assert sum(wanted.ram) > sum(range(200))
    verilog = "module m;\n  reg [7:0] bytes_symbol3 [0:63];\n  reg [7:0] other [0:63];\n"
    said = cabled.awake(verilog, "in/")
    assert 'initial $readmemh("in/bytes_symbol3.hex", bytes_symbol3);' in said
    assert said.count("readmemh") == 1
