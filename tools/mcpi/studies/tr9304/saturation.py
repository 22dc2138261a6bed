# SPDX-License-Identifier: BSD-2-Clause
"""Where a system begins to drop messages: the shortest period that it takes, by bisection."""

from collections.abc import Callable

from mcpi.studies.tr9304.plan import FAST, OVERLOAD, Configuration

LONGEST_US, STEP_US = 20_000, 100
Drops = Callable[[Configuration], bool]


def gap_us(system: str, drops: Drops) -> int | None:
    """Between messages on a wire of FAST Mb/s: the shortest of STEP_US without a drop. None: it
    drops none at all."""
    low, high = 0, LONGEST_US // STEP_US  # low drops, high does not
    if not drops(_at(system, 0)):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if drops(_at(system, middle * STEP_US)):
            low = middle
        else:
            high = middle
    return high * STEP_US


def _at(system: str, us: int) -> Configuration:
    return Configuration(system, us / 1000, mbps=FAST)


def overloaded(gap: int, message: float) -> float:
    """The gap in ms by which OVERLOAD is offered; ``gap`` and ``message``: µs that it takes, and
    of a message on the wire."""
    return round(max(0.0, (gap + message) / OVERLOAD - message) / 1000, 3)
