# SPDX-License-Identifier: BSD-2-Clause
"""Names of engines; numbers of stacks and sides in the simulator, the boot block, the counters."""

RTL, EXACT, BOARD = "rtl", "exact", "board"
CLIENT, SERVER = 0, 1
SIDES = {"client": CLIENT, "server": SERVER}
STACKS = {"tcp": 0, "rpc": 1}


def stack_number(stack: str) -> int:
    """A user's own graph is its image's first."""
    return STACKS.get(stack, 0)
