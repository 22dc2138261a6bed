# SPDX-License-Identifier: BSD-2-Clause
"""Where a system begins to drop messages: the shortest period that it takes, by bisection. What a
boot left says which one comes next."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.machine.profile import load
from mcpi.spec.node_spec import SCRIPT
from mcpi.studies.tr9304 import frames, plan, probes
from mcpi.studies.tr9304.plan import FAST, OVERLOAD, Configuration

LONGEST_US, STEP_US = 20_000, 100
PART = "saturation"  # of study.json
Drops = Callable[[Configuration], bool]


class Unknown(Exception):
    """The configuration of a boot that has not been made yet."""


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


def further(root: Path, done: list[Experiment], wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The boots that come next: those that the bisections ask for; those of the saturated systems,
    once their gaps are known; none, when they have run too."""
    found: list[Experiment] = []
    for system in (c.structure for c in plan.configurations() if c.saturated):
        try:
            ms = limits(root, done, [system])[system]["ms"]
        except Unknown as unknown:
            found += plan.boots(wanted, extent, unknown.args[0], PART, count=1)
            continue
        if system not in saturated(done):
            found += plan.boots(wanted, extent, replace(plan.saturated(system), gap=ms))
    return found


def saturated(done: list[Experiment]) -> list[str]:
    """Systems of which a boot is saturated."""
    made = {e.part for e in done}
    return [s for s in plan.SYSTEMS if (plan.RESULTS, plan.saturated(s).key) in made]


def limits(root: Path, done: list[Experiment], of: Iterable[str]) -> dict[str, dict]:
    """By system: µs of a message on the fast wire, of the gap that it takes (None: any), and ms of
    the gap that overloads it. Unknown if a boot of them is missing."""
    made = {e.part[1]: root / e.name for e in done if e.part[0] == PART}

    def drops(c: Configuration) -> bool:
        if c.key not in made:
            raise Unknown(c)
        place = made[c.key]
        return probes.received(place) < len(frames.starts(place / SCRIPT))

    machine = load(plan.MACHINE, Configuration("bsd", 0, mbps=FAST).settings)
    message = frames.message_ticks(machine) / machine.ticks_per_us
    found = {}
    for system in of:
        gap = gap_us(system, drops)
        found[system] = {"message_us": message, "gap_us": gap, "ms": overloaded(gap or 0, message)}
    return found
