# SPDX-License-Identifier: BSD-2-Clause
"""Owners of ticks by what the processor waits for: their names and colours in every drawing.

Any two colours differ for readers with each kind of colour vision (``test_colours.py``).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """``colour``: of the first of ``owners``; each other has a lighter one."""

    title: str
    colour: str
    owners: tuple[str, ...] = ()


CAUSES = (
    Cause("instructions issued", "#4b5563", ("issue",)),
    Cause("I-cache", "#b4451f", ("i_demand", "i_stream", "refill_restart")),
    Cause("branches", "#1d4fa0", ("taken_bubble", "mispredict")),
    Cause("operands", "#9a7fd0", ("load_use", "shift", "compare", "agen", "multiply")),
    Cause("D-cache", "#2e7d5b", ("d_miss", "memory_port")),
    Cause("write buffer", "#c28f1c", ("write_buffer_full",)),
)
OTHER = Cause("traps, barriers, devices", "#a3adb8")


def of(owner: str) -> Cause:
    """The cause that has ``owner``."""
    return next((cause for cause in CAUSES if owner in cause.owners), OTHER)


def colour(owner: str) -> str:
    """The owner's own, ``#rrggbb``."""
    cause = of(owner)
    by = 0.17 * cause.owners.index(owner) if cause.owners else 0
    channels = (int(cause.colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 - c) * by):02x}" for c in channels)
