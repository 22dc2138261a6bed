# SPDX-License-Identifier: BSD-2-Clause
"""A whole image, TCP or RPC, twice, over a functional LANCE and a wire: all of it together.

The processors are the simulator room's instruction-set model; time is one instruction a tick, so
nothing here says anything about speed.
"""

import pytest
from firmware_support.pair_machines import build, run

from mcpi.spec.numbers import STACKS


@pytest.mark.parametrize("stack", STACKS)
def test_ping_pong(stack):
    """Two frames an exchange, and a few to open and close; the same instructions for each exchange
    but for the timer's, and within the frame of the paper's 4750 and 4291 for the path alone."""
    both = (stack, build("std", stack), build("std", stack), 10**9, "warmup=10")
    few, many = run(*both, "round_trips=50"), run(*both, "round_trips=150")
    assert many.count - few.count == 2 * 100
    for node in (0, 1):
        each = (many.instructions[node] - few.instructions[node]) / 100
        assert 2500 < each < 7000


@pytest.mark.parametrize("stack", STACKS)
def test_lost_frames(stack):
    """Every seventh frame is lost: both recover, the driver does nothing it must not."""
    both = (stack, build("std", stack), build("std", stack), 10**11)
    assert run(*both, "--lose", "7", "round_trips=20", "warmup=2").count > 2 * 22
