# SPDX-License-Identifier: BSD-2-Clause
"""Numbers of stacks and sides in the simulator, the boot block and the counters."""

CLIENT, SERVER = 0, 1
SIDES = {"client": CLIENT, "server": SERVER}
STACKS = {"tcp": 0, "rpc": 1}


def stack_number(stack: str) -> int:
    """A user's own graph is its image's first."""
    return STACKS.get(stack, 0)
