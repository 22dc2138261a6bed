# SPDX-License-Identifier: BSD-2-Clause
"""For which machines a block of the hardware exists, and what it has not."""

from mcpi.base.errors import UserError
from mcpi.machine import boards
from mcpi.machine.profile import Machine

COHERENT = {  # of several cores
    *("CoherentBench", "CoherentCounters", "CoherentPacked", "CoherentSmall"),
    *("CoherentNode", "CoresInside", "NetlistCores"),
    *("CoherentCoreAlone", "CoherentCountersAlone", "PrivateCacheAlone", "SnoopBusAlone"),
}
BOARD = "NodeOnBoard"  # stands for a board that runs


def check(block: str, machine: Machine) -> None:
    """UserError for a block that a machine has not."""
    if why := missing(block, machine):
        raise UserError(why)


def missing(block: str, machine: Machine) -> str:
    """Why a machine has not this block, and which machine has; empty: it has it."""
    if block in COHERENT:
        return "" if machine.coherent else _shared(machine)
    if machine.coherent and block not in _tops():
        return _private(machine, block == BOARD)
    return ""


def _tops() -> set[str]:
    return {boards.load(name).top for name in boards.names()}


def _shared(machine: Machine) -> str:
    return (
        f"machine {machine.name}: it has no private b-caches. Take one that has, as "
        "challenge-100, or set bcache.private=on."
    )


def _private(machine: Machine, on_board: bool) -> str:
    count = machine.parameters["core.count"]
    said = f"machine {machine.name}: core.count = {count} with bcache.private = on: "
    if not on_board:
        return (
            f"{said}no node on a wire has private b-caches yet; one that runs alone has. Take a "
            "machine of one core, as dec3000-600."
        )
    return (
        f"{said}no board runs a node with private b-caches yet; ./mcpi board build makes one "
        "(docs/explanation/synthesis.md, Several cores). Take a machine of one core, as "
        "dec3000-600."
    )
