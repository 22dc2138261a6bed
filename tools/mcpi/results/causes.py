# SPDX-License-Identifier: BSD-2-Clause
"""Owners of ticks by what the processor waits for: their names and colours in every drawing.

Any two colours differ for readers with each kind of colour vision (``test_colour.py``).
"""

from dataclasses import dataclass

from mcpi.machine import counters


@dataclass(frozen=True)
class Cause:
    """``colour``: of the first of ``owners``; each other has a lighter one."""

    title: str
    colour: str
    owners: tuple[str, ...] = ()


COLOURS = {
    "instructions issued": "#4b5563",
    "I-cache": "#b4451f",
    "branches": "#1d4fa0",
    "operands": "#9a7fd0",
    "D-cache": "#2e7d5b",
    "write buffer": "#c28f1c",
}
CAUSES = tuple(
    Cause(title, colour, counters.owners_by("group")[title]) for title, colour in COLOURS.items()
)
OTHER = Cause("traps, barriers, devices", "#a3adb8")
#: Owners of a round trip outside the path (docs/reference/round-trip.md).
TRIP = (
    Cause("interrupts, hand-over", "#ff8a70", ("off_path", "hand_over", "interrupt")),
    Cause(
        "controllers",
        "#ffcf70",
        tuple(
            f"controller.{name}"
            for name in ("poll", "descriptor", "set_up", "start", "status", "raise")
        ),
    ),
    Cause("their silos", "#fff0c8", ("controller.silo",)),
    Cause("bus", "#101418", ("bus",)),
    Cause("wire", "#cfe8fb", ("wire",)),
)


def of(owner: str) -> Cause:
    """The cause that has ``owner``."""
    return next((cause for cause in CAUSES if owner in cause.owners), OTHER)


def colour(owner: str) -> str:
    """The owner's own, ``#rrggbb``; owners of a round trip outside the path share their cause's."""
    if shared := next((cause.colour for cause in TRIP if owner in cause.owners), ""):
        return shared
    cause = of(owner)
    by = 0.17 * cause.owners.index(owner) if cause.owners else 0
    channels = (int(cause.colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 - c) * by):02x}" for c in channels)
