# SPDX-License-Identifier: BSD-2-Clause
"""The core as it goes onto an FPGA does in every tick what the simulated one does.

It tells of a tick a tick later and takes clocks in which time stands. So every directed test that
asserts values, ticks and owners holds for it.
"""

from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run
from verify.long_tests import sampled

HERE = Path(__file__).parent
# Instructions that wait for memory, that redirect, that are late.
MODULES = "timing stalls program locks pal pal_pairs prediction jumps operate isa".split()
SLOW = ("timing", "pal_pairs", "isa")  # 10 s each


@pytest.mark.parametrize("module", sampled(MODULES, lambda name: name not in SLOW))
def test_on_fpga(module: str) -> None:
    [path] = HERE.rglob(f"test_{module}.py")
    cocotb_run.simulate(cocotb_run.elaborate("AlphaLiteOnFpga"), path)
