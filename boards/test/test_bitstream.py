# SPDX-License-Identifier: BSD-2-Clause
"""A board from its sources to its bitstream, as ``./mcpi board build`` makes it; ten minutes
beside the other tests."""

import json
import subprocess
from pathlib import Path

import pytest

from mcpi import boards
from mcpi.paths import ROOT

BOARD = "ecpix-5"
# Of an LFE5UM5G-85F; the first four bytes behind the comment of an ECP5's bitstream.
IDCODE, PREAMBLE = bytes.fromhex("81113043"), bytes.fromhex("ffffbdb3")


@pytest.mark.slow
def test_a_board():
    words = [ROOT / "mcpi", "board", "build", BOARD, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-4000:]
    found = json.loads(done.stdout)
    assert found["median_paced_mhz"] >= found["wanted_mhz"] == boards.load(BOARD).clock_mhz
    (run,) = found["runs"]
    others = [clock for clock in run["clocks"] if clock["wanted"] != found["wanted_mhz"]]
    assert len(others) == 2, "RGMII's and RXC"
    for clock in others:
        assert clock["achieved"] >= clock["wanted"], clock
    bitstream = Path(found["bitstream"]).read_bytes()
    assert PREAMBLE in bitstream[:400] and IDCODE in bitstream[:400]
